package postgres_test

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pressly/goose/v3"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/migrations"
)

func TestMigrate_IsRepeatable(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	if err := postgres.Migrate(t.Context(), db); err != nil {
		t.Fatalf("second Migrate: %v", err)
	}
	done, err := postgres.Migrated(t.Context(), db)
	if err != nil || !done {
		t.Fatalf("Migrated = %v, %v", done, err)
	}
}

// A migration that waits for a backup does not block requests. It runs when the backup has ended.
func TestMigrate_DoesNotBlockRequestsDuringBackup(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	provider, err := goose.NewProvider(goose.DialectPostgres, db.SQL(), migrations.Files)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.DownTo(ctx, 6); err != nil { // migration 7 changes idempotency_keys
		t.Fatal(err)
	}
	backup, err := db.SQL().BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer backup.Rollback() // does nothing once it has ended
	if _, err := backup.Exec("LOCK TABLE idempotency_keys IN ACCESS SHARE MODE"); err != nil {
		t.Fatal(err)
	}
	migrated := make(chan error, 1)
	go func() { migrated <- postgres.Migrate(ctx, db) }()
	awaitWaiting(t, db, "idempotency_keys")

	soon, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if _, err := db.Exec(soon, "DELETE FROM idempotency_keys"); err != nil {
		t.Fatalf("request behind the migration: %v", err)
	}
	if err := backup.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := <-migrated; err != nil {
		t.Fatal(err)
	}
	if done, err := postgres.Migrated(ctx, db); err != nil || !done {
		t.Errorf("Migrated = %v, %v", done, err)
	}
}

// A migration that builds an index waits for open writers, but does not block new ones.
func TestMigrate_IndexBuildDoesNotBlockWriters(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	provider, err := goose.NewProvider(goose.DialectPostgres, db.SQL(), migrations.Files)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.DownTo(ctx, 4); err != nil { // migration 5 builds an index on listings
		t.Fatal(err)
	}
	writer, err := db.SQL().BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Rollback() // does nothing once it has ended
	if _, err := writer.Exec("DELETE FROM listings"); err != nil {
		t.Fatal(err)
	}
	migrated := make(chan error, 1)
	go func() { migrated <- postgres.Migrate(ctx, db) }()
	awaitIndexBuild(t, db)

	err = db.InTx(ctx, func(tx *postgres.Tx) error {
		if _, err := tx.Exec(ctx, "SET LOCAL lock_timeout = '500ms'"); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "DELETE FROM listings")
		return err
	})
	if err != nil {
		t.Errorf("write during the migration: %v", err)
	}
	if err := writer.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := <-migrated; err != nil {
		t.Fatal(err)
	}
}

// awaitIndexBuild returns when an index build waits for a transaction to end.
func awaitIndexBuild(t *testing.T, db *postgres.DB) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for waiting := false; !waiting; <-tick.C {
		err := db.Get(t.Context(), &waiting, `
			SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
				AND query LIKE '%CREATE INDEX%listings_open%' AND query NOT LIKE '%pg_stat_activity%'
				AND wait_event_type = 'Lock')`)
		if err != nil {
			t.Fatal(err)
		}
	}
}

// The connection returns to the pool, so its lock timeout must be the default again.
func TestMigrate_ResetsLockTimeout(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	db.SQL().SetMaxOpenConns(1)
	mustExec(t, db, "DROP SCHEMA public CASCADE")
	mustExec(t, db, "CREATE SCHEMA public")
	if err := postgres.Migrate(ctx, db); err != nil {
		t.Fatal(err)
	}
	var timeout string
	if err := db.Get(ctx, &timeout, "SHOW lock_timeout"); err != nil || timeout != "0" {
		t.Errorf("lock_timeout = %s, %v, want 0", timeout, err)
	}
	var held int
	err := db.Get(ctx, &held, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()")
	if err != nil || held != 0 {
		t.Errorf("%d advisory locks are held, %v, want none", held, err)
	}
}

// awaitWaiting returns when a session waits for a lock on table.
func awaitWaiting(t *testing.T, db *postgres.DB, table string) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for waiting := false; !waiting; <-tick.C {
		err := db.Get(t.Context(), &waiting, `
			SELECT EXISTS (SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
				WHERE d.datname = current_database() AND l.relation = $1::regclass AND NOT l.granted)`, table)
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestDB_MapsErrors(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	ctx := t.Context()
	mustExec(t, db, "CREATE TABLE things (name text PRIMARY KEY)")
	mustExec(t, db, "INSERT INTO things VALUES ('a')")

	if _, err := db.Exec(ctx, "INSERT INTO things VALUES ('a')"); !errors.Is(err, postgres.ErrDuplicate) {
		t.Errorf("duplicate: %v", err)
	}
	if _, err := db.Exec(ctx, "INSERT INTO things VALUES ($1)", "a\x00b"); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("NUL: %v", err)
	}
	var name string
	if err := db.Get(ctx, &name, "SELECT name FROM things WHERE name = 'b'"); !errors.Is(err, sql.ErrNoRows) {
		t.Errorf("no row: %v", err)
	}
	short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	if _, err := db.Exec(short, "SELECT pg_sleep(10)"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("deadline: %v", err)
	}
}

// An unprepared statement leaves nothing behind on its connection.
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
	for range 3 { // the later rounds run the prepared statement
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
		t.Fatalf("names %v, after-commit calls %d", names, calls)
	}
}

func TestDB_InTxRetriesDeadlock(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	ctx := t.Context()
	mustExec(t, db, "CREATE TABLE things (name text PRIMARY KEY, n int)")
	mustExec(t, db, "INSERT INTO things VALUES ('a', 0), ('b', 0)")

	var barrier sync.WaitGroup // both hold their first row before either asks for its second
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

// The context ends during a COPY. No row stays, and no other goroutine reads the connection (the race detector
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
			t.Fatalf("after %d rows: %v", at*100, err)
		}
	}
	var n int
	if err := db.Get(t.Context(), &n, "SELECT count(*) FROM things"); err != nil || n != 0 {
		t.Fatalf("%d rows, %v, want none", n, err)
	}
}

func TestDB_UnreachableIsUnavailable(t *testing.T) {
	t.Parallel()
	db, err := postgres.Open(postgres.Config{URL: "postgres://nobody@127.0.0.1:1/none?sslmode=disable"})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.Ping(t.Context())
	if e, ok := fault.As(err); !ok || e.Code != fault.Unavailable || e.RetryAfter <= 0 {
		t.Fatalf("Ping = %v, want unavailable with Retry-After", err)
	}
}

// A missing database or a rejected login is the operator's to repair. Clients should try again.
func TestDB_RejectedLoginIsUnavailable(t *testing.T) {
	t.Parallel()
	address := pgtest.URL(t)
	for _, option := range []string{"dbname=nosuch", "user=nosuch"} {
		t.Run(option, func(t *testing.T) {
			t.Parallel()
			db, err := postgres.Open(postgres.Config{URL: withOption(t, address, option)})
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if err := db.Ping(t.Context()); !fault.Is(err, fault.Unavailable) {
				t.Errorf("Ping = %v, want unavailable", err)
			}
		})
	}
}

func withOption(t *testing.T, address, option string) string {
	t.Helper()
	if !strings.Contains(address, "://") {
		return address + " " + option
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	name, value, _ := strings.Cut(option, "=")
	q := u.Query()
	q.Set(name, value)
	u.RawQuery = q.Encode()
	return u.String()
}

// The part of an address that cannot be parsed may belong to its password.
func TestOpen_HidesPassword(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"postgres://vault:hunter2@host:port/x", "postgres://vault:hunter2/x@host/x", "host=db password hunter2",
	} {
		if _, err := postgres.Open(postgres.Config{URL: address}); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestDB_ReplacesKilledConnections(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	ctx := t.Context()
	var one int
	if err := db.Get(ctx, &one, "SELECT 1"); err != nil {
		t.Fatal(err)
	}
	killer := pgtest.New(t)
	var name string
	if err := db.Get(ctx, &name, "SELECT current_database()"); err != nil {
		t.Fatal(err)
	}
	_, err := killer.Exec(ctx, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		err := db.Get(ctx, &one, "SELECT 1")
		if err == nil {
			return
		}
		if !fault.Is(err, fault.Unavailable) {
			t.Fatalf("query = %v, want unavailable until the pool recovers", err)
		}
	}
	t.Fatal("the pool did not recover")
}

func mustExec(t *testing.T, db *postgres.DB, statement string) {
	t.Helper()
	if _, err := db.Exec(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}
