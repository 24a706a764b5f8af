package csvfile

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/netguard"
)

// record is one raw row of a file.
type record struct {
	*reader
	line  int
	cells []string
}

// problem adds a problem of the row's cell in a column.
func (r record) problem(c column, message string, args ...any) {
	r.problems.add(r.line, r.header.name(c), message, args...)
}

// text returns the row's cell in a column, or nil if it is blank.
func (r record) text(c column) *string {
	at, ok := r.header.at[c]
	if !ok || at >= len(r.cells) {
		return nil
	}
	text := blank.Trim(r.cells[at])
	if blank.Is(text) {
		return nil
	}
	if !utf8.ValidString(text) {
		r.problem(c, "is not UTF-8: save the file as “CSV UTF-8”")
		return nil
	}
	text = unguard(text)
	return &text
}

// get is text, but returns "" for a blank cell.
func (r record) get(c column) string {
	if text := r.text(c); text != nil {
		return *text
	}
	return ""
}

// row parses the whole row except its quantity.
func (r record) row() Row {
	row := Row{Line: r.line, CardID: r.get(colCardID), Batch: r.text(colBatch), Photos: r.photos()}
	for _, f := range cards.OwnedFields {
		switch name := column(f.Name); {
		case name == colBatchID:
		case name == colYear:
			set(&row.Year, r.year())
		case name == colCondition:
			r.condition(&row)
		case name == fieldGrade:
			set(&row.Grade, r.grade())
		case f.IsAmount():
			set(f.Amount(&row.Patch), r.money(name, currencyColumn(name)))
		default:
			set(f.Text(&row.Patch), r.value(name))
		}
	}
	set(&row.Metadata, r.metadata())
	return row
}

// set sets a field to a value that is not nil.
func set[T any](field *cards.Field[T], value *T) {
	if value != nil {
		*field = cards.Set(*value)
	}
}

// value returns the text in a column, as cards have it.
func (r record) value(c column) *string {
	text := r.text(c)
	switch {
	case c == colVariant && text == nil:
		text = nonEmpty(finishOf(r.get(colFinish)))
	case text == nil:
	case c == colGame:
		return new(catalog.GameOf(*text))
	case c == colLanguage:
		return new(languageOf(*text))
	}
	return text
}

// nonEmpty returns the text, or nil for "".
func nonEmpty(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// metadata parses the pairs, which stand in one cell.
func (r record) metadata() *map[string]*string {
	text := r.get(colMetadata)
	if text == "" {
		return nil
	}
	var pairs map[string]string
	if err := json.Unmarshal([]byte(text), &pairs); err != nil {
		r.problem(colMetadata, "%q is not a JSON object of texts: write it as {\"key\":\"value\"}", shorten(text))
		return nil
	}
	if len(pairs) == 0 {
		return nil
	}
	values := make(map[string]*string, len(pairs))
	for key, value := range pairs {
		values[key] = &value
	}
	return &values
}

// condition parses the condition, and the finish and language that some exports append to it. The columns of the
// variant and the language take precedence.
func (r record) condition(row *Row) {
	text := r.get(colCondition)
	if text == "" {
		return
	}
	code, finish, language, ok := conditionOf(text)
	if !ok {
		r.problem(colCondition, "%q is not a condition: use one of %s",
			shorten(text), strings.Join(cards.Conditions, ", "))
		return
	}
	set(&row.Condition, nonEmpty(code))
	if row.Variant.IsZero() {
		set(&row.Variant, nonEmpty(finish))
	}
	if row.Language.IsZero() {
		set(&row.Language, nonEmpty(language))
	}
}

func (r record) year() *int32 {
	text := r.get(colYear)
	if text == "" {
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		r.problem(colYear, "%q is not a year: write it with four digits", shorten(text))
		return nil
	}
	year := int32(n)
	return &year
}

// joinedGrade matches a grade with its company in one cell: "PSA 10".
var joinedGrade = regexp.MustCompile(`^([A-Za-z]{2,10})[ -]+(.*[0-9].*)$`)

// grade parses the grade with its company and certificate.
func (r record) grade() *cards.Grade {
	company, value, cert := r.get(colGradeBy), r.get(colGrade), r.text(colCert)
	if company == "" {
		if ungraded[headerKey(value)] {
			value = ""
		}
		if parts := joinedGrade.FindStringSubmatch(value); parts != nil {
			company, value = parts[1], parts[2]
		}
	}
	switch {
	case company == "" && value == "" && cert == nil:
		return nil
	case company == "":
		r.problem(colGradeBy, "is missing: a grade needs its grading company")
		return nil
	case value == "":
		r.problem(colGrade, "is missing: a grading company and a certificate need the grade")
		return nil
	}
	return &cards.Grade{Company: company, Value: value, CertNumber: cert}
}

// quantity returns the number of copies: the quantity plus the added quantity.
func (r record) quantity() int {
	have, given := r.count(colQuantity)
	added, also := r.count(colAdded)
	if !given && !also && !r.header.has(colAdded) {
		return 1
	}
	if have+added > MaxQuantity {
		r.problem(colQuantity, "must be at most %d", MaxQuantity)
		return 0
	}
	return have + added
}

// count parses the number in a cell. given is false if the cell is blank.
func (r record) count(c column) (n int, given bool) {
	text := r.get(c)
	if text == "" {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > MaxQuantity {
		r.problem(c, "%q is not a quantity: write a whole number from 0 to %d", shorten(text), MaxQuantity)
		return 0, true
	}
	return n, true
}

// money parses an amount and its currency.
func (r record) money(amount, currency column) *money.Money {
	text := r.get(amount)
	if text == "" {
		return nil
	}
	code := strings.ToUpper(r.get(currency))
	if code == "" {
		code = strings.ToUpper(r.get(colCurrency))
	}
	m, err := parseAmount(text, code, r.options.Currency, r.separator == ';')
	if err != nil {
		r.problem(amount, "%q %s", shorten(text), err)
		return nil
	}
	return &m
}

// photos returns the photos that the row refers to.
func (r record) photos() []Photo {
	var list []Photo
	for _, p := range photoColumns {
		if name := r.get(p.column); name != "" {
			list = append(list, Photo{p.role, netguard.Canonical(name)})
		}
	}
	return list
}

// shorten truncates a cell that a message quotes.
func shorten(text string) string {
	const most = 60
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "…"
}
