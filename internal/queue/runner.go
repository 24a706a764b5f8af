package queue

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/tracing"
	"github.com/cardvault/cardvault/internal/waiting"
	"github.com/cardvault/cardvault/internal/worker"
)

// Runner processes a queue in the background. It claims due rows, taking accounts in round-robin order up
// to its free concurrency, and passes each claim to Handle. A slow claim does not block the others.
type Runner struct {
	Queue *Queue
	DB    *postgres.DB
	// Parallel is how many claims run at a time. One account has at most half of this number, rounded up.
	Parallel int
	// Lease is how long a claim is valid. Handle's context ends with it.
	Lease time.Duration
	// PollInterval is the longest time between two polls. Polling finds rows that other processes
	// enqueued and rows whose lease expired. The default is 1 s.
	PollInterval time.Duration
	// Handle does the work of one claim and finishes it. If it returns an error, the claim is retried
	// after Backoff.
	Handle func(ctx context.Context, c Claim) error
	// Backoff returns how long to wait after an attempt that failed with err.
	Backoff func(c Claim, err error) time.Duration
	// Reason returns the code that tells customers why an attempt failed with err. The default is waiting.Problem.
	Reason func(err error) waiting.Reason
	// Groups, if set, makes the runner handle claims of an account together.
	Groups *Groups

	name    string // of the loop and of the spans of its claims
	loop    *worker.Periodic
	poller  poller
	limiter limiter
	last    string // the account that had the last turn

	callTimeout time.Duration // limit of a database call; 0 means defaultCallTimeout
}

// StoreTime is the time limit for handlers to store the result of a claim. If an account's writes are
// blocked for longer, for example by a lost host, its claims are retried later, so that they do not hold
// the concurrency that other accounts need.
const StoreTime = 5 * time.Second

const (
	defaultPollInterval = time.Second
	// defaultCallTimeout limits a poll and the claim of one account, which usually take milliseconds. Rows that a
	// timed-out claim has leased are made due again.
	defaultCallTimeout = 3 * time.Second
	// unclaimInterval is the time between two tries to make the rows of a claim without an answer due.
	unclaimInterval = time.Second
	// rescheduleTimeout limits reschedule, which also runs after Stop has cancelled the work.
	rescheduleTimeout = 2 * time.Second
)

// Loop returns the background loop of the runner. The queue wakes it. Call Loop once.
func (r *Runner) Loop(name string) *worker.Periodic {
	r.name = name
	r.poller = poller{queue: r.Queue}
	r.loop = worker.NewPeriodic(name, cmp.Or(r.PollInterval, defaultPollInterval), r.round)
	r.Queue.OnWork(r.loop.Wake)
	return r.loop
}

// round gives each account with due work a turn, until the runner stops. It reports whether more rows can
// be claimed at once. If work waits for free concurrency, the limiter wakes the loop.
//
// An account whose claim fails waits for the next round. After two failures in a row, the database is
// probably the cause, and the round ends.
func (r *Runner) round(ctx context.Context) (more bool, err error) {
	accounts, err := r.due(ctx)
	failures := 0
	for _, account := range accounts {
		if r.loop.Stopping() || failures == 2 {
			return false, err
		}
		room, left := r.limiter.acquire(account, r.Parallel)
		if !left {
			return more, err // the accounts behind this one must not overtake it when a claim ends
		}
		if room == 0 {
			continue
		}
		full, claimErr := r.turn(ctx, account, room)
		if claimErr != nil {
			failures++
			err = errors.Join(err, claimErr)
			continue
		}
		failures = 0
		more = more || full
	}
	return more, err
}

// due returns the accounts with due work in the order of their turns. The account of the last turn comes
// last, because its mark may not have moved.
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

// turn claims up to room of the account's rows and starts handling them. The room was acquired before, so that no
// lease runs while its claim waits.
func (r *Runner) turn(ctx context.Context, account string, room int) (full bool, err error) {
	r.last = account
	groups, err := r.claim(ctx, account, room)
	r.release(account, room-len(groups))
	if lost := new(UnconfirmedClaim); errors.As(err, &lost) {
		r.loop.Go(func() { r.unclaim(ctx, lost) })
	}
	for _, claims := range groups {
		r.loop.Go(func() {
			defer r.release(account, 1)
			if len(claims) > 1 {
				r.handleGroup(ctx, claims)
				return
			}
			r.handle(ctx, claims[0])
		})
	}
	return len(groups) == room, err
}

// claim claims up to room rows of the account, each for itself, or up to room groups of rows.
func (r *Runner) claim(ctx context.Context, account string, room int) (groups [][]Claim, err error) {
	err = r.bounded(ctx, func(ctx context.Context) error {
		if r.Groups != nil {
			if groups, err = r.claimGroups(ctx, account, room); err != nil || len(groups) > 0 {
				return err
			}
		}
		claims, err := r.Queue.Claim(ctx, r.DB, account, room, r.Lease)
		for _, c := range claims {
			groups = append(groups, []Claim{c})
		}
		return err
	})
	return groups, err
}

// unclaim makes the rows of a claim without an answer due again. It tries until the database answers or the lease has
// expired.
func (r *Runner) unclaim(ctx context.Context, lost *UnconfirmedClaim) {
	ctx, cancel := context.WithTimeout(ctx, r.Lease)
	defer cancel()
	for !r.loop.Stopping() {
		err := r.bounded(ctx, func(ctx context.Context) error { return r.Queue.Unclaim(ctx, r.DB, lost) })
		if err == nil {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(unclaimInterval):
		}
	}
}

// bounded makes a call to the database with the call timeout.
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

// handle runs Handle. If it fails, panics or is cancelled, handle calls reschedule. If that fails as well, the
// row is due again when the lease expires.
func (r *Runner) handle(ctx context.Context, c Claim) {
	ctx, span := tracing.Start(ctx, trace.SpanKindConsumer, r.name, tracing.AccountID(c.AccountID),
		attribute.String("cardvault.key", c.Key), attribute.Int("cardvault.attempt", c.Attempts))
	defer span.End()
	err := r.try(ctx, c)
	span.Fail(tracing.Class(err))
	if err != nil {
		r.failed(ctx, c, err)
	}
}

// reschedule makes the row of a failed claim due after Backoff. If the end of ctx cancelled the work, the row
// is due at once, for another process, and the attempt does not count. reschedule itself ignores the end
// of ctx.
func (r *Runner) reschedule(ctx context.Context, c Claim, failure error) (err error) {
	cancelled := ctx.Err() != nil
	var wait time.Duration
	if !cancelled {
		wait = r.Backoff(c, failure)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rescheduleTimeout)
	defer cancel()
	if cancelled {
		_, err = r.Queue.Requeue(ctx, r.DB, c, 0)
	} else {
		_, err = r.Queue.Retry(ctx, r.DB, c, wait, r.failure(failure))
	}
	return err
}

// failure returns why an attempt failed with err.
func (r *Runner) failure(err error) Failure {
	if r.Reason == nil {
		return Failure{waiting.Problem, err}
	}
	return Failure{r.Reason(err), err}
}

func (r *Runner) try(ctx context.Context, c Claim) (err error) {
	defer worker.Recover(&err)
	ctx, cancel := context.WithTimeout(ctx, r.Lease)
	defer cancel()
	return r.Handle(caller.WithActor(ctx, caller.Actor{Type: caller.WorkerActor, ID: r.name}), c)
}
