package listings

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/tracing"
	"github.com/cardvault/cardvault/internal/worker"
)

const (
	// lease is how long a claim holds; what a crashed worker had comes back after it.
	lease = 2 * time.Minute
	// callTime bounds what is asked of a marketplace under one claim, counted from the claim. It
	// leaves a quarter of the lease for writing the result down.
	callTime = lease * 3 / 4
	// share is how much of one account's work is claimed before the next account has its turn.
	share = 4
	// sideBySide is how many questions a worker has open at once.
	sideBySide = 16
	// lookEvery is the longest pause between two looks for work: that another process wrote down,
	// or whose time has come.
	lookEvery = time.Second
)

// Worker talks to the marketplaces: it publishes, ends, and learns of sales and endings. Any
// number of workers, in any number of processes, may run on one database.
type Worker struct {
	*Service
	loops        worker.Group
	requests     *worker.Periodic
	salesReports *worker.Periodic
}

// NewWorker returns a stopped worker that wakes when s writes down work.
func NewWorker(s *Service) *Worker {
	w := &Worker{Service: s}
	every := min(lookEvery, s.cfg.PollEvery, s.cfg.StatusEvery)
	w.requests = worker.NewPeriodic("listings", every, func(ctx context.Context) (bool, error) {
		return w.drain(ctx, s.work, w.serve)
	})
	w.salesReports = worker.NewPeriodic("listing sales", every, func(ctx context.Context) (bool, error) {
		return w.drain(ctx, s.polls, w.poll)
	})
	w.loops = worker.Group{w.requests, w.salesReports}
	s.work.OnWork(w.requests.Wake)
	return w
}

// Start implements worker.Loop.
func (w *Worker) Start(ctx context.Context) error { return w.loops.Start(ctx) }

// Stop implements worker.Loop.
func (w *Worker) Stop(ctx context.Context) error { return w.loops.Stop(ctx) }

// Wake has the worker look for work that is due soon.
func (w *Worker) Wake() {
	w.requests.Wake()
	w.salesReports.Wake()
}

// job is a claim and the time by which calls to a marketplace under it must be over.
type job struct {
	queue.Claim
	callBy time.Time
}

// trace begins the job's span.
func (j job) trace(ctx context.Context, name string) (context.Context, tracing.Span) {
	return tracing.Start(ctx, trace.SpanKindConsumer, name, tracing.AccountID(j.AccountID),
		attribute.String("cardvault.key", j.Key), attribute.Int("cardvault.attempt", j.Attempts))
}

// drain claims what is due in q, account by account, and has handle do it, some side by side. It
// reports whether there may be more.
func (w *Worker) drain(ctx context.Context, q *queue.Queue, handle func(context.Context, job)) (more bool, err error) {
	var running sync.WaitGroup
	defer running.Wait()
	owners, err := q.Owners(ctx, w.db)
	if err != nil {
		return false, err
	}
	slots := make(chan struct{}, sideBySide)
	for _, owner := range owners {
		claims, err := q.Claim(ctx, w.db, owner, share, lease)
		if err != nil {
			return false, err
		}
		more = more || len(claims) == share
		callBy := time.Now().Add(callTime)
		for _, claim := range claims {
			slots <- struct{}{}
			running.Go(func() {
				defer func() { <-slots }()
				defer logPanic(ctx, claim)
				handle(ctx, job{claim, callBy})
			})
		}
	}
	return more, nil
}

// logPanic keeps one listing's panic from ending the process; its claim comes back with the lease.
func logPanic(ctx context.Context, claim queue.Claim) {
	if r := recover(); r != nil {
		slog.ErrorContext(ctx, "listing worker panicked", "account_id", claim.AccountID, "key", claim.Key, "panic", fmt.Sprint(r))
	}
}
