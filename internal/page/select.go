package page

import (
	"context"

	"github.com/cardvault/cardvault/internal/postgres"
)

// Select reads the page after a position into rows, a slice of what has the list's Columns and Mark.
func Select(ctx context.Context, db *postgres.DB, rows any, l List, after *Position, size int) error {
	text, args := l.Statement(after, size)
	if !l.bounded() {
		return db.Select(ctx, rows, text, args...)
	}
	return db.Snapshot(ctx, func(s *postgres.Snapshot) error { return s.Select(ctx, rows, text, args...) })
}

// bounded reports whether the list's rows are judged one by one in the order of their index. Those of one Lead have
// none in the order of change; they are taken for few, and sorted.
func (l List) bounded() bool { return len(l.Filter) > 0 && (l.Lead == nil || l.Since == nil) }
