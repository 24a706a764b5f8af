package queue_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/tracing/tracingtest"
)

// Every claim that a runner works on is the first span of a trace, with what the work did below it.
func TestEveryClaimIsATrace(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	q := identifications()
	enqueue(t, db, q, "acc_a", "card_a")
	tracer, spans := tracingtest.Record()
	runner := &queue.Runner{
		Queue: q, DB: db, Parallel: 1, Lease: time.Minute,
		Backoff: func(queue.Claim, error) time.Duration { return 0 },
		Handle: func(ctx context.Context, c queue.Claim) error {
			if c.Attempts == 1 {
				return errors.New("not yet")
			}
			_, err := q.Finish(ctx, db, c)
			return err
		},
	}
	loop := runner.Loop("errands")
	if err := loop.Start(tracer.With(t.Context())); err != nil {
		t.Fatal(err)
	}
	failed := spans.Await(t, "the first attempt", func(s tracingtest.Span) bool { return s.Attributes["cardvault.attempt"] == "1" })
	done := spans.Await(t, "the second attempt", func(s tracingtest.Span) bool { return s.Attributes["cardvault.attempt"] == "2" })
	if err := loop.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !failed.Failed || done.Failed || failed.Trace == done.Trace || failed.Parent != "" {
		t.Errorf("the attempts are %+v and %+v", failed, done)
	}
	if done.Name != "errands" || done.Kind != "consumer" || done.Attributes["cardvault.account_id"] != "acc_a" || done.Attributes["cardvault.key"] != "card_a" {
		t.Errorf("the second attempt is %+v", done)
	}
}
