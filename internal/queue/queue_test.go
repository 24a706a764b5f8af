package queue_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/queue/queuetest"
)

func identifications() *queue.Queue { return queue.New("identifications", "card_id") }

func enqueue(t *testing.T, db *postgres.DB, q *queue.Queue, account string, keys ...string) {
	t.Helper()
	err := db.InTx(t.Context(), func(tx *postgres.Tx) error { return q.Enqueue(t.Context(), tx, account, keys...) })
	if err != nil {
		t.Fatal(err)
	}
}

// claim leases the due rows of acc_a for a minute.
func claim(t *testing.T, db *postgres.DB, q *queue.Queue) []queue.Claim {
	t.Helper()
	claims, err := q.Claim(t.Context(), db, "acc_a", 10, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return claims
}

func TestQueue_EnqueueWakesAfterCommit(t *testing.T) {
	t.Parallel()
	db, q := pgtest.New(t), identifications()
	woken := 0
	q.OnWork(func() { woken++ })
	boom := errors.New("boom")
	err := db.InTx(t.Context(), func(tx *postgres.Tx) error {
		return errors.Join(q.Enqueue(t.Context(), tx, "acc_a", "card_a"), boom)
	})
	if !errors.Is(err, boom) || woken != 0 {
		t.Fatalf("after a rollback: %v, woken %d times, want 0", err, woken)
	}
	enqueue(t, db, q, "acc_a", "card_a")
	if woken != 1 {
		t.Fatalf("woken %d times after the commit, want 1", woken)
	}
}

func TestQueue_EnqueueUnclaimedKeepsClaims(t *testing.T) {
	t.Parallel()
	db, q, ctx := pgtest.New(t), identifications(), t.Context()
	add := func() {
		t.Helper()
		err := db.InTx(ctx, func(tx *postgres.Tx) error { return q.EnqueueUnclaimed(ctx, tx, "acc_a", "card_a") })
		if err != nil {
			t.Fatal(err)
		}
	}
	add()
	first := claim(t, db, q)
	if len(first) != 1 {
		t.Fatalf("claimed %v, want the new row", first)
	}
	add()
	if got := claim(t, db, q); len(got) != 0 {
		t.Errorf("claimed %v, want nothing while the row is claimed", got)
	}
	if held, err := q.Retry(ctx, db, first[0], time.Hour, failure); err != nil || !held {
		t.Fatalf("Retry = %v, %v, want the claim still valid", held, err)
	}
	add()
	again := claim(t, db, q)
	if len(again) != 1 || again[0].Attempts != 1 {
		t.Fatalf("claimed %v, want the row at once with its first attempt", again)
	}
	add()
	queuetest.Pass(t, db, 2*time.Minute)
	if got := claim(t, db, q); len(got) != 1 {
		t.Errorf("claimed %v after the lease of a crashed holder, want the row", got)
	}
}

func TestQueue_EnqueueWithinBringsForward(t *testing.T) {
	t.Parallel()
	db, q := pgtest.New(t), identifications()
	within := func(wait time.Duration) {
		t.Helper()
		err := db.InTx(t.Context(), func(tx *postgres.Tx) error {
			return q.EnqueueWithin(t.Context(), tx, "acc_a", wait, "card_a")
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	within(time.Hour)
	if got := claim(t, db, q); len(got) != 0 {
		t.Errorf("claimed %v an hour early, want nothing", got)
	}
	within(time.Minute)
	within(time.Hour) // changes nothing
	queuetest.Pass(t, db, time.Minute)
	if got := claim(t, db, q); len(got) != 1 {
		t.Errorf("claimed %v after the minute, want the row", got)
	}
}

func TestQueue_ClaimsOfManyWorkersAreDisjoint(t *testing.T) {
	t.Parallel()
	db, q, ctx := pgtest.New(t), identifications(), t.Context()
	for n := range 200 {
		enqueue(t, db, q, "acc_a", fmt.Sprintf("card_%03d", n))
	}
	var mu sync.Mutex
	taken := map[string]int{}
	var workers sync.WaitGroup
	for range 6 {
		workers.Go(func() {
			for {
				claims, err := q.Claim(ctx, db, "acc_a", 7, time.Minute)
				if err != nil {
					t.Error(err)
				}
				if len(claims) == 0 {
					return
				}
				mu.Lock()
				for _, c := range claims {
					taken[c.Key]++
				}
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	for key, times := range taken {
		if times != 1 {
			t.Errorf("%s was claimed %d times, want once", key, times)
		}
	}
	if len(taken) < 190 { // a worker may stop early while others hold the last rows
		t.Errorf("only %d rows were claimed", len(taken))
	}
}

func TestQueue_ExpiredLeaseInvalidatesClaim(t *testing.T) {
	t.Parallel()
	db, q, ctx := pgtest.New(t), identifications(), t.Context()
	enqueue(t, db, q, "acc_a", "card_a")
	first := claim(t, db, q)
	if len(first) != 1 || first[0].Attempts != 1 || len(claim(t, db, q)) != 0 {
		t.Fatalf("first claim %v", first)
	}
	queuetest.Pass(t, db, 2*time.Minute)
	second := claim(t, db, q)
	if len(second) != 1 || second[0].Attempts != 2 {
		t.Fatalf("second claim %v", second)
	}
	if held, err := q.Finish(ctx, db, first[0]); err != nil || held {
		t.Fatalf("Finish with an expired claim = %v, %v, want false", held, err)
	}
	if held, err := q.Retry(ctx, db, second[0], time.Hour, failure); err != nil || !held || len(claim(t, db, q)) != 0 {
		t.Fatalf("Retry = %v, %v", held, err)
	}
	queuetest.Pass(t, db, time.Hour)
	third := claim(t, db, q)
	if len(third) != 1 || third[0].Attempts != 3 {
		t.Fatalf("third claim %v", third)
	}
	if held, err := q.Requeue(ctx, db, third[0], 0); err != nil || !held {
		t.Fatalf("Requeue = %v, %v", held, err)
	}
	fourth := claim(t, db, q)
	if len(fourth) != 1 || fourth[0].Attempts != 3 {
		t.Fatalf("claim after Requeue: %v", fourth)
	}
	if held, err := q.Repeat(ctx, db, fourth[0], 0); err != nil || !held {
		t.Fatalf("Repeat = %v, %v", held, err)
	}
	fifth := claim(t, db, q)
	if len(fifth) != 1 || fifth[0].Attempts != 1 {
		t.Fatalf("claim after Repeat: %v", fifth)
	}
	if held, err := q.Finish(ctx, db, fifth[0]); err != nil || !held {
		t.Fatalf("Finish = %v, %v", held, err)
	}
}
