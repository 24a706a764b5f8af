package catalog

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
)

// csvColumns holds the columns of a CSV catalogue with their alternative names. Names are compared without case,
// spaces, hyphens and underscores. Other columns are ignored.
var csvColumns = map[string][]string{
	"id":            {"card_id", "uuid", "catalog_id"},
	"game":          {"tcg"},
	"name":          {"card_name", "title", "card"},
	"set":           {"set_name", "expansion", "edition"},
	"set_code":      {"code", "set_id"},
	"number":        {"collector_number", "card_number", "no"},
	"printed_total": {"set_total", "total"},
	"illustrator":   {"artist"},
	"text":          {"card_text", "oracle_text", "rules_text", "body"},
	"year":          {"release_year", "release_date", "released_at"},
	"hp":            {"hit_points"},
	"language":      {"lang"},
	"rarity":        {},
	"variant":       {"finish", "printing", "parallel"},
	"price":         {"market_price", "price_usd"},
	"currency":      {"price_currency"},
	// Of sports cards; see sportsCard.
	"player":      {"athlete", "subject"},
	"team":        {"club"},
	"brand":       {"manufacturer", "maker"},
	"numbered_to": {"serial", "serial_number", "print_run", "numbered"},
	"rookie":      {"rc"},
	"autograph":   {"auto", "signed"},
	"relic":       {"memorabilia", "patch"},
}

func csvColumnNames() []string { return slices.Sorted(maps.Keys(csvColumns)) }

// csvRow is a record with access to its cells by column name.
type csvRow struct {
	columns      map[string]int // index by name
	cells        []string
	decimalComma bool // whether numbers have decimal commas: spreadsheets then separate columns by semicolons
}

// get returns the cell of a column, or "" if the file does not have the column.
func (r csvRow) get(column string) string {
	if i, ok := r.columns[column]; ok && i < len(r.cells) {
		return strings.TrimSpace(r.cells[i])
	}
	return ""
}

// parseCSV parses a CSV catalogue. Columns are separated by commas, semicolons or tabs.
func parseCSV(f *file, out *sink) error {
	content := bufio.NewReaderSize(&f.source, 64<<10)
	reader := csv.NewReader(content)
	reader.Comma = separator(content)
	reader.FieldsPerRecord = -1 // a short row is valid unless it lacks a required column
	reader.LazyQuotes = true    // files of users may contain unescaped quotes
	reader.ReuseRecord = true
	header, err := reader.Read()
	if err != nil {
		return errors.Join(errors.New("there is no header line"), err)
	}
	if strings.Contains(strings.Join(header, ""), "\r") { // the reader treats the whole file as one line
		return fault.New(fault.InvalidRequest,
			"the lines of %s end in CR: save it with lines that end in LF or CRLF", f.path)
	}
	columns, err := csvHeader(header)
	if err != nil {
		return err
	}
	for {
		f.nextElement()
		cells, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		line, _ := reader.FieldPos(0)
		card, err := csvRow{columns, cells, reader.Comma == ';'}.card()
		if err != nil {
			err = out.skip("", line, err.Error())
		} else {
			if card.Price != nil {
				card.PriceAsOf = &f.asOf
			}
			err = out.card("", line, card)
		}
		if err != nil {
			return err
		}
	}
}

// separator skips a byte order mark and returns the most frequent separator in the header line.
func separator(content *bufio.Reader) rune {
	if mark, _ := content.Peek(3); string(mark) == "\ufeff" {
		content.Discard(3)
	}
	start, _ := content.Peek(4096)
	line, _, _ := bytes.Cut(start, []byte("\n"))
	count := func(r rune) int { return bytes.Count(line, []byte(string(r))) }
	best := ','
	for _, r := range ";\t" {
		if count(r) > count(best) {
			best = r
		}
	}
	return best
}

// csvHeader returns the indexes of known columns.
func csvHeader(header []string) (map[string]int, error) {
	simple := strings.NewReplacer(" ", "", "_", "", "-", "")
	fields := map[string]string{}
	for name, aliases := range csvColumns {
		for _, alias := range append(slices.Clone(aliases), name) {
			fields[simple.Replace(alias)] = name
		}
	}
	columns := map[string]int{}
	for i, cell := range header {
		name, ok := fields[simple.Replace(strings.ToLower(clean(cell)))]
		if !ok {
			continue
		}
		if _, repeated := columns[name]; !repeated {
			columns[name] = i
		}
	}
	_, hasID := columns["id"]
	_, hasNumber := columns["number"]
	_, hasName := columns["name"]
	_, hasPlayer := columns["player"]
	if !hasName && !hasPlayer || !hasID && !hasNumber {
		return nil, fmt.Errorf("the header line has neither name nor player, or neither id nor number")
	}
	return columns, nil
}

// card returns the card of a row. If the row has no identifier, it is derived from the fields that distinguish
// printings.
func (r csvRow) card() (Card, error) {
	c := Card{
		ID: r.get("id"), Game: GameOf(r.get("game")), Name: r.get("name"), Set: r.get("set"),
		SetCode: r.get("set_code"), Number: r.get("number"), Illustrator: r.get("illustrator"),
		Language: r.get("language"), Rarity: r.get("rarity"), Variant: r.get("variant"), Text: r.get("text"),
		Year: yearOf(r.get("year")),
	}
	var err error
	if c.PrintedTotal, err = r.number("printed_total"); err != nil {
		return c, err
	}
	if c.HP, err = r.number("hp"); err != nil {
		return c, err
	}
	if number, total := ParseNumber(c.Number); total > 0 {
		c.Number = number
		if c.PrintedTotal == 0 {
			c.PrintedTotal = total
		}
	}
	if r.get("player") != "" {
		if err := r.sportsCard(&c); err != nil {
			return c, err
		}
	}
	if c.ID == "" && c.Name != "" {
		c.ID = derivedID(c.Game, either(c.SetCode, c.Set), c.Number, c.Name, c.Language, c.Variant)
	}
	c.Price, err = r.price()
	return c, err
}

// number returns the whole number in a column, or 0 if the cell is empty.
func (r csvRow) number(column string) (int, error) {
	text := r.get(column)
	if text == "" {
		return 0, nil
	}
	value, err := strconv.Atoi(text)
	if err != nil {
		return 0, fmt.Errorf("%s %q is not a whole number", column, text)
	}
	return value, nil
}

// price returns the price of the row, or nil if the cell is empty. The default currency is USD.
func (r csvRow) price() (*money.Money, error) {
	text := r.get("price")
	if text == "" {
		return nil, nil
	}
	number, err := money.Decimal(strings.TrimLeft(text, "$€£¥ "), r.decimalComma)
	if err != nil {
		return nil, fmt.Errorf("price %q %w", text, err)
	}
	price, err := money.Parse(number, either(strings.ToUpper(r.get("currency")), "USD"))
	if err != nil {
		return nil, fmt.Errorf("price %q is %w", text, err)
	}
	return &price, nil
}
