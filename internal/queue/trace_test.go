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

// Each claim is the root span of a trace. The spans of its work are children.
func TestRunner_TracesEachClaim(t *testing.T) {
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
	attempt := func(number string) func(tracingtest.Span) bool {
		return func(s tracingtest.Span) bool { return s.Attributes["cardvault.attempt"] == number }
	}
	failed := spans.Await(t, "the first attempt", attempt("1"))
	done := spans.Await(t, "the second attempt", attempt("2"))
	if err := loop.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !failed.Failed || done.Failed || failed.Trace == done.Trace || failed.Parent != "" {
		t.Errorf("spans of the attempts: %+v and %+v", failed, done)
	}
	if done.Name != "errands" || done.Kind != "consumer" ||
		done.Attributes["cardvault.account_id"] != "acc_a" || done.Attributes["cardvault.key"] != "card_a" {
		t.Errorf("span of the second attempt: %+v", done)
	}
}
