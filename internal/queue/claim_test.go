package queue

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/waiting"
)

// Rows are enqueued while a claim of the same account runs. Neither waits for the other, and the mark stays
// at the new rows.
func TestQueue_ClaimDoesNotWaitForEnqueue(t *testing.T) {
	t.Parallel()
	db, q, ctx := pgtest.New(t), identifications(), t.Context()
	enqueue(t, db, q, "acc_a", "card_a")
	err := db.InTx(ctx, func(tx *postgres.Tx) error {
		if err := q.Enqueue(ctx, tx, "acc_a", "card_b"); err != nil {
			return err
		}
		soon, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		claims, err := q.Claim(soon, db, "acc_a", 10, time.Hour)
		if err != nil || len(claims) != 1 || claims[0].Key != "card_a" {
			return fmt.Errorf("Claim = %v, %w", claims, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"acc_a"}, due(t, db, q)); diff != "" {
		t.Fatalf("due accounts after the commit (-want +got):\n%s", diff)
	}
	if claims := claim(t, db, q, "acc_a", 10); len(claims) != 1 || claims[0].Key != "card_b" {
		t.Errorf("claimed %v, want the row that was enqueued meanwhile", claims)
	}
}

// Many workers enqueue, claim, retry and finish rows of one account at a time. No snapshot shows a row that
// is due before the account's mark.
func TestQueue_ClaimNeverMovesMarkPastRow(t *testing.T) {
	t.Parallel()
	db, q, ctx := pgtest.New(t), identifications(), t.Context()
	failure := Failure{waiting.Problem, errors.New("boom")}
	work := func(n int) error {
		key := fmt.Sprintf("card_%d", rand.N(20))
		err := db.InTx(ctx, func(tx *postgres.Tx) error { return q.Enqueue(ctx, tx, "acc_a", key) })
		if err != nil {
			return err
		}
		claims, err := q.Claim(ctx, db, "acc_a", 2, time.Duration(1+rand.N(3))*time.Minute)
		for _, c := range claims {
			var end error
			switch n % 3 {
			case 0:
				_, end = q.Retry(ctx, db, c, time.Duration(rand.N(60))*time.Second, failure)
			case 1:
				_, end = q.Finish(ctx, db, c)
			}
			err = errors.Join(err, end)
		}
		return err
	}
	var workers sync.WaitGroup
	done := make(chan struct{})
	for range 6 {
		workers.Go(func() {
			for n := range 150 {
				if err := work(n); err != nil {
					t.Error(err)
				}
			}
		})
	}
	go func() { workers.Wait(); close(done) }()
	defer func() { <-done }()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		var passed int
		err := db.Get(ctx, &passed, `
			SELECT count(*) FROM identifications r
			LEFT JOIN queue_accounts a ON a.account_id = r.account_id AND a.queue = 'identifications'
			WHERE a.due_at IS NULL OR r.due_at < a.due_at`)
		if err != nil || passed != 0 {
			t.Fatalf("%d rows are due before their account's mark, %v", passed, err)
		}
	}
}

// While a snapshot is open, the index keeps the entries of all finished rows.
func TestQueue_ClaimSkipsRowsKeptForLongSnapshot(t *testing.T) {
	t.Parallel()
	db, q, ctx := pgtest.New(t), identifications(), t.Context()
	keys := make([]string, 10_000)
	for i := range keys {
		keys[i] = fmt.Sprintf("card_%d", i)
	}
	enqueue(t, db, q, "acc_a", keys...)
	defer holdSnapshot(t, db)()
	for range 9 {
		if claims := claim(t, db, q, "acc_a", 1000); len(claims) != 1000 {
			t.Fatalf("claimed %d rows", len(claims))
		}
		_, err := db.Exec(ctx, `DELETE FROM identifications WHERE account_id = 'acc_a' AND claim_id IS NOT NULL`)
		if err != nil {
			t.Fatal(err)
		}
	}
	pages := pgtest.PagesRead(t, db, q.sql.claim, "acc_a", 4, time.Minute.Microseconds(), "clm_a")
	t.Logf("a claim of 4 reads %d pages", pages)
	if pages > 8*fewPages {
		t.Errorf("a claim of 4 rows reads %d pages after 9,000 were finished, want at most %d", pages, 8*fewPages)
	}
}
