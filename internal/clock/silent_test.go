package clock_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// A process loses its connections while its writers wait for a clock. The sessions must stop waiting, or
// one of them gets the lock and holds it until the server ends its transaction.
func TestClock_WaitersOnSilentConnectionsTimeOut(t *testing.T) {
	t.Parallel()
	proxy := pgtest.Proxy(t)
	lost, err := postgres.Open(postgres.Config{URL: proxy.URL(), MaxConns: 8})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lost.Close() })
	other, err := postgres.Open(postgres.Config{URL: proxy.Direct(), MaxConns: 4})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { other.Close() })
	create(t, other, "acc_a")
	release := holdClocks(t, other.SQL(), []string{"acc_a"})
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	var writers sync.WaitGroup
	for range 2 {
		writers.Go(func() { _ = write(ctx, lost, "acc_a") })
	}
	awaitLockWaiters(t, other, 2)
	proxy.Freeze()
	writers.Wait()
	for waiting := 1; waiting > 0; {
		err := other.Get(t.Context(), &waiting, `
			SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
		if err != nil {
			t.Fatal(err)
		}
	}
	release()
	if err := write(t.Context(), other, "acc_a"); err != nil {
		t.Errorf("write after the silent sessions timed out: %v", err)
	}
}
