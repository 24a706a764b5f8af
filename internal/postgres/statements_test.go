package postgres_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// statementSlots is the size of the cache (maxStatements).
const statementSlots = 256

// preparedLike returns how many prepared statements on the only connection match text.
func preparedLike(t *testing.T, db *postgres.DB, text string) (n int) {
	t.Helper()
	err := db.Unprepared().Get(t.Context(), &n,
		`SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE $1`, text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// With more statements than slots, recently used ones stay prepared and others are closed on the server.
func TestDB_KeepsRecentStatementsPrepared(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	db.SQL().SetMaxOpenConns(1)
	use := func(text string, n int) {
		for range 2 { // the first time it is noted, the second time it is prepared
			var got int
			if err := db.Get(t.Context(), &got, text, n); err != nil || got != n {
				t.Fatalf("%s: %d, %v", text, got, err)
			}
		}
	}
	for i := range 2 * statementSlots {
		use(fmt.Sprintf("SELECT $1::int AS n%d", i), i)
		use("SELECT $1::int AS hot", 1)
	}
	for left := statementSlots + 1; left > statementSlots; { // they are closed in the background
		left = preparedLike(t, db, "%")
	}
	for text, want := range map[string]int{"%AS hot": 1, "%AS n511": 1, "%AS n0": 0} {
		if got := preparedLike(t, db, text); got != want {
			t.Errorf("%d statements %q are prepared, want %d", got, text, want)
		}
	}
}

// Callers compete for the slots of the cache.
func TestDB_DoesNotCloseStatementsInUse(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	use := func(ctx context.Context, q postgres.Querier) error {
		n := rand.IntN(statementSlots + 50)
		var got int
		err := q.Get(ctx, &got, fmt.Sprintf("SELECT $1::int AS n%d", n), n)
		if err == nil && got != n {
			err = fmt.Errorf("got %d, want %d", got, n)
		}
		return err
	}
	var running sync.WaitGroup
	for range 8 {
		running.Go(func() {
			for range 300 {
				if err := use(t.Context(), db); err != nil {
					t.Error(err)
					return
				}
				err := db.InTx(t.Context(), func(tx *postgres.Tx) error {
					if err := use(t.Context(), tx); err != nil {
						return err
					}
					return use(t.Context(), tx)
				})
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	running.Wait()
}

// An unprepared statement leaves no prepared statement on its connection.
func TestDB_UnpreparedKeepsNoPlan(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	ctx := t.Context()
	db.SQL().SetMaxOpenConns(1)
	const query = `SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%this very one%'`
	for _, c := range []struct {
		name string
		by   postgres.Querier
		want int
	}{{"unprepared", db.Unprepared(), 0}, {"prepared", db, 1}} {
		var kept int
		for range 2 {
			if err := c.by.Get(ctx, &kept, query); err != nil {
				t.Fatal(err)
			}
		}
		if kept != c.want {
			t.Errorf("%s: %d prepared statements, want %d", c.name, kept, c.want)
		}
	}
}
