package csvfile

import (
	"strings"
	"unicode/utf8"
)

// The limits of a Preview.
const (
	previewRows    = 5
	previewColumns = 50
	previewText    = 80 // characters of a cell
)

// Preview shows how the columns of a file were understood. Long texts are cut.
type Preview struct {
	// Columns are the first columns in file order.
	Columns []PreviewColumn
	// Rows are the cells of the first rows, in the order of Columns.
	Rows [][]string
}

// PreviewColumn is a column of a file.
type PreviewColumn struct {
	Name string // in the file
	// Field is the name of the field that it is imported as, such as "title". It is "" if the column is ignored.
	Field string
}

// setHeader sets the columns.
func (p *Preview) setHeader(h header) {
	for i, name := range h.names[:min(len(h.names), previewColumns)] {
		column := PreviewColumn{Name: cut(name)}
		for field, at := range h.at {
			if at == i {
				column.Field = string(field)
			}
		}
		p.Columns = append(p.Columns, column)
	}
}

// add adds a row, unless there are enough.
func (p *Preview) add(cells []string) {
	if len(p.Rows) == previewRows {
		return
	}
	row := make([]string, len(p.Columns))
	for i, cell := range cells[:min(len(cells), len(row))] {
		row[i] = cut(cell)
	}
	p.Rows = append(p.Rows, row)
}

// cut returns the beginning of a text as valid UTF-8.
func cut(text string) string {
	text = strings.ToValidUTF8(strings.TrimSpace(text), "\uFFFD")
	if utf8.RuneCountInString(text) <= previewText {
		return text
	}
	return string([]rune(text)[:previewText]) + "…"
}

// cutNames returns the first names of a list that may be long.
func cutNames(names []string) []string {
	short := make([]string, min(len(names), previewColumns))
	for i := range short {
		short[i] = cut(names[i])
	}
	return short
}
