package csvfile

import (
	"bytes"
	"encoding/csv"
	"errors"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/money"
)

// drawLine draws a text of one line without space around it, or nil. Read returns such a cell unchanged.
func drawLine(t *rapid.T, name string, limit int) *string {
	special := rapid.SampledFrom([]rune(`aé漢"',;=+-@#|&x 9/	`))
	text := rapid.OneOf(rapid.StringN(1, limit, -1), rapid.StringOfN(special, 1, limit, -1)).Draw(t, name)
	text = strings.Map(func(r rune) rune {
		if !blank.IsLine(string(r)) {
			return -1
		}
		return r
	}, text)
	if text = blank.Trim(text); blank.Is(text) {
		return nil
	}
	return &text
}

// drawMoney draws an amount or nil.
func drawMoney(t *rapid.T, name string) *money.Money {
	if !rapid.Bool().Draw(t, name+"?") {
		return nil
	}
	return &money.Money{
		Amount:   rapid.Int64Range(0, money.Max).Draw(t, name),
		Currency: rapid.SampledFrom([]string{"USD", "EUR", "JPY", "KWD", "VES"}).Draw(t, name+" currency"),
	}
}

// oneOf draws one of the values or nil.
func oneOf(t *rapid.T, name string, values ...string) *string {
	if !rapid.Bool().Draw(t, name+"?") {
		return nil
	}
	value := rapid.SampledFrom(values).Draw(t, name)
	return &value
}

// drawRow draws a row that Write and Read keep.
func drawRow(t *rapid.T) Row {
	r := Row{Quantity: 1, Batch: drawLine(t, "batch", maxBatchName)}
	set(&r.Title, drawLine(t, "title", cards.MaxTitle))
	set(&r.Set, drawLine(t, "set", cards.MaxSet))
	set(&r.Number, drawLine(t, "number", cards.MaxNumber))
	set(&r.CatalogID, drawLine(t, "catalog", cards.MaxCatalogID))
	set(&r.Variant, drawLine(t, "variant", cards.MaxVariant))
	set(&r.Game, oneOf(t, "game", cards.Games...))
	set(&r.Condition, oneOf(t, "condition", cards.Conditions...))
	set(&r.Language, oneOf(t, "language", "en", "ja", "pt-BR", "zh-Hans", "fil"))
	set(&r.AskingPrice, drawMoney(t, "price"))
	set(&r.Cost, drawMoney(t, "cost"))
	set(&r.ExternalID, drawLine(t, "external id", cards.MaxExternalID))
	set(&r.SKU, drawLine(t, "sku", cards.MaxSKU))
	if rapid.Bool().Draw(t, "has metadata") {
		keys, values := rapid.StringMatching(`[a-z.]{1,9}`), rapid.StringMatching(`[ -~é漢]{0,9}`)
		r.Metadata = pairs(rapid.MapOfN(keys, values, 1, 3).Draw(t, "metadata"))
	}
	if rapid.Bool().Draw(t, "located") {
		segment := rapid.StringMatching(`[A-Za-zé0-9 =-]{0,20}[A-Za-z0-9]`)
		segments := rapid.SliceOfN(segment, 1, cards.MaxLocationSegments).Draw(t, "location")
		r.Location = cards.Set(strings.TrimSpace(strings.Join(segments, "/")))
	}
	if notes := drawLine(t, "notes", 1000); notes != nil {
		r.Notes = cards.Set("(" + strings.ReplaceAll(*notes, "x", "\n") + ")")
	}
	if rapid.Bool().Draw(t, "dated") {
		r.Year = cards.Set(rapid.Int32Range(cards.MinYear, cards.MaxYear).Draw(t, "year"))
	}
	company, value := drawLine(t, "company", cards.MaxGradeCompany), drawLine(t, "grade", cards.MaxGradeValue)
	if company != nil && value != nil {
		r.Grade = cards.Set(cards.Grade{
			Company: *company, Value: *value, CertNumber: drawLine(t, "cert", cards.MaxCertNumber),
		})
	}
	return r
}

// pairs returns the field that sets metadata.
func pairs(values map[string]string) cards.Field[map[string]*string] {
	set := make(map[string]*string, len(values))
	for key, value := range values {
		set[key] = &value
	}
	return cards.Set(set)
}

// allFields compares all fields of rows.
var allFields = cmp.Exporter(func(reflect.Type) bool { return true })

// notBlank reports whether a row has a value. Read skips blank lines.
func notBlank(r Row) bool { return !reflect.DeepEqual(r, Row{Quantity: 1}) }

// each iterates over rows.
func each(rows []Row) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func TestWrite_RoundTrips(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.Custom(drawRow).Filter(notBlank), 1, 5).Draw(t, "rows")
		var out bytes.Buffer
		if n, err := Write(&out, each(rows)); err != nil || n != len(rows) {
			t.Fatalf("Write = %d, %v, want %d", n, err, len(rows))
		}
		file, err := readAll(&out, Options{Currency: "CHF"})
		if err != nil {
			t.Fatalf("Read: %v", err)
		}
		if len(file.Rows) != len(rows) || file.Cards != len(rows) || file.Ignored != nil {
			t.Fatalf("%d rows, %d cards, ignored %v, want %d rows", len(file.Rows), file.Cards, file.Ignored, len(rows))
		}
		for i, got := range file.Rows {
			got.Line = 0
			if diff := cmp.Diff(rows[i], got, allFields); diff != "" {
				t.Fatalf("row %d (-want +got):\n%s", i, diff)
			}
		}
	})
}

// No cell of a file begins like a formula, whatever the texts of a card, and Read returns the same texts.
func TestWrite_EscapesFormulas(t *testing.T) {
	t.Parallel()
	const call = `HYPERLINK("https://evil.example","open")`
	var rows []Row
	for i, start := range []string{"=", "+", "-", "@", "'=", "''-", "'", "\t=", "\r=", "\n=", "'\t"} {
		rows = append(rows, Row{
			Quantity: 1, Batch: new("+batch"),
			Patch: cards.Patch{
				Title: cards.Set("=" + call), Set: cards.Set("+" + call), Number: cards.Set("-1"),
				Variant: cards.Set("@" + call), Notes: cards.Set(start + call),
				Grade: cards.Set(cards.Grade{Company: "=A", Value: "+1", CertNumber: new("-2")}),
				SKU:   cards.Set("@sku"), ExternalID: cards.Set("=" + strconv.Itoa(i)), Location: cards.Set("-a/=b"),
				Metadata: pairs(map[string]string{"=key": start}),
			},
		})
	}
	var out bytes.Buffer
	if _, err := Write(&out, each(rows)); err != nil {
		t.Fatal(err)
	}
	content := out.String()
	written, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, cell := range slices.Concat(written...) {
		if cell != "" && strings.ContainsRune("=+-@\t\r\n", rune(cell[0])) {
			t.Errorf("the cell %q is a formula", cell)
		}
	}
	file, err := readAll(strings.NewReader(content), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range file.Rows {
		file.Rows[i].Line = 0
	}
	if diff := cmp.Diff(rows, file.Rows, allFields); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func TestWrite_StopsAtFirstError(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	rows := func(yield func(Row, error) bool) { _ = yield(Row{}, nil) && yield(Row{}, broken) }
	if n, err := Write(&bytes.Buffer{}, rows); n != 1 || !errors.Is(err, broken) {
		t.Errorf("Write = %d, %v, want 1 row and %v", n, err, broken)
	}
}

// For any content, Read returns rows or problems.
func FuzzRead(f *testing.F) {
	f.Add([]byte("title,price\nA,1.50\n"))
	f.Add([]byte("\xff\xfet\x00"))
	f.Add([]byte("sep=;\ntitle;\"x"))
	f.Fuzz(func(t *testing.T, content []byte) {
		file, err := readAll(bytes.NewReader(content), Options{})
		if err == nil && len(file.Rows)+file.Skipped == 0 {
			t.Error("Read returns neither rows nor problems")
		}
		if err != nil && !isProblems(err) {
			t.Errorf("Read = %v, want problems", err)
		}
	})
}
