package queue

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/tracing"
	"github.com/cardvault/cardvault/internal/worker"
)

// Runner processes a queue in the background. It claims due rows, taking accounts in turn up to its
// free concurrency, and passes each claim to Handle. A slow claim does not block the others.
type Runner struct {
	Queue *Queue
	DB    *postgres.DB
	// Parallel is how many claims are handled at once; one account has at most half of them, and
	// at least one.
	Parallel int
	// Lease is how long a claim holds, and after which Handle's context ends.
	Lease time.Duration
	// PollInterval is the longest time between two polls. Polling finds rows that other processes
	// enqueued and rows whose lease expired. 0 means 1 s.
	PollInterval time.Duration
	// Handle does the work of one claim and finishes it. A claim it returns an error for is given
	// back, to be tried again after Backoff.
	Handle func(ctx context.Context, c Claim) error
	// Backoff is how long to wait after an attempt that failed with err.
	Backoff func(c Claim, err error) time.Duration

	name    string // of the loop, and of its claims' spans
	loop    *worker.Periodic
	poller  poller
	limiter limiter
	last    string // the account that had the last turn

	callTimeout time.Duration // of a call to the database; 0 means defaultCallTimeout
}

// StoreTime bounds storing the result of a claim, for handlers. While an account's writers wait for
// longer, say for a host that was lost, its claims must not take the concurrency from the other
// accounts' claims: they are tried again later.
const StoreTime = 5 * time.Second

const (
	// defaultPollInterval is how often a runner polls unless it says otherwise.
	defaultPollInterval = time.Second
	// defaultCallTimeout bounds a poll and the claim of one account. A healthy one takes milliseconds; what a
	// claim that timed out has leased comes back with its lease.
	defaultCallTimeout = 3 * time.Second
	// giveBackTime is how long giving a claim back may take, even after the end of a stop.
	giveBackTime = 2 * time.Second
)

// Loop returns the runner as a background part named name, woken by its queue. Call it once.
func (r *Runner) Loop(name string) *worker.Periodic {
	r.name = name
	r.poller = poller{queue: r.Queue}
	r.loop = worker.NewPeriodic(name, cmp.Or(r.PollInterval, defaultPollInterval), r.round)
	r.Queue.OnWork(r.loop.Wake)
	return r.loop
}

// round gives each account with due work a turn, until the runner is to stop. It reports whether more
// can be claimed at once; work that waits for free concurrency is claimed when the limiter wakes the loop.
//
// An account whose claim fails is left for the next round. After two in a row the database is at
// fault, and the round ends.
func (r *Runner) round(ctx context.Context) (more bool, err error) {
	accounts, err := r.due(ctx)
	failed := 0
	for _, account := range accounts {
		if r.loop.Stopping() || failed == 2 {
			return false, err
		}
		full, claimErr := r.turn(ctx, account)
		if claimErr != nil {
			failed++
			err = errors.Join(err, claimErr)
			continue
		}
		failed = 0
		more = more || full
	}
	return more, err
}

// due returns the accounts with due work in the order of their turns. The one that had the last turn
// comes last, also if its mark could not be moved.
func (r *Runner) due(ctx context.Context) ([]string, error) {
	auditErr := r.bounded(ctx, func(ctx context.Context) error { return r.poller.audit(ctx, r.DB) })
	var accounts []string
	err := r.bounded(ctx, func(ctx context.Context) (err error) {
		accounts, err = r.poller.poll(ctx, r.DB)
		return err
	})
	if i := slices.Index(accounts, r.last); i >= 0 {
		accounts = append(slices.Delete(accounts, i, i+1), r.last)
	}
	return accounts, errors.Join(auditErr, err)
}

// turn claims as many of the account's rows as there is free concurrency for, and has them handled. It
// acquires the concurrency first: a lease must not run while its claim waits.
func (r *Runner) turn(ctx context.Context, account string) (full bool, err error) {
	room := r.limiter.acquire(account, r.Parallel)
	if room == 0 {
		return false, nil
	}
	r.last = account
	var claims []Claim
	err = r.bounded(ctx, func(ctx context.Context) (err error) {
		claims, err = r.Queue.Claim(ctx, r.DB, account, room, r.Lease)
		return err
	})
	r.release(account, room-len(claims))
	for _, c := range claims {
		r.loop.Go(func() {
			defer r.release(account, 1)
			r.handle(ctx, c)
		})
	}
	return len(claims) == room, err
}

// bounded makes a call to the database that ends within the call timeout.
func (r *Runner) bounded(ctx context.Context, call func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(r.callTimeout, defaultCallTimeout))
	defer cancel()
	return call(ctx)
}

func (r *Runner) release(account string, n int) {
	if r.limiter.release(account, n) {
		r.loop.Wake()
	}
}

// handle runs Handle and gives the claim back if it failed, panicked or was cut off. If even that
// fails, the row comes back when the lease ends.
func (r *Runner) handle(ctx context.Context, c Claim) {
	ctx, span := tracing.Start(ctx, trace.SpanKindConsumer, r.name, tracing.AccountID(c.AccountID),
		attribute.String("cardvault.key", c.Key), attribute.Int("cardvault.attempt", c.Attempts))
	defer span.End()
	err := r.try(ctx, c)
	span.Fail(tracing.Class(err))
	if err == nil {
		return
	}
	slog.WarnContext(ctx, "work failed; it will be tried again", "worker", r.name,
		"account_id", c.AccountID, "key", c.Key, "attempt", c.Attempts, "error", err)
	if err := r.giveBack(ctx, c, err); err != nil {
		slog.WarnContext(ctx, "work was not given back; it comes back with its lease",
			"worker", r.name, "key", c.Key, "error", err)
	}
}

// giveBack has the claim tried again after Backoff. One that was cut off by the end of ctx is for
// another process to take at once, and was no attempt. Neither is itself cut off.
func (r *Runner) giveBack(ctx context.Context, c Claim, failure error) (err error) {
	cut := ctx.Err() != nil
	var wait time.Duration
	if !cut {
		wait = r.Backoff(c, failure)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), giveBackTime)
	defer cancel()
	if cut {
		_, err = r.Queue.PutBack(ctx, r.DB, c, 0)
	} else {
		_, err = r.Queue.Retry(ctx, r.DB, c, wait)
	}
	return err
}

func (r *Runner) try(ctx context.Context, c Claim) (err error) {
	defer worker.Recover(&err)
	ctx, cancel := context.WithTimeout(ctx, r.Lease)
	defer cancel()
	return r.Handle(ctx, c)
}
