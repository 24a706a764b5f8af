package paging

// Scanned is the state of a row that a List's statement returns.
type Scanned struct {
	Included bool `db:"included"`     // the row matches the list's Filter
	Last     bool `db:"last_scanned"` // the row is the last one that the page may examine
}

// Read collects the rows that a List's statement returns.
type Read[T any] struct {
	Rows []T // rows of the page, and one more if there is another page
	last *T  // last row that the page may examine, if it was reached
}

// Add adds the next row.
func (r *Read[T]) Add(row T, s Scanned) {
	if s.Included {
		r.Rows = append(r.Rows, row)
	}
	if s.Last {
		last := row // &row would allocate memory for every row
		r.last = &last
	}
}

// Full reports whether the rows are a complete page of size rows, so that examining more rows would not change it.
func (r *Read[T]) Full(size int) bool { return len(r.Rows) > size || r.last == nil }

// Split returns a page of at most size rows and the row after which the next page starts, or nil if there is none.
// There is a next page if there are more than size rows, or if the scan stopped at its limit. In the second case, the
// next page starts after the last examined row, which may not be in this page.
func (r *Read[T]) Split(size int) (rows []T, last *T) {
	if len(r.Rows) > size {
		return r.Rows[:size], &r.Rows[size-1]
	}
	return r.Rows, r.last
}

// Cut returns the page of Split with the cursor of the next one.
func Cut[T any](c Cursors, scope string, read Read[T], size int, position func(T) Position) Page[T] {
	rows, last := read.Split(size)
	p := Page[T]{Data: rows}
	if last != nil {
		next := c.Seal(scope, position(*last))
		p.NextCursor = &next
	}
	return p
}
