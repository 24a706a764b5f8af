package queue_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/queue"
)

func enqueue(t *testing.T, db *postgres.DB, q *queue.Queue, account, key string, due time.Time) {
	t.Helper()
	err := db.InTx(t.Context(), func(tx *postgres.Tx) error { return q.Enqueue(t.Context(), tx, account, due, key) })
	if err != nil {
		t.Fatal(err)
	}
}

func TestEnqueueWakesTheWorkerOnceCommitted(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	q := queue.New(clock.System, "identifications", "card_id")
	woken := 0
	q.OnWork(func() { woken++ })
	boom := errors.New("boom")
	err := db.InTx(t.Context(), func(tx *postgres.Tx) error {
		return errors.Join(q.Enqueue(t.Context(), tx, "acc_a", time.Now(), "card_a"), boom)
	})
	if !errors.Is(err, boom) || woken != 0 {
		t.Fatalf("after a rollback: %v, woken %d times", err, woken)
	}
	enqueue(t, db, q, "acc_a", "card_a", time.Now())
	if woken != 1 {
		t.Fatalf("woken %d times", woken)
	}
}

func TestOwnersAreThoseWithWorkDue(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	q := queue.New(clock.System, "identifications", "card_id")
	now := time.Now()
	for i, due := range []time.Time{now.Add(-time.Hour), now.Add(time.Hour), now.Add(-time.Second)} {
		for n := range 3 {
			enqueue(t, db, q, fmt.Sprintf("acc_%d", i), fmt.Sprintf("card_%d", n), due)
		}
	}
	owners, err := q.Owners(ctx, db)
	if err != nil || !slices.Equal(owners, []string{"acc_0", "acc_2"}) {
		t.Fatalf("Owners = %v, %v", owners, err)
	}
}

func TestManyWorkersNeverHoldOneRowTwice(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	q := queue.New(clock.System, "identifications", "card_id")
	for n := range 200 {
		enqueue(t, db, q, "acc_a", fmt.Sprintf("card_%03d", n), time.Now().Add(-time.Second))
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
			t.Errorf("%s was taken %d times", key, times)
		}
	}
	if len(taken) < 190 { // a worker may stop early while others hold the last rows
		t.Errorf("only %d rows were taken", len(taken))
	}
}

func TestALeaseThatRanOutVoidsTheClaim(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	now := time.Now().Truncate(time.Microsecond) // what PostgreSQL keeps
	q := queue.New(clock.Clock{Now: func() time.Time { return now }}, "identifications", "card_id")
	enqueue(t, db, q, "acc_a", "card_a", now)
	claim := func() []queue.Claim {
		t.Helper()
		claims, err := q.Claim(ctx, db, "acc_a", 10, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		return claims
	}
	first := claim()
	if len(first) != 1 || first[0].Attempts != 1 || len(claim()) != 0 {
		t.Fatalf("first claim %v", first)
	}
	now = now.Add(2 * time.Minute)
	second := claim()
	if len(second) != 1 || second[0].Attempts != 2 {
		t.Fatalf("second claim %v", second)
	}
	if held, err := q.Finish(ctx, db, first[0]); err != nil || held {
		t.Fatalf("the first worker finished a row it had lost: %v, %v", held, err)
	}
	if held, err := q.Retry(ctx, db, second[0], now.Add(time.Second)); err != nil || !held {
		t.Fatalf("Retry = %v, %v", held, err)
	}
	now = now.Add(time.Second)
	third := claim()
	if len(third) != 1 || third[0].Attempts != 3 {
		t.Fatalf("third claim %v", third)
	}
	if held, err := q.PutBack(ctx, db, third[0], now); err != nil || !held {
		t.Fatalf("PutBack = %v, %v", held, err)
	}
	fourth := claim()
	if len(fourth) != 1 || fourth[0].Attempts != 3 {
		t.Fatalf("the claim after one that was put back: %v", fourth)
	}
	if held, err := q.Finish(ctx, db, fourth[0]); err != nil || !held {
		t.Fatalf("Finish = %v, %v", held, err)
	}
}
