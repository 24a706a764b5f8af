package csvfile

import (
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"strings"
)

// Write writes rows as CSV in UTF-8, separated by commas, and returns their number. It stops at the first
// error of rows. Read returns the same rows.
func Write(w io.Writer, rows iter.Seq2[Row, error]) (int, error) {
	out := csv.NewWriter(w)
	names := make([]string, len(ownColumns))
	for i, c := range ownColumns {
		names[i] = string(c.name)
	}
	if err := out.Write(names); err != nil {
		return 0, fmt.Errorf("write file: %w", err)
	}
	written := 0
	for row, err := range rows {
		if err != nil {
			return written, err
		}
		if err := out.Write(row.cells()); err != nil {
			return written, fmt.Errorf("write file: %w", err)
		}
		written++
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return written, fmt.Errorf("write file: %w", err)
	}
	return written, nil
}

// cells returns the row's cells in the order of ownColumns.
func (r *Row) cells() []string {
	cells := make([]string, len(ownColumns))
	for i, c := range ownColumns {
		cells[i] = guard(c.cell(r))
	}
	return cells
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
