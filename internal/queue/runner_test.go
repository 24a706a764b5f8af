package queue_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/worker"
)

// errands is a queue whose handler is controlled by the test: it reports each claim and waits for the test to end it.
type errands struct {
	*queue.Queue
	t     *testing.T
	db    *postgres.DB
	loop  *worker.Periodic
	begun chan queue.Claim
	// slow reports whether a claim waits for release, or for the end of its context.
	slow    func(queue.Claim) bool
	release chan struct{}
}

func newErrands(t *testing.T, parallel int) *errands {
	t.Helper()
	e := &errands{
		Queue: identifications(), t: t, db: pgtest.New(t),
		begun: make(chan queue.Claim, 100), slow: func(queue.Claim) bool { return false }, release: make(chan struct{}),
	}
	runner := &queue.Runner{
		Queue: e.Queue, DB: e.db, Parallel: parallel, Lease: time.Minute, Handle: e.handle,
		PollInterval: time.Hour, // the runner claims only after a wake
		Backoff:      func(queue.Claim, error) time.Duration { return time.Hour },
	}
	runner.SetCallTimeout(time.Hour)
	e.loop = runner.Loop("errands")
	return e
}

func (e *errands) handle(ctx context.Context, c queue.Claim) error {
	e.begun <- c
	if e.slow(c) {
		select {
		case <-e.release:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	_, err := e.Finish(ctx, e.db, c)
	return err
}

func (e *errands) add(account string, keys ...string) {
	e.t.Helper()
	for _, key := range keys {
		enqueue(e.t, e.db, e.Queue, account, key)
	}
}

func (e *errands) start() {
	e.t.Helper()
	if err := e.loop.Start(e.t.Context()); err != nil {
		e.t.Fatal(err)
	}
}

// stop stops the loop after its work.
func (e *errands) stop() {
	e.t.Helper()
	if err := e.loop.Stop(e.t.Context()); err != nil {
		e.t.Fatal(err)
	}
}

// waiting returns the number of the account's unclaimed rows.
func (e *errands) waiting(account string) (n int) {
	e.t.Helper()
	err := e.db.Get(e.t.Context(), &n, `
		SELECT count(*) FROM identifications
		WHERE account_id = $1 AND claim_id IS NULL AND attempts = 0`, account)
	if err != nil {
		e.t.Fatal(err)
	}
	return n
}

func numbered(n int) []string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf("card_%02d", i)
	}
	return keys
}

// The runner stops while it claims work of the first account. It must not claim work of the second one.
func TestRunner_ClaimsNothingAfterStop(t *testing.T) {
	t.Parallel()
	e := newErrands(t, 8)
	e.add("acc_a", "card_a")
	e.add("acc_b", "card_b")
	blocker, err := e.db.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer blocker.Rollback()
	// The claim waits for this lock; the poll and the audit only read.
	if _, err := blocker.Exec("LOCK TABLE identifications IN EXCLUSIVE MODE"); err != nil {
		t.Fatal(err)
	}
	e.start()
	e.awaitBlockedClaim()
	stopped := make(chan error, 1)
	go func() { stopped <- e.loop.Stop(t.Context()) }()
	for !e.loop.Stopping() {
		runtime.Gosched()
	}
	if err := blocker.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := <-stopped; err != nil {
		t.Fatal(err)
	}
	if len(e.begun) != 1 || e.waiting("acc_a") != 0 || e.waiting("acc_b") != 1 {
		t.Errorf("%d claims were started, want only that of acc_a", len(e.begun))
	}
}

// awaitBlockedClaim returns when a claim waits for a lock.
func (e *errands) awaitBlockedClaim() {
	e.t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for blocked := false; !blocked; <-tick.C {
		err := e.db.Get(e.t.Context(), &blocked, `
			SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
				AND wait_event_type = 'Lock' AND query LIKE '%SKIP LOCKED%')`)
		if err != nil {
			e.t.Fatal(err)
		}
	}
}

func TestRunner_StopReschedulesCancelledWork(t *testing.T) {
	t.Parallel()
	e := newErrands(t, 8)
	e.slow = func(queue.Claim) bool { return true }
	e.add("acc_a", numbered(3)...)
	e.start()
	for range 3 {
		<-e.begun
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := e.loop.Stop(ended); !errors.Is(err, context.Canceled) {
		t.Fatalf("Stop = %v", err)
	}
	claims, err := e.Claim(t.Context(), e.db, "acc_a", 10, time.Minute)
	if err != nil || len(claims) != 3 {
		t.Fatalf("Claim = %v, %v", claims, err)
	}
	for _, c := range claims {
		if c.Attempts != 1 {
			t.Errorf("cancelled work counts as an attempt: %+v", c)
		}
	}
}

// Stop ends right after the work has failed.
func TestRunner_ReschedulesFailureAfterStop(t *testing.T) {
	t.Parallel()
	db, ended := pgtest.New(t), make(chan struct{})
	q := identifications()
	enqueue(t, db, q, "acc_a", "card_a")
	var working context.Context
	failed := make(chan struct{})
	runner := &queue.Runner{
		Queue: q, DB: db, Parallel: 1, Lease: time.Hour,
		Handle:  func(ctx context.Context, _ queue.Claim) error { working = ctx; return errors.New("boom") },
		Backoff: func(queue.Claim, error) time.Duration { close(failed); <-ended; return 0 },
	}
	loop := runner.Loop("errands")
	if err := loop.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-failed
	stopping, cut := context.WithCancel(t.Context())
	stopped := make(chan error)
	go func() { stopped <- loop.Stop(stopping) }()
	cut()
	<-working.Done()
	close(ended)
	if err := <-stopped; !errors.Is(err, context.Canceled) {
		t.Fatalf("Stop = %v", err)
	}
	if claims, err := q.Claim(t.Context(), db, "acc_a", 1, time.Hour); err != nil || len(claims) != 1 {
		t.Fatalf("Claim = %v, %v", claims, err)
	}
}

func TestRunner_SlowClaimDoesNotDelayOthers(t *testing.T) {
	t.Parallel()
	e := newErrands(t, 4)
	e.slow = func(c queue.Claim) bool { return c.Key == "card_slow" }
	e.add("acc_a", "card_slow")
	e.start()
	<-e.begun
	for _, account := range []string{"acc_a", "acc_b"} {
		e.add(account, "card_next")
		if c := <-e.begun; c.AccountID != account || c.Key != "card_next" {
			t.Fatalf("claim %+v was started", c)
		}
	}
	close(e.release)
	e.stop()
}

// Slow work uses half of the concurrency. The account's other rows stay unclaimed, so that no lease runs, until
// one of its claims ends.
func TestRunner_SlowAccountLeavesCapacity(t *testing.T) {
	t.Parallel()
	e := newErrands(t, 4)
	e.slow = func(c queue.Claim) bool { return c.AccountID == "acc_a" }
	e.add("acc_a", numbered(10)...)
	e.start()
	<-e.begun
	<-e.begun
	for range 3 {
		e.add("acc_b", "card_b")
		if c := <-e.begun; c.AccountID != "acc_b" {
			t.Fatalf("claim %+v was started", c)
		}
	}
	if n := e.waiting("acc_a"); n != 8 {
		t.Errorf("%d rows of the slow account wait, want 8", n)
	}
	close(e.release) // the end of a claim must wake the runner: nothing else does
	for range 8 {
		<-e.begun
	}
	e.stop()
}

func TestRunner_TakesAccountsRoundRobin(t *testing.T) {
	t.Parallel()
	e := newErrands(t, 1)
	for _, account := range []string{"acc_a", "acc_b", "acc_c"} {
		e.add(account, numbered(3)...)
	}
	e.start()
	var turns []string
	for range 9 {
		turns = append(turns, (<-e.begun).AccountID)
	}
	e.stop()
	round := []string{"acc_a", "acc_b", "acc_c"}
	if diff := cmp.Diff(slices.Repeat(round, 3), turns); diff != "" {
		t.Errorf("order of accounts (-want +got):\n%s", diff)
	}
}
