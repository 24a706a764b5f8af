package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/pressly/goose/v3"

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
		t.Fatalf("Migrated = %v, %v, want true", done, err)
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
	defer backup.Rollback() // no effect after the end
	if _, err := backup.Exec("LOCK TABLE idempotency_keys IN ACCESS SHARE MODE"); err != nil {
		t.Fatal(err)
	}
	migrated := make(chan error, 1)
	go func() { migrated <- postgres.Migrate(ctx, db) }()
	awaitWaiting(t, db, "idempotency_keys")

	soon, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if _, err := db.Exec(soon, "DELETE FROM idempotency_keys"); err != nil {
		t.Fatalf("request during the migration: %v", err)
	}
	if err := backup.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := <-migrated; err != nil {
		t.Fatal(err)
	}
	if done, err := postgres.Migrated(ctx, db); err != nil || !done {
		t.Errorf("Migrated = %v, %v, want true", done, err)
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
	defer writer.Rollback() // no effect after the end
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
