package paging

import (
	"context"

	"github.com/cardvault/cardvault/internal/postgres"
)

// Select reads the page after a position into rows, a slice of structs with the list's Columns and Scanned.
func Select(ctx context.Context, db *postgres.DB, rows any, l List, after *Position, size int) error {
	text, args := l.Statement(after, size)
	if !l.bounded() {
		return db.Select(ctx, rows, text, args...)
	}
	return db.Snapshot(ctx, func(s *postgres.Snapshot) error { return s.Select(ctx, rows, text, args...) })
}

// bounded reports whether the statement examines a limited number of rows in the order of an index. With a leading
// column, there is no index in the order of change; such rows are few and sorted.
func (l List) bounded() bool { return len(l.Filter) > 0 && (l.Leading == nil || l.Since == nil) }
