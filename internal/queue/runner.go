package queue

import (
	"context"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
	"golang.org/x/sync/errgroup"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/tracing"
	"github.com/cardvault/cardvault/internal/worker"
)

// Runner works a queue off in the background: it claims what is due, a few rows of each account in
// turn, and hands each claim to Handle.
type Runner struct {
	Queue *Queue
	DB    *postgres.DB
	// Parallel is how many claims are worked on at once, and how many are taken of one account
	// before the next one's turn.
	Parallel int
	// Lease is how long a claim holds; it must be longer than Handle ever takes.
	Lease time.Duration
	// Handle does the work of one claim and finishes it. A claim it returns an error for is given
	// back, to be tried again after Backoff.
	Handle func(ctx context.Context, c Claim) error
	// Backoff is how long to wait after a failed attempt, from 1.
	Backoff func(attempt int) time.Duration

	name string // of the loop, and of its claims' spans
}

// pollEvery is how often a runner looks for work that nobody woke it for: another process's, or a
// crashed one's whose lease ran out.
const pollEvery = time.Second

// Loop returns the runner as a background part named name, woken by its queue.
func (r *Runner) Loop(name string) worker.Loop {
	r.name = name
	loop := worker.NewPeriodic(name, pollEvery, r.round)
	r.Queue.OnWork(loop.Wake)
	return loop
}

// round takes each account's turn once and reports whether there was anything to do.
func (r *Runner) round(ctx context.Context) (more bool, err error) {
	owners, err := r.Queue.Owners(ctx, r.DB)
	if err != nil {
		return false, err
	}
	var group errgroup.Group
	group.SetLimit(r.Parallel)
	for _, owner := range owners {
		claims, claimErr := r.Queue.Claim(ctx, r.DB, owner, r.Parallel, r.Lease)
		if claimErr != nil {
			err = claimErr
			break
		}
		more = more || len(claims) > 0
		for _, c := range claims {
			group.Go(func() error { r.handle(ctx, c); return nil })
		}
	}
	group.Wait()
	return more, err
}

// handle runs Handle and gives the claim back if it failed or panicked. If even that fails, the
// row comes back when the lease ends.
func (r *Runner) handle(ctx context.Context, c Claim) {
	ctx, span := tracing.Start(ctx, trace.SpanKindConsumer, r.name, tracing.AccountID(c.AccountID),
		attribute.String("cardvault.key", c.Key), attribute.Int("cardvault.attempt", c.Attempts))
	defer span.End()
	err := r.try(ctx, c)
	span.Fail(tracing.Class(err))
	if err == nil {
		return
	}
	slog.WarnContext(ctx, "work failed; it will be tried again",
		"account_id", c.AccountID, "key", c.Key, "attempt", c.Attempts, "error", err)
	due := r.Queue.clock.Time().Add(r.Backoff(c.Attempts))
	if _, err := r.Queue.Retry(ctx, r.DB, c, due); err != nil {
		slog.WarnContext(ctx, "work was not given back; it comes back with its lease", "key", c.Key, "error", err)
	}
}

func (r *Runner) try(ctx context.Context, c Claim) (err error) {
	defer worker.Recover(&err)
	return r.Handle(ctx, c)
}
