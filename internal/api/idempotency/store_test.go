package idempotency

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// setup returns a store and what makes all that it holds older.
func setup(t *testing.T) (*Store, *postgres.DB, func(time.Duration)) {
	t.Helper()
	db := pgtest.New(t)
	return New(db), db, func(d time.Duration) {
		t.Helper()
		_, err := db.Exec(context.Background(), `UPDATE idempotency_keys SET due_at = due_at - $1 * interval '1 second'`, d.Seconds())
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

func TestAKeyHoldsItsAnswerForADay(t *testing.T) {
	t.Parallel()
	s, _, pass := setup(t)
	ctx, r := context.Background(), req("acc_1", "k", 1)
	want := Answer{Status: 201, ContentType: "application/json", Body: []byte(`{"a":"\u0000ä"}`)}
	if err := s.Finish(ctx, r, begin(t, s, r), want); err != nil {
		t.Fatal(err)
	}
	pass(Keep - time.Second)
	_, got, err := s.Begin(ctx, r)
	if err != nil || got == nil || got.Status != 201 || got.ContentType != want.ContentType || !slices.Equal(got.Body, want.Body) {
		t.Fatalf("%+v, %v", got, err)
	}
	if _, _, err := s.Begin(ctx, req("acc_1", "k", 2)); !fault.Is(err, fault.IdempotencyKeyReused) {
		t.Errorf("another request: %v", err)
	}
	begin(t, s, req("acc_2", "k", 2)) // another account's key is another key
	pass(time.Second)
	begin(t, s, req("acc_1", "k", 2)) // a day later it is free
}

func TestACrashedRequestRunsAgainAfterItsLease(t *testing.T) {
	t.Parallel()
	s, _, pass := setup(t)
	ctx, r := context.Background(), req("acc_1", "k", 1)
	crashed := begin(t, s, r)
	pass(Lease - time.Second)
	if _, _, err := s.Begin(ctx, r); !fault.Is(err, fault.IdempotencyConflict) {
		t.Fatalf("within the lease: %v", err)
	}
	pass(time.Second)
	if _, _, err := s.Begin(ctx, req("acc_1", "k", 2)); !fault.Is(err, fault.IdempotencyKeyReused) {
		t.Errorf("another request: %v", err)
	}
	second := begin(t, s, r)
	// The one thought dead comes back: its claim is lost.
	if err := s.Finish(ctx, r, crashed, Answer{Status: 500}); err != nil {
		t.Fatal(err)
	}
	if err := s.Release(ctx, r, crashed); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Begin(ctx, r); !fault.Is(err, fault.IdempotencyConflict) {
		t.Errorf("the second still runs: %v", err)
	}
	if err := s.Finish(ctx, r, second, Answer{Status: 201}); err != nil {
		t.Fatal(err)
	}
	if _, got, err := s.Begin(ctx, r); err != nil || got == nil || got.Status != 201 {
		t.Errorf("%+v, %v", got, err)
	}
}

// write makes a write of the account under the claim, or fails it.
func write(t *testing.T, s *Store, db *postgres.DB, r Request, claim string, outcome error) {
	t.Helper()
	err := clock.System.WriteWithHook(context.Background(), db, r.AccountID, s.MarkCarriedOut(r, claim),
		func(*postgres.Tx, clock.Stamp) error { return outcome })
	if !errors.Is(err, outcome) {
		t.Fatal(err)
	}
}

// The process dies between the request's commit and its answer.
func TestWhatWasCarriedOutIsNotClaimedAgain(t *testing.T) {
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
	begin(t, s, failed) // nothing happened, so it may run
	if _, _, err := s.Begin(ctx, done); !fault.Is(err, fault.IdempotencyConflict) || !strings.Contains(err.Error(), "was carried out") {
		t.Errorf("what was carried out: %v", err)
	}
	if err := s.Release(ctx, done, claim); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Begin(ctx, done); !fault.Is(err, fault.IdempotencyConflict) {
		t.Errorf("released: %v", err)
	}
	if err := s.Finish(ctx, done, claim, Answer{Status: 201}); err != nil { // it lives after all
		t.Fatal(err)
	}
	if _, got, err := s.Begin(ctx, done); err != nil || got == nil || got.Status != 201 {
		t.Errorf("answered: %+v, %v", got, err)
	}
	pass(Keep)
	begin(t, s, done)
}

func TestAReleasedKeyIsFree(t *testing.T) {
	t.Parallel()
	s, _, _ := setup(t)
	if err := s.Release(context.Background(), req("acc_1", "k", 1), begin(t, s, req("acc_1", "k", 1))); err != nil {
		t.Fatal(err)
	}
	begin(t, s, req("acc_1", "k", 2))
}

func TestOneOfManyClaims(t *testing.T) {
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
				t.Errorf("%v", err)
			}
		})
	}
	running.Wait()
	if claims.Load() != 1 || conflicts.Load() != 19 {
		t.Errorf("%d claims, %d conflicts", claims.Load(), conflicts.Load())
	}
}

func TestSweepRemovesWhatHasExpired(t *testing.T) {
	t.Parallel()
	s, db, pass := setup(t)
	ctx := context.Background()
	for account := range 3 {
		for key := range 5 {
			r := req(fmt.Sprintf("acc_%d", account), fmt.Sprint(key), 1)
			if err := s.Finish(ctx, r, begin(t, s, r), Answer{Status: 201}); err != nil {
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
	if left != 1 || calls != 3 { // two full batches, and the rest
		t.Errorf("%d keys are left after %d calls", left, calls)
	}
}

// With nothing expired a sweep reads the same few pages for any number of accounts.
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

// A request whose claim was lost, say by a pause of its machine, does nothing: another does it.
func TestALostClaimFailsItsWrite(t *testing.T) {
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
		t.Errorf("whose claim was lost: %v", err)
	}
	write(t, s, db, r, second, nil)
}
