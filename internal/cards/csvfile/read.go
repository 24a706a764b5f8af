package csvfile

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
)

// maxBatchName is the limit of package batches, in characters.
const maxBatchName = 120

// Options say how to read a file.
type Options struct {
	// Currency is the ISO 4217 code for amounts without one. The default of an import is the account's; Read needs it.
	Currency string
	// MatchSKU says that a row is the card with its SKU if it has neither a card_id nor an external_id.
	MatchSKU bool
}

// Summary describes the content of a file.
type Summary struct {
	// Cards is the number of cards, including copies.
	Cards int
	// Pictures is the number of photos that are files, one for each copy of a row.
	Pictures int
	// Skipped is the number of rows with quantity 0, which are skipped.
	Skipped int
	// Ignored are the columns that are not imported, in file order.
	Ignored []string
}

// Read reads a CSV file of cards and calls each for every row, in order, up to the first problem. It trims white space
// around cells and normalizes line breaks in them to "\n". If the content is invalid, it returns a *Problems with all
// problems. If each returns an error, Read stops and returns that error. The memory that Read needs does not grow with
// the file.
func Read(r io.Reader, o Options, each func(Row) error) (Summary, error) {
	file := &reader{options: o}
	file.each = func(row Row) error {
		if file.problems.Total > 0 {
			return nil
		}
		return each(row)
	}
	return file.read(r)
}

// reader reads the rows after the header.
type reader struct {
	*table
	header  header
	options Options
	each    func(Row) error // also called after problems of other rows
	// finish, if set, is called after the last row.
	finish   func() error
	rows     int // passed to each
	preview  Preview
	summary  Summary
	problems Problems
}

func (r *reader) read(from io.Reader) (Summary, error) {
	if !money.Known(r.options.Currency) {
		return Summary{}, fault.Invalid("currency", "must be an upper-case ISO 4217 code such as USD")
	}
	r.table = openTable(from)
	names, line, err := r.next()
	if errors.Is(err, io.EOF) {
		return Summary{}, one(0, "the file is empty: its first line must contain the column names")
	}
	if err != nil {
		return Summary{}, err
	}
	if r.header, err = readHeader(names, line, r.options.MatchSKU); err != nil {
		return Summary{}, err
	}
	r.preview.setHeader(r.header)
	r.summary.Ignored = r.header.ignored
	if err := r.readRows(); err != nil {
		return Summary{}, err
	}
	return r.summary, nil
}

func (r *reader) readRows() error {
	for {
		cells, line, err := r.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if isProblems(err) { // the following rows cannot be separated
			return r.stop(err)
		}
		if err != nil {
			return err
		}
		if err := r.readRow(record{reader: r, line: line, cells: cells}); err != nil {
			return err
		}
		if r.summary.Cards > MaxCards {
			return r.stop(one(line, "the file contains more than %d cards, including copies: split it", MaxCards))
		}
	}
	if r.rows == 0 && r.summary.Skipped == 0 && r.problems.Total == 0 {
		return one(0, "the file contains no cards after the line with the column names")
	}
	if r.finish != nil {
		if err := r.finish(); err != nil {
			return err
		}
	}
	return r.problems.err()
}

// stop stops reading with a last problem.
func (r *reader) stop(last error) error {
	var p *Problems
	if errors.As(last, &p) {
		r.problems.add(p.List[0].Line, "", "%s", p.List[0].Message)
	}
	return r.problems.err()
}

// readRow passes one row to each, or adds its problems.
func (r *reader) readRow(rec record) error {
	r.preview.add(rec.cells)
	if extra := rec.cells[min(len(r.header.names), len(rec.cells)):]; !blank.Is(strings.Join(extra, "")) {
		r.problems.add(rec.line, "", "has %d more cells than there are columns: "+
			"put texts that contain the separator in quotation marks", len(extra))
		return nil
	}
	before := r.problems.Total
	quantity := rec.quantity()
	if quantity == 0 && r.problems.Total == before {
		r.summary.Skipped++
		return nil
	}
	row := rec.row()
	row.Quantity = quantity
	r.check(rec, &row)
	if r.problems.Total > before {
		return nil
	}
	r.rows++
	r.summary.Cards += quantity
	r.summary.Pictures += quantity * len(row.files())
	return r.each(row)
}

// fault adds the problems of a row that err, if it is a fault, describes.
func (r *reader) fault(line int, err error) {
	f, ok := fault.As(err)
	if !ok {
		return
	}
	if len(f.Details) == 0 {
		r.problems.add(line, "", "%s", f.Message)
	}
	for _, d := range f.Details {
		field, _, _ := strings.Cut(d.Field, "metadata.")
		column := fieldColumns[cmp.Or(field, "metadata")]
		r.problems.add(line, r.header.name(column), "%s", d.Message)
	}
}

// check adds the problems of a row's values.
func (r *reader) check(rec record, row *Row) {
	draft := row.draft()
	r.fault(row.Line, draft.Check())
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
	if row.Quantity > 1 && gradeOf(row).CertNumber != nil {
		rec.problem(colQuantity, "must be 1, because a certificate belongs to one card")
	}
	if row.Quantity > 1 && (row.CardID != "" || row.ExternalID.Value() != nil) {
		rec.problem(colQuantity, "must be 1, because a card_id or external_id belongs to one card")
	}
}

// photoColumnOf returns the photo column of a role.
func photoColumnOf(role cards.Role) column {
	at := slices.IndexFunc(photoColumns, func(p photoColumn) bool { return p.role == role })
	return photoColumns[at].column
}
