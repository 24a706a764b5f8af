package postgres_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// TestDeferredStatementsRunTogether has two tables, and twice the same statements so that they run
// unprepared and prepared.
func TestDeferredStatementsRunTogether(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	mustExec(t, db, "CREATE TABLE things (name text PRIMARY KEY, size int NOT NULL)")
	mustExec(t, db, "CREATE TABLE parts (name text PRIMARY KEY, of text)")
	for _, name := range []string{"a", "b"} {
		err := db.InTx(t.Context(), func(tx *postgres.Tx) error {
			tx.Defer("INSERT INTO things (name, size) VALUES ($1, $2)", name, 7)
			tx.Defer("INSERT INTO parts (of, name) SELECT $1, unnest(ARRAY[$2, $3])", name, name+"1", name+"2")
			tx.Defer("DELETE FROM parts WHERE name = $1", "z")
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := selected(t, db, "SELECT name || size FROM things ORDER BY name"); !slices.Equal(got, []string{"a7", "b7"}) {
		t.Errorf("things: %v", got)
	}
	if got := selected(t, db, "SELECT of || name FROM parts ORDER BY name"); !slices.Equal(got, []string{"aa1", "aa2", "bb1", "bb2"}) {
		t.Errorf("parts: %v", got)
	}
}

func TestStatementsSeeWhatWasDeferredBefore(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	mustExec(t, db, "CREATE TABLE things (name text PRIMARY KEY)")
	err := db.InTx(t.Context(), func(tx *postgres.Tx) error {
		tx.Defer("INSERT INTO things VALUES ($1)", "a")
		var n int
		if err := tx.Get(t.Context(), &n, "SELECT count(*) FROM things"); err != nil || n != 1 {
			t.Errorf("%d things, %v", n, err)
		}
		tx.Defer("INSERT INTO things VALUES ($1)", "b")
		return tx.CopyIn(t.Context(), "things", []string{"name"}, func(yield func([]any) bool) { yield([]any{"c"}) })
	})
	if got := selected(t, db, "SELECT name FROM things ORDER BY name"); err != nil || !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestAFailedDeferredStatementLeavesNothing(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	mustExec(t, db, "CREATE TABLE things (name text PRIMARY KEY)")
	committed := false
	err := db.InTx(t.Context(), func(tx *postgres.Tx) error {
		tx.AfterCommit(func() { committed = true })
		if _, err := tx.Exec(t.Context(), "INSERT INTO things VALUES ('a')"); err != nil {
			return err
		}
		tx.Defer("INSERT INTO things VALUES ($1)", "a")
		return nil
	})
	if !errors.Is(err, postgres.ErrDuplicate) || committed {
		t.Errorf("got %v, committed: %v", err, committed)
	}
	boom := errors.New("boom")
	err = db.InTx(t.Context(), func(tx *postgres.Tx) error {
		tx.Defer("INSERT INTO things VALUES ($1)", "b")
		return boom
	})
	if got := selected(t, db, "SELECT name FROM things"); !errors.Is(err, boom) || len(got) != 0 {
		t.Errorf("got %v, %v", got, err)
	}
}

func selected(t *testing.T, db *postgres.DB, query string) (found []string) {
	t.Helper()
	if err := db.Select(t.Context(), &found, query); err != nil {
		t.Fatal(err)
	}
	return found
}
