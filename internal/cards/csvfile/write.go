package csvfile

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/money"
)

// Write writes rows as CSV in UTF-8, separated by commas, and returns their number. It stops at the first
// error of rows. Read returns the same rows.
func Write(w io.Writer, rows iter.Seq2[Row, error]) (int, error) {
	out := csv.NewWriter(w)
	names := make([]string, len(ownColumns))
	for i, c := range ownColumns {
		names[i] = string(c)
	}
	if err := out.Write(names); err != nil {
		return 0, fmt.Errorf("csvfile.Write: %w", err)
	}
	written := 0
	for row, err := range rows {
		if err != nil {
			return written, err
		}
		if err := out.Write(row.cells()); err != nil {
			return written, fmt.Errorf("csvfile.Write: %w", err)
		}
		written++
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return written, fmt.Errorf("csvfile.Write: %w", err)
	}
	return written, nil
}

// cells returns the row's cells in the order of ownColumns.
func (r *Row) cells() []string {
	var grade cards.Grade
	if r.Grade != nil {
		grade = *r.Grade
	}
	year := ""
	if r.Year != nil {
		year = strconv.Itoa(int(*r.Year))
	}
	price, priceIn := amount(r.AskingPrice)
	floor, floorIn := amount(r.FloorPrice)
	cost, costIn := amount(r.Cost)
	cells := []string{
		r.CardID, string(r.Status), known(r.Title), known(r.Set), known(r.Number), known(r.Game), year,
		known(r.Variant), known(r.Language), known(r.Condition),
		grade.Company, grade.Value, known(grade.CertNumber), price, priceIn, floor, floorIn,
		cost, costIn,
		known(r.Location), known(r.Batch), known(r.SKU), known(r.Notes), known(r.CatalogID),
		known(r.ExternalID), metadata(r.Metadata),
	}
	for i, cell := range cells {
		cells[i] = guard(cell)
	}
	return cells
}

// known returns the text, or "" for nil.
func known(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// metadata returns the pairs as a JSON object, or "" for none.
func metadata(pairs map[string]string) string {
	if len(pairs) == 0 {
		return ""
	}
	text, _ := json.Marshal(pairs) // a map of strings has no errors
	return string(text)
}

// amount returns an amount in major units and its currency.
func amount(m *money.Money) (number, currency string) {
	if m == nil {
		return "", ""
	}
	return m.Major(), m.Currency
}

// guard prefixes a cell that a spreadsheet would evaluate as a formula with an apostrophe. It also prefixes
// cells that already look guarded, so that unguard is its inverse.
func guard(cell string) string {
	if formula(cell) {
		return "'" + cell
	}
	return cell
}

// unguard is the inverse of guard.
func unguard(cell string) string {
	if strings.HasPrefix(cell, "'") && formula(cell) {
		return cell[1:]
	}
	return cell
}

// formula reports whether a cell begins like a formula after any leading apostrophes. Spreadsheets skip a leading tab
// or line break (OWASP, CSV injection).
func formula(cell string) bool {
	rest := strings.TrimLeft(cell, "'")
	return rest != "" && strings.ContainsRune("=+-@\t\r\n", rune(rest[0]))
}
