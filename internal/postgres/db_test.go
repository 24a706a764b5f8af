package postgres_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

func TestDB_MapsErrors(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	ctx := t.Context()
	mustExec(t, db, "CREATE TABLE things (name text PRIMARY KEY)")
	mustExec(t, db, "INSERT INTO things VALUES ('a')")

	if _, err := db.Exec(ctx, "INSERT INTO things VALUES ('a')"); !errors.Is(err, postgres.ErrDuplicate) {
		t.Errorf("duplicate: %v, want ErrDuplicate", err)
	}
	if _, err := db.Exec(ctx, "INSERT INTO things VALUES ($1)", "a\x00b"); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("NUL: %v, want invalid_request", err)
	}
	var name string
	if err := db.Get(ctx, &name, "SELECT name FROM things WHERE name = 'b'"); !errors.Is(err, sql.ErrNoRows) {
		t.Errorf("no row: %v, want sql.ErrNoRows", err)
	}
	short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	if _, err := db.Exec(short, "SELECT pg_sleep(10)"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("deadline: %v, want context.DeadlineExceeded", err)
	}
}

func mustExec(t *testing.T, db *postgres.DB, statements ...string) {
	t.Helper()
	for _, statement := range statements {
		if _, err := db.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%v: %s", err, statement)
		}
	}
}
