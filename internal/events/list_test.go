package events_test

import (
	"testing"

	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/page"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// A page examines a limited number of events, so with a rare kind it may be empty, and the next one continues.
func TestReader_ListLimitsScan(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	_, err := db.Exec(ctx, `
		INSERT INTO events (account_id, created_at, id, event, body)
		SELECT 'acc_a', timestamptz '2026-05-11' + n * interval '1 second', 'evt_' || lpad(n::text, 26, '0'),
			CASE WHEN n = 1 THEN 'batch.completed' ELSE 'card.priced' END, '{}'
		FROM generate_series(1, $1::int) AS n`, 2*page.MaxScan+1)
	if err != nil {
		t.Fatal(err)
	}
	cursors, err := page.NewCursors(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	reader, request := events.NewReader(db, cursors), page.Request{}
	for _, want := range []int{0, 0, 1} {
		found, err := reader.List(ctx, "acc_a", events.Filter{Kinds: []events.Kind{"batch.completed"}}, request)
		if err != nil {
			t.Fatal(err)
		}
		if more := want == 0; len(found.Data) != want || (found.NextCursor != nil) != more {
			t.Fatalf("page has %d events, another follows: %v, want %d, %v",
				len(found.Data), found.NextCursor != nil, want, more)
		}
		if found.NextCursor != nil {
			request.Cursor = *found.NextCursor
		}
	}
}
