package page

// Mark says of a row what it is to its page.
type Mark struct {
	Belongs bool `db:"belongs"` // whether it meets the list's Filter
	Ends    bool `db:"ends"`    // whether it is the last that the page may look at
}

// Read collects the rows that a List's statement returns.
type Read[T any] struct {
	Rows []T // that belong to the page, and one more if there is another page
	last *T  // where the page's reach ended
}

// Add takes the next row.
func (r *Read[T]) Add(row T, m Mark) {
	if m.Belongs {
		r.Rows = append(r.Rows, row)
	}
	if m.Ends {
		r.last = &row
	}
}

// Full reports whether the read answers a page of size rows: nothing that lies beyond its reach could add to it.
func (r *Read[T]) Full(size int) bool { return len(r.Rows) > size || r.last == nil }

// Cut makes a page of at most size rows. A row beyond size shows that there is more, and so does the end of the page's
// reach: the next page then starts behind the last row that was looked at, which need not belong to this one.
func Cut[T any](c Cursors, scope string, read Read[T], size int, position func(T) Position) Page[T] {
	p, last := Page[T]{Data: read.Rows}, read.last
	if len(p.Data) > size {
		p.Data, last = p.Data[:size], &p.Data[size-1]
	}
	if last != nil {
		next := c.Seal(scope, position(*last))
		p.NextCursor = &next
	}
	return p
}
