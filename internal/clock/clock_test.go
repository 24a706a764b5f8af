package clock_test

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

func lock(ctx context.Context, db *postgres.DB, c clock.Clock, account string) (stamp clock.Stamp, err error) {
	err = db.InTx(ctx, func(tx *postgres.Tx) error {
		stamp, err = c.Lock(ctx, tx, account)
		return err
	})
	return stamp, err
}

func TestClock_StampsRiseWithDifferentMachineClocks(t *testing.T) {
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
				stamp, err := lock(ctx, db, machine, "acc_a")
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
			t.Fatalf("change %d is at %v, want a time after that of the previous change, %v",
				change, byChange[change], byChange[change-1])
		}
	}
}

func TestClock_LockOfUnknownAccount(t *testing.T) {
	t.Parallel()
	if _, err := lock(t.Context(), pgtest.New(t), clock.System, "acc_none"); !fault.Is(err, fault.AccountNotFound) {
		t.Fatalf("Lock = %v, want account_not_found", err)
	}
}

// The next write is later than all changes of an extended one, in whatever order ExtendTo was called.
func TestStamp_ExtendToPrecedesNextWrite(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	if err := db.InTx(ctx, func(tx *postgres.Tx) error { return clock.System.Create(ctx, tx, "acc_a") }); err != nil {
		t.Fatal(err)
	}
	var last time.Time
	err := clock.System.Write(ctx, db, "acc_a", func(tx *postgres.Tx, stamp clock.Stamp) error {
		last = stamp.Offset(500_000).At // eight seconds, so the next write starts before it
		stamp.ExtendTo(tx, stamp.Offset(2).At)
		stamp.ExtendTo(tx, last)
		if err := tx.Flush(ctx); err != nil {
			return err
		}
		stamp.ExtendTo(tx, stamp.Offset(3).At)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if next, err := lock(ctx, db, clock.System, "acc_a"); err != nil || !next.At.After(last) {
		t.Errorf("the next write is at %v, %v, want a time after the previous write's last change, %v",
			next.At, err, last)
	}
}

func TestClock_HookCommitsWithWrite(t *testing.T) {
	t.Parallel()
	refused := errors.New("refused")
	for _, tc := range []struct {
		name        string
		write, hook error
		want        int // committed statements
	}{
		{name: "both succeed", want: 2},
		{name: "write fails", write: refused},
		{name: "hook fails", hook: refused},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			db, ctx := pgtest.New(t), t.Context()
			create(t, db, "acc_a")
			if _, err := db.Exec(ctx, `CREATE TABLE written (by text NOT NULL)`); err != nil {
				t.Fatal(err)
			}
			hook := func(ctx context.Context, tx *postgres.Tx) error {
				_, err := tx.Exec(ctx, `INSERT INTO written VALUES ('hook')`)
				return errors.Join(err, tc.hook)
			}
			err := clock.System.WriteWithHook(ctx, db, "acc_a", hook, func(tx *postgres.Tx, _ clock.Stamp) error {
				tx.Defer(`INSERT INTO written VALUES ('write')`)
				return tc.write
			})
			if want := cmp.Or(tc.write, tc.hook); !errors.Is(err, want) {
				t.Errorf("error = %v, want %v", err, want)
			}
			var got int
			if err := db.Get(ctx, &got, `SELECT count(*) FROM written`); err != nil || got != tc.want {
				t.Errorf("%d statements were committed, %v, want %d", got, err, tc.want)
			}
		})
	}
}
