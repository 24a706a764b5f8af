package queue_test

import (
	"context"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/postgres/pgtest/faultproxy"
	"github.com/cardvault/cardvault/internal/queue"
)

// The connection that claims the first account's rows becomes silent. The rows of other accounts are claimed on
// another connection. So are those of the first account when its connection was given up, although their lease lasts
// an hour.
func TestRunner_FrozenClaimDoesNotDelayOthers(t *testing.T) {
	t.Parallel()
	for name, freeze := range map[string]func(*faultproxy.Proxy, string) <-chan *faultproxy.Link{
		"before the claim": (*faultproxy.Proxy).FreezeBefore,
		"after the claim":  (*faultproxy.Proxy).FreezeAfter,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			proxy, err := faultproxy.New(pgtest.URL(t))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(proxy.Close)
			db, err := postgres.Open(postgres.Config{URL: proxy.URL()})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { db.Close() })
			q := identifications()
			begun := make(chan queue.Claim, 10)
			runner := &queue.Runner{
				Queue: q, DB: db, Parallel: 4, Lease: time.Hour, PollInterval: 10 * time.Millisecond,
				Backoff: func(queue.Claim, error) time.Duration { return time.Hour },
				Handle: func(ctx context.Context, c queue.Claim) error {
					begun <- c
					_, err := q.Finish(ctx, db, c)
					return err
				},
			}
			enqueue(t, db, q, "acc_a", "card_a")
			enqueue(t, db, q, "acc_b", "card_b")
			frozen := freeze(proxy, "FOR UPDATE SKIP LOCKED")
			loop := runner.Loop("errands")
			if err := loop.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			<-frozen
			late := time.After(time.Minute)
			for range 2 { // acc_b's at once, acc_a's when its connection was given up
				select {
				case c := <-begun:
					if c.Attempts != 1 {
						t.Errorf("%s: attempt %d, want 1: a claim without an answer does not count", c.Key, c.Attempts)
					}
				case <-late:
					t.Fatal("the runner stopped because of one frozen claim")
				}
			}
			proxy.Thaw()
			if err := loop.Stop(t.Context()); err != nil {
				t.Fatal(err)
			}
		})
	}
}
