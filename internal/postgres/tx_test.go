package postgres_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

func TestDB_InTxIsAtomic(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	ctx := t.Context()
	mustExec(t, db, "CREATE TABLE things (name text PRIMARY KEY)")
	boom := errors.New("boom")
	calls := 0
	insert := func(name string, err error) error {
		return db.InTx(ctx, func(tx *postgres.Tx) error {
			tx.AfterCommit(func() { calls++ })
			if _, err := tx.Exec(ctx, "INSERT INTO things VALUES ($1)", name); err != nil {
				return err
			}
			return err
		})
	}
	for range 3 { // the later iterations run the prepared statement
		if err := insert("lost", boom); !errors.Is(err, boom) {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a", "b", "c"} {
		if err := insert(name, nil); err != nil {
			t.Fatal(err)
		}
	}
	var names []string
	if err := db.Select(ctx, &names, "SELECT name FROM things ORDER BY name"); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(names, []string{"a", "b", "c"}) || calls != 3 {
		t.Fatalf("names %v, %d calls after a commit, want [a b c] and 3", names, calls)
	}
}

func TestDB_InTxRetriesDeadlock(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	ctx := t.Context()
	mustExec(t, db, "CREATE TABLE things (name text PRIMARY KEY, n int)")
	mustExec(t, db, "INSERT INTO things VALUES ('a', 0), ('b', 0)")

	var barrier sync.WaitGroup // both transactions lock their first row before either locks its second
	barrier.Add(2)
	lock := func(first, second string) error {
		attempt := 0
		return db.InTx(ctx, func(tx *postgres.Tx) error {
			attempt++
			if _, err := tx.Exec(ctx, "UPDATE things SET n = n + 1 WHERE name = $1", first); err != nil {
				return err
			}
			if attempt == 1 {
				barrier.Done()
				barrier.Wait()
			}
			_, err := tx.Exec(ctx, "UPDATE things SET n = n + 1 WHERE name = $1", second)
			return err
		})
	}
	failed := make(chan error, 2)
	go func() { failed <- lock("a", "b") }()
	go func() { failed <- lock("b", "a") }()
	for range 2 {
		if err := <-failed; err != nil {
			t.Errorf("lock: %v", err)
		}
	}
	var n int
	if err := db.Get(ctx, &n, "SELECT sum(n) FROM things"); err != nil || n != 4 {
		t.Fatalf("sum = %d, %v, want 4", n, err)
	}
}

// The context ends during a COPY. No row is stored, and no other goroutine reads the connection (the race detector
// would report it).
func TestTx_CancelledCopyLeavesNothing(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	mustExec(t, db, "CREATE TABLE things (name text)")
	for at := range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		err := db.InTx(ctx, func(tx *postgres.Tx) error {
			return tx.CopyIn(ctx, "things", []string{"name"}, func(yield func([]any) bool) {
				for n := range 2000 {
					if n == at*100 {
						cancel()
					}
					if !yield([]any{strings.Repeat("x", 100)}) {
						return
					}
				}
			})
		})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled after %d rows: %v, want context.Canceled", at*100, err)
		}
	}
	var n int
	if err := db.Get(t.Context(), &n, "SELECT count(*) FROM things"); err != nil || n != 0 {
		t.Fatalf("%d rows, %v, want none", n, err)
	}
}
