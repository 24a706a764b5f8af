package csvfile

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/cardvault/cardvault/internal/blank"
)

// table reads the rows of a file with commas, semicolons or tabs as separators.
type table struct {
	csv  *csv.Reader
	row  *rowLimit
	last int // first line of the last row
	// skipped is the number of lines before the first one that csv counts.
	skipped int
	// separator separates cells. If it is a semicolon, the comma is the decimal separator: spreadsheets
	// use semicolons in countries with decimal commas.
	separator rune
}

// openTable detects a file's encoding and separator. It reads UTF-8, and UTF-16 with a byte order mark. A first
// line "sep=;", which Excel and Dragon Shield write, sets the separator.
func openTable(r io.Reader) *table {
	decoder := unicode.BOMOverride(encoding.Nop.NewDecoder())
	row := &rowLimit{r: transform.NewReader(&limited{r: r, left: MaxBytes}, decoder), left: MaxRowBytes}
	content := bufio.NewReaderSize(row, 64<<10)
	t := &table{row: row}
	start, _ := content.Peek(32 << 10) // the next read returns the error again
	line, rest, more := bytes.Cut(start, []byte("\n"))
	hint := []rune(strings.ToLower(strings.Trim(string(line), "\"\r")))
	if len(hint) == 5 && string(hint[:4]) == "sep=" && strings.ContainsRune(",;\t|", hint[4]) && more {
		t.separator, t.skipped = hint[4], 1
		content.Discard(len(line) + 1)
	} else {
		if len(bytes.TrimSpace(line)) == 0 {
			line = firstText(rest)
		}
		t.separator = separatorOf(string(line))
	}
	t.csv = csv.NewReader(content)
	t.csv.FieldsPerRecord = -1
	t.csv.Comma = t.separator
	return t
}

// firstText returns the first line that is not blank.
func firstText(text []byte) []byte {
	line, _, _ := bytes.Cut(bytes.TrimLeft(text, " \t\r\n"), []byte("\n"))
	return line
}

// separatorOf returns the most frequent separator of a header line.
func separatorOf(line string) rune {
	best := ','
	for _, r := range ";\t" {
		if strings.Count(line, string(r)) > strings.Count(line, string(best)) {
			best = r
		}
	}
	return best
}

// next returns the next row that is not blank and its first line, or io.EOF after the last row.
func (t *table) next() (cells []string, line int, err error) {
	for {
		t.row.left = MaxRowBytes
		cells, err := t.csv.Read()
		if err != nil {
			return nil, 0, t.explain(err)
		}
		line, _ := t.csv.FieldPos(0)
		t.last = line + t.skipped
		if slices.ContainsFunc(cells, func(c string) bool { return !blank.Is(c) }) {
			return cells, t.last, nil
		}
	}
}

// explain converts a read error to a problem whose message says what to do.
func (t *table) explain(err error) error {
	var parse *csv.ParseError
	switch {
	case errors.Is(err, io.EOF):
		return io.EOF
	case errors.Is(err, errTooLarge):
		return one(0, "the file is larger than %d MiB: split it", MaxBytes>>20)
	case errors.Is(err, errRowTooLong):
		return one(t.last, "the next row is longer than %d KiB: "+
			"close the quotation mark that is open in it", MaxRowBytes>>10)
	case errors.Is(err, csv.ErrQuote) && errors.As(err, &parse) && parse.StartLine != parse.Line:
		return one(parse.StartLine+t.skipped,
			"a quotation mark that opens in this row is not closed correctly in line %d", parse.Line+t.skipped)
	case errors.As(err, &parse):
		return one(parse.StartLine+t.skipped, "a quotation mark is in the wrong place: "+
			`put the whole text in "…" and write "" for each mark in it`)
	}
	return fmt.Errorf("read file: %w", err)
}

var (
	errTooLarge   = errors.New("file too large")
	errRowTooLong = errors.New("row too long")
)

// rowLimit limits the bytes read for one row. Without a limit, a quotation mark that is never closed would make the
// rest of the file one row.
type rowLimit struct {
	r    io.Reader
	left int
}

// Read implements io.Reader.
func (l *rowLimit) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errRowTooLong
	}
	n, err := l.r.Read(p)
	l.left -= n
	return n, err
}

// limited is a reader that fails after a number of bytes.
type limited struct {
	r    io.Reader
	left int
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left < 0 {
		return 0, errTooLarge
	}
	n, err := l.r.Read(p[:min(len(p), l.left+1)])
	if l.left -= n; l.left < 0 {
		return n, errTooLarge
	}
	return n, err
}
