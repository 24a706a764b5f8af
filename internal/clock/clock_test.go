package clock_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

func take(ctx context.Context, db *postgres.DB, c clock.Clock, account string) (stamp clock.Stamp, err error) {
	err = db.InTx(ctx, func(tx *postgres.Tx) error {
		stamp, err = c.Take(ctx, tx, account)
		return err
	})
	return stamp, err
}

func TestStampsRiseAcrossMachinesWhoseClocksDiffer(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	ctx := t.Context()
	if err := db.InTx(ctx, func(tx *postgres.Tx) error { return clock.System.Create(ctx, tx, "acc_a") }); err != nil {
		t.Fatal(err)
	}
	behind := clock.Clock{Now: func() time.Time { return time.Now().Add(-5 * time.Second) }}

	var mu sync.Mutex
	var stamps []clock.Stamp
	var writers sync.WaitGroup
	for i := range 8 {
		machine := []clock.Clock{clock.System, behind}[i%2]
		writers.Go(func() {
			for range 20 {
				stamp, err := take(ctx, db, machine, "acc_a")
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				stamps = append(stamps, stamp)
				mu.Unlock()
			}
		})
	}
	writers.Wait()

	byChange := make(map[int64]time.Time)
	for _, s := range stamps {
		byChange[s.Change] = s.At
	}
	for change := int64(2); change <= 160; change++ {
		if !byChange[change].After(byChange[change-1]) {
			t.Fatalf("change %d at %v is not after change %d at %v", change, byChange[change], change-1, byChange[change-1])
		}
	}
}

func TestTakeOfAnUnknownAccount(t *testing.T) {
	t.Parallel()
	if _, err := take(t.Context(), pgtest.New(t), clock.System, "acc_none"); !fault.Is(err, fault.AccountNotFound) {
		t.Fatalf("got %v", err)
	}
}
