package clock_test

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// Another process holds the clocks of half as many accounts as the pool has connections. Each of these
// accounts has two writers here. They must leave connections to reads and to writes of other accounts.
func TestClock_WaitersLeaveHalfOfPool(t *testing.T) {
	t.Parallel()
	const conns, held = 8, 4
	url := pgtest.URL(t)
	db, err := postgres.Open(postgres.Config{URL: url, MaxConns: conns})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	other, err := postgres.Open(postgres.Config{URL: url, MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { other.Close() })
	accounts := make([]string, held+1)
	for i := range accounts {
		accounts[i] = fmt.Sprintf("acc_%d", i)
		create(t, db, accounts[i])
	}
	release := holdClocks(t, other.SQL(), accounts[:held])

	var writers sync.WaitGroup
	for _, account := range append(accounts[:held:held], accounts[:held]...) {
		writers.Go(func() {
			if err := write(t.Context(), db, account); err != nil {
				t.Errorf("write of %s: %v", account, err)
			}
		})
	}
	awaitLockWaiters(t, other, conns/2)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for range 20 {
		if err := db.Get(ctx, new(int), `SELECT 1`); err != nil {
			t.Fatalf("read while writers wait: %v", err)
		}
		if err := write(ctx, db, accounts[held]); err != nil {
			t.Fatalf("write of an account whose clock is not locked: %v", err)
		}
	}
	release()
	writers.Wait()
}

func create(t *testing.T, db *postgres.DB, account string) {
	t.Helper()
	err := db.InTx(t.Context(), func(tx *postgres.Tx) error { return clock.System.Create(t.Context(), tx, account) })
	if err != nil {
		t.Fatal(err)
	}
}

func write(ctx context.Context, db *postgres.DB, account string) error {
	return clock.System.Write(ctx, db, account, func(*postgres.Tx, clock.Stamp) error { return nil })
}

// holdClocks locks the accounts' clocks until release is called.
func holdClocks(t *testing.T, db *sql.DB, accounts []string) (release func()) {
	t.Helper()
	tx, err := db.BeginTx(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, account := range accounts {
		if _, err := tx.Exec(`SELECT FROM account_clock WHERE account_id = $1 FOR UPDATE`, account); err != nil {
			t.Fatal(err)
		}
	}
	return sync.OnceFunc(func() { tx.Rollback() })
}

// awaitLockWaiters returns when want sessions of the database wait for a lock.
func awaitLockWaiters(t *testing.T, db *postgres.DB, want int) {
	t.Helper()
	for waiting := 0; waiting < want; {
		err := db.Get(t.Context(), &waiting, `
			SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
		if err != nil {
			t.Fatal(err)
		}
	}
}
