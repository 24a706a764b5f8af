package orderfile

import (
	"errors"
	"io"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/calendar"
	"github.com/cardvault/cardvault/internal/cards/csvfile"
	"github.com/cardvault/cardvault/internal/money"
)

// maxPreamble is the number of rows in which the names of the columns are searched. eBay puts notes before them.
const maxPreamble = 40

// sheet reads the cells of a report by the names of their columns.
type sheet struct {
	*csvfile.Table
	names    map[string]string // of the columns, as in the file, by key
	at       map[string]int
	cells    []string // of the current row
	line     int
	rows     int
	problems *csvfile.Problems
}

// column is a column with the keys of its names in the reports that have it.
type column []string

// openSheet finds the row of the column names, which has all of the required columns.
func openSheet(r io.Reader, what string, problems *csvfile.Problems, columns ...column) (*sheet, error) {
	s := &sheet{Table: csvfile.OpenTable(r), problems: problems}
	var missing string
	for range maxPreamble {
		err := s.read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		s.names, s.at = map[string]string{}, map[string]int{}
		for i, name := range s.cells {
			key := csvfile.HeaderKey(name)
			if _, taken := s.at[key]; !taken {
				s.names[key], s.at[key] = blank.Trim(name), i
			}
		}
		lacks, index := s.lacks(columns)
		if lacks == "" {
			return s, nil
		}
		if index > 1 {
			missing = ": it has no column " + lacks
		}
	}
	var p csvfile.Problems
	p.Add(0, "", "the file is not %s in English%s", what, missing)
	return nil, p.Err()
}

// lacks returns the name of the first column that the row does not have, and how many of the columns it has.
func (s *sheet) lacks(columns []column) (name string, index int) {
	for _, c := range columns {
		if s.has(c) {
			index++
		} else if name == "" {
			name = c[0]
		}
	}
	return name, index
}

func (s *sheet) has(c column) bool { return s.key(c) != "" }

// key returns the key of the column in this file, or "".
func (s *sheet) key(c column) string {
	for _, key := range c {
		if _, ok := s.at[key]; ok {
			return key
		}
	}
	return ""
}

func (s *sheet) read() (err error) {
	s.cells, s.line, err = s.Next()
	return err
}

// next reads the next row. It returns false after the last one.
func (s *sheet) next() (bool, error) {
	if err := s.read(); err != nil {
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return false, err
	}
	if s.rows++; s.rows > MaxLines {
		var p csvfile.Problems
		p.Add(s.line, "", "the file has more than %d rows: export a shorter period", MaxLines)
		return false, p.Err()
	}
	return true, nil
}

// get returns the cell of a column, or "" for none. eBay writes -- for a cell without a value.
func (s *sheet) get(c column) string {
	i, ok := s.at[s.key(c)]
	if !ok || i >= len(s.cells) {
		return ""
	}
	text := blank.Trim(csvfile.Unguard(blank.Trim(s.cells[i])))
	if text == "--" {
		return ""
	}
	return text
}

// problem adds a problem of the current row.
func (s *sheet) problem(c column, message string, args ...any) {
	s.problems.Add(s.line, s.names[s.key(c)], message, args...)
}

// amount returns the amount of a column without its sign, nil if the cell is empty, or false if it is not an amount.
func (s *sheet) amount(c column, code, fallback string) (*money.Money, bool) {
	text := s.get(c)
	if text == "" {
		return nil, true
	}
	text = strings.Replace(text, "-", "", 1)
	m, err := s.Amount(text, code, fallback)
	if err != nil {
		s.problem(c, "%v", err)
		return nil, false
	}
	return &m, true
}

// dateLayouts are the forms of dates in the reports: eBay's of several years and sites, TCGplayer's, and ISO 8601.
var dateLayouts = []string{
	"Jan-2-06", "2-Jan-06", "Jan 2, 2006", "2 Jan 2006", "Jan-2-2006", "Monday, 2 January 2006", time.DateOnly,
}

// date returns the beginning of the day of a column in a time zone, or false if the cell is not a date.
func (s *sheet) date(c column, zone *time.Location) (at time.Time, ok bool) {
	text := s.get(c)
	for _, layout := range dateLayouts {
		if date, err := time.Parse(layout, text); err == nil {
			return calendar.Start(date, zone), true
		}
	}
	return time.Time{}, false
}
