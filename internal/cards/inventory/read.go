package inventory

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
)

// DefaultCurrency is that of amounts whose file does not say.
const DefaultCurrency = "USD"

// maxBatchName is the limit that package batches sets, in characters.
const maxBatchName = 120

// Options are what a file does not say itself.
type Options struct {
	// Currency is the ISO 4217 code of amounts without one; "" means DefaultCurrency.
	Currency string
}

// File is what a file holds.
type File struct {
	Rows []Row
	// Cards is how many cards the rows stand for, copies included.
	Cards int
	// Skipped is how many rows were left out because their quantity is 0.
	Skipped int
	// Ignored are the columns that say nothing the service keeps, in the file's order.
	Ignored []string
}

// Read reads an inventory file. Cells are read without the space around them, and line breaks in them
// as "\n". Whatever is wrong with the content is a *Problems that names all of it.
func Read(r io.Reader, o Options) (File, error) {
	if o.Currency == "" {
		o.Currency = DefaultCurrency
	}
	if !money.Known(o.Currency) {
		return File{}, fault.Invalid("currency", "must be an ISO 4217 code in capitals such as USD")
	}
	t := openTable(r)
	names, line, err := t.next()
	if errors.Is(err, io.EOF) {
		return File{}, one(0, "the file is empty: its first line must name the columns")
	}
	if err != nil {
		return File{}, err
	}
	h, err := readHeader(names, line)
	if err != nil {
		return File{}, err
	}
	reading := reader{table: t, header: h, options: o, file: File{Ignored: h.ignored}}
	return reading.rows()
}

// reader reads the rows below a header.
type reader struct {
	*table
	header   header
	options  Options
	file     File
	problems Problems
}

func (r *reader) rows() (File, error) {
	for {
		cells, line, err := r.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if isProblems(err) { // what follows cannot be told apart
			return File{}, r.stop(err)
		}
		if err != nil {
			return File{}, err
		}
		r.row(record{reader: r, line: line, cells: cells})
		if r.file.Cards > MaxCards {
			return File{}, r.stop(one(line, "the file holds more than %d cards, copies included: split it", MaxCards))
		}
	}
	if len(r.file.Rows) == 0 && r.file.Skipped == 0 && r.problems.Total == 0 {
		return File{}, one(0, "the file holds no cards below the line that names the columns")
	}
	return r.file, r.problems.err()
}

// stop ends reading with a last problem.
func (r *reader) stop(last error) error {
	var p *Problems
	if errors.As(last, &p) {
		r.problems.add(p.List[0].Line, "", "%s", p.List[0].Message)
	}
	return r.problems.err()
}

// row takes in one row, or notes what is wrong with it.
func (r *reader) row(rec record) {
	if extra := len(rec.cells) - len(r.header.names); extra > 0 && strings.TrimSpace(strings.Join(rec.cells[len(r.header.names):], "")) != "" {
		r.problems.add(rec.line, "", "has %d cells more than there are columns: put texts that hold the separator in quotation marks", extra)
		return
	}
	before := r.problems.Total
	quantity := rec.quantity()
	if quantity == 0 && r.problems.Total == before {
		r.file.Skipped++
		return
	}
	row := rec.row()
	row.Quantity = quantity
	r.check(rec, &row)
	if r.problems.Total > before {
		return
	}
	r.file.Rows = append(r.file.Rows, row)
	r.file.Cards += quantity
}

// fieldColumns are the columns by the paths that faults name fields by.
var fieldColumns = map[string]column{
	"identification.title": colTitle, "identification.set": colSet, "identification.number": colNumber,
	"identification.catalog_id": colCatalogID, "identification.game": colGame, "identification.year": colYear,
	"identification.variant": colVariant, "identification.language": colLanguage, "identification.condition": colCondition,
	"identification.grade.company": colGradeBy, "identification.grade.value": colGrade, "identification.grade.cert_number": colCert,
	"pricing.asking_price.amount": colPrice, "pricing.asking_price.currency": colPriceIn,
	"pricing.cost.amount": colCost, "pricing.cost.currency": colCostIn,
	"location": colLocation, "sku": colSKU, "notes": colNotes,
}

// check notes what the inventory would refuse of a row.
func (r *reader) check(rec record, row *Row) {
	draft := row.draft()
	if f, ok := fault.As(draft.Check()); ok {
		for _, d := range f.Details {
			rec.problem(fieldColumns[d.Field], "%s", d.Message)
		}
	}
	for _, photo := range draft.Photos {
		if f, ok := fault.As(photo.Check("photo")); ok {
			rec.problem(photoColumnOf(photo.Role), "%s", f.Details[0].Message)
		}
	}
	if row.Batch != nil {
		if f, ok := fault.As(cards.CheckLine("batch", *row.Batch, maxBatchName)); ok {
			rec.problem(colBatch, "%s", f.Details[0].Message)
		}
	}
	if row.Quantity > 1 && row.Grade != nil && row.Grade.CertNumber != nil {
		rec.problem(colQuantity, "must be 1: a certificate is of one card")
	}
}

// photoColumnOf returns the column of photos of a role.
func photoColumnOf(role cards.Role) column {
	at := slices.IndexFunc(photoColumns, func(p photoColumn) bool { return p.role == role })
	return photoColumns[at].column
}
