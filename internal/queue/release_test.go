package queue_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/queue"
)

// A process dies with claims of two accounts. They are due at once for others, its claims are no longer valid, and the
// claims of other processes stay.
func TestQueue_ReleaseMakesClaimsOfProcessDue(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	open := func() *postgres.DB {
		db, err := postgres.Open(postgres.Config{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		return db
	}
	dead, alive, ctx := open(), open(), t.Context()
	q := identifications()
	claimed := func(db *postgres.DB, account string) (keys []string, claims []queue.Claim) {
		t.Helper()
		claims, err := q.Claim(ctx, db, account, 10, time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range claims {
			keys = append(keys, c.Key)
		}
		return keys, claims
	}
	enqueue(t, alive, q, "acc_a", "card_a1", "card_a2")
	enqueue(t, alive, q, "acc_b", "card_b1")
	_, lost := claimed(dead, "acc_a")
	claimed(dead, "acc_b")
	enqueue(t, alive, q, "acc_a", "card_a3")
	claimed(alive, "acc_a")

	if err := q.Release(ctx, alive, dead.Process().ID()); err != nil {
		t.Fatal(err)
	}
	for account, want := range map[string][]string{"acc_a": {"card_a1", "card_a2"}, "acc_b": {"card_b1"}} {
		got, claims := claimed(alive, account)
		if diff := cmp.Diff(want, got, cmp.Transformer("set", asSet)); diff != "" {
			t.Errorf("%s: due after Release (-want +got):\n%s", account, diff)
		}
		for _, c := range claims {
			if c.Attempts != 2 {
				t.Errorf("%s: attempt %d, want 2: the attempt of a process that died counts", c.Key, c.Attempts)
			}
		}
	}
	for _, c := range lost {
		if held, err := q.Finish(ctx, dead, c); err != nil || held {
			t.Errorf("Finish by the process that lost the claim = %v, %v, want false", held, err)
		}
	}
}

func asSet(keys []string) map[string]bool {
	set := map[string]bool{}
	for _, k := range keys {
		set[k] = true
	}
	return set
}
