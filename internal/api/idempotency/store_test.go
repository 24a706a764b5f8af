package idempotency

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// setup returns a store and pass, which simulates the passing of time: it makes all keys older.
func setup(t *testing.T) (s *Store, db *postgres.DB, pass func(time.Duration)) {
	t.Helper()
	db = pgtest.New(t)
	return New(db), db, func(d time.Duration) {
		t.Helper()
		_, err := db.Exec(context.Background(),
			`UPDATE idempotency_keys SET due_at = due_at - $1 * interval '1 second'`, d.Seconds())
		if err != nil {
			t.Fatal(err)
		}
	}
}

func req(account, key string, hash byte) Request {
	return Request{AccountID: account, TokenID: "tok_1", Key: key, Hash: [32]byte{hash}}
}

func begin(t *testing.T, s *Store, r Request) string {
	t.Helper()
	claim, earlier, err := s.Begin(context.Background(), r)
	if err != nil || earlier != nil || claim == "" {
		t.Fatalf("Begin: claim %q, earlier %v, %v", claim, earlier, err)
	}
	return claim
}

func TestStore_KeepsResponseForDay(t *testing.T) {
	t.Parallel()
	s, _, pass := setup(t)
	ctx, r := context.Background(), req("acc_1", "k", 1)
	want := Response{Status: 201, ContentType: "application/json", Body: []byte(`{"a":"\u0000ä"}`)}
	if err := s.Finish(ctx, r, begin(t, s, r), want); err != nil {
		t.Fatal(err)
	}
	pass(Keep - time.Second)
	_, got, err := s.Begin(ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&want, got); diff != "" {
		t.Fatalf("stored response (-want +got):\n%s", diff)
	}
	if _, _, err := s.Begin(ctx, req("acc_1", "k", 2)); !fault.Is(err, fault.IdempotencyKeyReused) {
		t.Errorf("another request: %v, want idempotency_key_reused", err)
	}
	begin(t, s, req("acc_2", "k", 2)) // the same key of another account is independent
	pass(time.Second)
	begin(t, s, req("acc_1", "k", 2)) // expired after a day
}

func TestStore_RepeatsCrashedRequestAfterLease(t *testing.T) {
	t.Parallel()
	s, _, pass := setup(t)
	ctx, r := context.Background(), req("acc_1", "k", 1)
	crashed := begin(t, s, r)
	pass(Lease - time.Second)
	if _, _, err := s.Begin(ctx, r); !fault.Is(err, fault.IdempotencyConflict) {
		t.Fatalf("within the lease: %v, want idempotency_conflict", err)
	}
	pass(time.Second)
	if _, _, err := s.Begin(ctx, req("acc_1", "k", 2)); !fault.Is(err, fault.IdempotencyKeyReused) {
		t.Errorf("another request: %v, want idempotency_key_reused", err)
	}
	second := begin(t, s, r)
	// The process of the first claim was only slow. Its claim is lost.
	if err := s.Finish(ctx, r, crashed, Response{Status: 500}); err != nil {
		t.Fatal(err)
	}
	if err := s.Release(ctx, r, crashed); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Begin(ctx, r); !fault.Is(err, fault.IdempotencyConflict) {
		t.Errorf("while the second request runs: %v, want idempotency_conflict", err)
	}
	if err := s.Finish(ctx, r, second, Response{Status: 201}); err != nil {
		t.Fatal(err)
	}
	if _, got, err := s.Begin(ctx, r); err != nil || got == nil || got.Status != 201 {
		t.Errorf("response = %+v, %v, want that of the second request", got, err)
	}
}

// write makes a write of the account with the claim's hook. The write returns outcome.
func write(t *testing.T, s *Store, db *postgres.DB, r Request, claim string, outcome error) {
	t.Helper()
	err := clock.System.WriteWithHook(context.Background(), db, r.AccountID, s.MarkCarriedOut(r, claim),
		func(*postgres.Tx, clock.Stamp) error { return outcome })
	if !errors.Is(err, outcome) {
		t.Fatal(err)
	}
}

// The process dies after the request's commit and before its response is stored.
func TestStore_DoesNotRepeatCarriedOutRequest(t *testing.T) {
	t.Parallel()
	s, db, pass := setup(t)
	ctx, done, failed := context.Background(), req("acc_1", "done", 1), req("acc_1", "failed", 1)
	if err := db.InTx(ctx, func(tx *postgres.Tx) error { return clock.System.Create(ctx, tx, "acc_1") }); err != nil {
		t.Fatal(err)
	}
	claim := begin(t, s, done)
	write(t, s, db, done, claim, nil)
	write(t, s, db, failed, begin(t, s, failed), errors.New("refused"))
	pass(Lease)
	begin(t, s, failed) // the write failed, so the request may run again
	_, _, err := s.Begin(ctx, done)
	if !fault.Is(err, fault.IdempotencyConflict) || !strings.Contains(err.Error(), "was carried out") {
		t.Errorf("carried out: %v, want idempotency_conflict", err)
	}
	if err := s.Release(ctx, done, claim); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Begin(ctx, done); !fault.Is(err, fault.IdempotencyConflict) {
		t.Errorf("carried out and released: %v, want idempotency_conflict", err)
	}
	if err := s.Finish(ctx, done, claim, Response{Status: 201}); err != nil { // the process did not die
		t.Fatal(err)
	}
	if _, got, err := s.Begin(ctx, done); err != nil || got == nil || got.Status != 201 {
		t.Errorf("finished: %+v, %v, want the response", got, err)
	}
	pass(Keep)
	begin(t, s, done)
}

func TestStore_ReleaseFreesKey(t *testing.T) {
	t.Parallel()
	s, _, _ := setup(t)
	if err := s.Release(context.Background(), req("acc_1", "k", 1), begin(t, s, req("acc_1", "k", 1))); err != nil {
		t.Fatal(err)
	}
	begin(t, s, req("acc_1", "k", 2))
}

func TestStore_OneConcurrentClaimSucceeds(t *testing.T) {
	t.Parallel()
	s, _, _ := setup(t)
	var claims, conflicts atomic.Int32
	var running sync.WaitGroup
	for range 20 {
		running.Go(func() {
			switch claim, _, err := s.Begin(context.Background(), req("acc_1", "k", 1)); {
			case claim != "":
				claims.Add(1)
			case fault.Is(err, fault.IdempotencyConflict):
				conflicts.Add(1)
			default:
				t.Errorf("Begin = %v", err)
			}
		})
	}
	running.Wait()
	if claims.Load() != 1 || conflicts.Load() != 19 {
		t.Errorf("%d claims, %d conflicts, want 1 and 19", claims.Load(), conflicts.Load())
	}
}

func TestSweeper_DeletesExpiredKeys(t *testing.T) {
	t.Parallel()
	s, db, pass := setup(t)
	ctx := context.Background()
	for account := range 3 {
		for key := range 5 {
			r := req(fmt.Sprintf("acc_%d", account), fmt.Sprint(key), 1)
			if err := s.Finish(ctx, r, begin(t, s, r), Response{Status: 201}); err != nil {
				t.Fatal(err)
			}
		}
	}
	_, err := db.Exec(ctx, `
INSERT INTO idempotency_keys (account_id, token_id, key, request_hash, due_at)
SELECT 'acc_many', 'tok_1', n::text, '\x00', now() FROM generate_series(1, $1) AS n`, 2*sweepBatch+1)
	if err != nil {
		t.Fatal(err)
	}
	pass(Keep)
	begin(t, s, req("acc_1", "fresh", 1))
	work, calls := s.Sweeper().Work, 0
	for more := true; more; calls++ {
		if more, err = work(ctx); err != nil {
			t.Fatal(err)
		}
	}
	var left int
	if err := db.Get(ctx, &left, `SELECT count(*) FROM idempotency_keys`); err != nil {
		t.Fatal(err)
	}
	if left != 1 || calls != 3 { // two full batches and the rest
		t.Errorf("%d keys are left after %d calls, want 1 and 3", left, calls)
	}
}

// Without expired keys, a sweep reads the same few pages for any number of accounts.
func TestSweeper_CostIsIndependentOfAccounts(t *testing.T) {
	t.Parallel()
	_, db, _ := setup(t)
	_, err := db.Exec(t.Context(), `
INSERT INTO idempotency_keys (account_id, token_id, key, request_hash, due_at)
SELECT 'acc_' || n, 'tok_1', 'k', '\x00', now() + interval '1 hour' FROM generate_series(1, 50000) AS n`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(t.Context(), `ANALYZE idempotency_keys`); err != nil {
		t.Fatal(err)
	}
	if pages := pgtest.PagesRead(t, db, expired, sweepBatch); pages > 10 {
		t.Errorf("a sweep reads %d pages of 50,000 accounts with nothing expired, want at most 10", pages)
	}
}

// A request can lose its claim when its machine pauses. Its write must fail, because another request makes it.
func TestStore_LostClaimFailsWrite(t *testing.T) {
	t.Parallel()
	s, db, pass := setup(t)
	ctx, r := context.Background(), req("acc_1", "k", 1)
	if err := db.InTx(ctx, func(tx *postgres.Tx) error { return clock.System.Create(ctx, tx, "acc_1") }); err != nil {
		t.Fatal(err)
	}
	slow := begin(t, s, r)
	pass(Lease)
	second := begin(t, s, r)
	err := clock.System.WriteWithHook(ctx, db, r.AccountID, s.MarkCarriedOut(r, slow),
		func(*postgres.Tx, clock.Stamp) error { return nil })
	if !fault.Is(err, fault.IdempotencyConflict) {
		t.Errorf("write with a lost claim: %v, want idempotency_conflict", err)
	}
	write(t, s, db, r, second, nil)
}
