package paging_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// things is a list of a test table.
var things = paging.List{
	Columns: "id, created_at", Table: "things", Sort: paging.ByTime("created_at"), ID: "id", Account: "acc_1",
}

func TestList_StatementIsIndependentOfSize(t *testing.T) {
	t.Parallel()
	text := func(size int) string {
		text, _ := things.Statement(nil, size)
		return text
	}
	for size := 1; size <= paging.MaxLimit; size++ {
		if text(size) != text(1) {
			t.Fatalf("size %d has another statement:\n%s", size, text(size))
		}
	}
}

// The test checks the generic plan of the prepared statement, which does not depend on values.
func TestList_StatementReadsIndexInOrder(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	db.SQL().SetMaxOpenConns(1) // one session for all statements
	for _, statement := range []string{
		`CREATE TABLE things (account_id text, id text, created_at timestamptz, updated_at timestamptz, n int)`,
		`INSERT INTO things SELECT 'acc_' || i % 3, 'id_' || i, now(), now() + i * interval '1 second', i
		 FROM generate_series(1, 20000) AS i`,
		`CREATE INDEX ON things (account_id, created_at, id)`,
		`CREATE INDEX ON things (account_id, updated_at, id)`,
		`ANALYZE things`,
		`SET plan_cache_mode = force_generic_plan`,
	} {
		if _, err := db.Exec(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	since := time.Now()
	for _, c := range []struct {
		name   string
		since  *time.Time
		values string
	}{
		{"newest first", nil, "'acc_1', now(), 'id_1', 8"},
		{"by change", &since, "'acc_1', now(), now(), 'id_1', 8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := things
			if l.Since = c.since; c.since != nil {
				l.Sort = paging.ByTime("updated_at")
			}
			text, _ := l.Statement(&paging.Position{}, 7)
			if _, err := db.SQL().ExecContext(ctx, "DEALLOCATE ALL; PREPARE page AS "+text); err != nil {
				t.Fatal(err)
			}
			var plan []string
			explain := "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) EXECUTE page(" + c.values + ")"
			if err := db.Unprepared().Select(ctx, &plan, explain); err != nil {
				t.Fatal(err)
			}
			got := strings.Join(plan, "\n")
			if !strings.Contains(got, "$1") || strings.Contains(got, "Sort") || !strings.Contains(got, "Index") ||
				!strings.Contains(got, "actual rows=8 ") {
				t.Errorf("the plan is not an index scan that stops after 8 rows:\n%s", got)
			}
		})
	}
}
