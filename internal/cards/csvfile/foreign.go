package csvfile

import (
	"fmt"
	"io"

	"github.com/cardvault/cardvault/internal/money"
)

// Table reads the rows of a CSV file that does not contain cards, such as a marketplace's report of orders, with the
// encodings, separators and limits of Read.
type Table struct{ rows *table }

// OpenTable returns a Table of the file.
func OpenTable(r io.Reader) *Table { return &Table{openTable(r)} }

// Next returns the next row that is not blank and its first line, io.EOF after the last row, or a *Problems if the rows
// that follow cannot be separated.
func (t *Table) Next() (cells []string, line int, err error) { return t.rows.next() }

// Amount parses an amount of a cell, as Read does. code is the currency that the row names, or "". fallback is the
// currency of amounts without one.
func (t *Table) Amount(text, code, fallback string) (money.Money, error) {
	m, err := parseAmount(text, code, fallback, t.rows.separator == ';')
	if err != nil {
		return money.Money{}, fmt.Errorf("%q %w", shorten(text), err)
	}
	return m, nil
}

// Add adds a problem. column may be "".
func (p *Problems) Add(line int, column, message string, args ...any) {
	p.add(line, column, message, args...)
}

// Err returns p, ordered by line, or nil if there are no problems.
func (p *Problems) Err() error { return p.err() }

// HeaderKey normalizes a column name for comparison: lower-case letters and digits only.
func HeaderKey(name string) string { return headerKey(name) }

// Guard prefixes a cell that a spreadsheet would evaluate as a formula with an apostrophe. Unguard is its inverse.
func Guard(cell string) string { return guard(cell) }

// Unguard removes the apostrophe of Guard.
func Unguard(cell string) string { return unguard(cell) }
