package csvfile

import (
	"encoding/json"
	"strconv"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/money"
)

// ownColumn is a column of the files that Write writes.
type ownColumn struct {
	name column
	cell func(*Row) string
}

// ownColumns are the columns that Write writes, in order: the columns of all fields that owners change, then columns
// for programs.
var ownColumns = func() []ownColumn {
	list := []ownColumn{
		{colCardID, func(r *Row) string { return r.CardID }},
		{colStatus, func(r *Row) string { return string(r.Status) }},
	}
	var last []ownColumn
	for _, f := range cards.OwnedFields {
		switch column(f.Name) {
		case colBatchID: // files have the name of the batch
			list = append(list, ownColumn{colBatch, func(r *Row) string { return known(r.Batch) }})
		case colCatalogID, colExternalID:
			last = append(last, columnsOf(f)...)
		default:
			list = append(list, columnsOf(f)...)
		}
	}
	metadata := ownColumn{colMetadata, func(r *Row) string { return metadataCell(r.Metadata.Value()) }}
	return append(append(list, last...), metadata)
}()

// columnsOf returns the columns of a field.
func columnsOf(f *cards.FieldInfo) []ownColumn {
	switch name := column(f.Name); {
	case name == colYear:
		return []ownColumn{{name, yearCell}}
	case name == fieldGrade:
		return []ownColumn{
			{colGradeBy, func(r *Row) string { return gradeOf(r).Company }},
			{colGrade, func(r *Row) string { return gradeOf(r).Value }},
			{colCert, func(r *Row) string { return known(gradeOf(r).CertNumber) }},
		}
	case f.IsAmount():
		amount := func(r *Row) *money.Money { return f.Amount(&r.Patch).Value() }
		return []ownColumn{
			{name, func(r *Row) string { return majorCell(amount(r)) }},
			{currencyColumn(name), func(r *Row) string { return currencyCell(amount(r)) }},
		}
	default:
		return []ownColumn{{name, func(r *Row) string { return known(f.Text(&r.Patch).Value()) }}}
	}
}

// currencyColumn returns the column with the currency of a column of amounts.
func currencyColumn(amount column) column { return amount + "_currency" }

// fieldColumns maps the paths of fields in faults to columns.
var fieldColumns = func() map[string]column {
	paths := map[string]column{"metadata": colMetadata}
	for _, f := range cards.OwnedFields {
		switch name := column(f.Name); {
		case name == colBatchID:
		case name == fieldGrade:
			paths[f.Path+".company"], paths[f.Path+".value"] = colGradeBy, colGrade
			paths[f.Path+".cert_number"] = colCert
		case f.IsAmount():
			paths[f.Path+".amount"], paths[f.Path+".currency"] = name, currencyColumn(name)
		default:
			paths[f.Path] = name
		}
	}
	return paths
}()

func yearCell(r *Row) string {
	if year := r.Year.Value(); year != nil {
		return strconv.Itoa(int(*year))
	}
	return ""
}

// gradeOf returns the grade of a row, or a zero Grade.
func gradeOf(r *Row) cards.Grade {
	if grade := r.Grade.Value(); grade != nil {
		return *grade
	}
	return cards.Grade{}
}

// majorCell returns an amount in major units.
func majorCell(m *money.Money) string {
	if m == nil {
		return ""
	}
	return m.Major()
}

func currencyCell(m *money.Money) string {
	if m == nil {
		return ""
	}
	return m.Currency
}

// metadataCell returns the pairs as a JSON object, or "" for none.
func metadataCell(pairs *map[string]*string) string {
	if pairs == nil || len(*pairs) == 0 {
		return ""
	}
	text, _ := json.Marshal(*pairs) // a map of strings has no errors
	return string(text)
}

// known returns the text, or "" for nil.
func known(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
