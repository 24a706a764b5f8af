package queue

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/tracing"
	"github.com/cardvault/cardvault/internal/worker"
)

// Runner works a queue off in the background: it claims what is due, of each account in turn and no
// more than it has slots for, and hands each claim to Handle. No claim waits for another's end.
type Runner struct {
	Queue *Queue
	DB    *postgres.DB
	// Parallel is how many claims are worked on at once; one account has at most half of them, and
	// at least one.
	Parallel int
	// Lease is how long a claim holds; it must be longer than Handle ever takes.
	Lease time.Duration
	// Every is the longest pause between two looks for work that nobody woke the runner for: another
	// process's, or a crashed one's whose lease ran out. 0 means 1 s.
	Every time.Duration
	// Handle does the work of one claim and finishes it. A claim it returns an error for is given
	// back, to be tried again after Backoff.
	Handle func(ctx context.Context, c Claim) error
	// Backoff is how long to wait after an attempt that failed with err.
	Backoff func(c Claim, err error) time.Duration

	name  string // of the loop, and of its claims' spans
	loop  *worker.Periodic
	slots slots
	last  string // the account whose turn was the last
}

const (
	// lookEvery is how often a runner looks for work unless it says otherwise.
	lookEvery = time.Second
	// giveBackTime is how long giving a claim back may take, even after the end of a stop.
	giveBackTime = 2 * time.Second
)

// Loop returns the runner as a background part named name, woken by its queue. Call it once.
func (r *Runner) Loop(name string) *worker.Periodic {
	r.name = name
	r.loop = worker.NewPeriodic(name, cmp.Or(r.Every, lookEvery), r.round)
	r.Queue.OnWork(r.loop.Wake)
	return r.loop
}

// round gives each account a turn, until the runner is to stop. It reports whether there may be more
// that can be claimed at once; for what has to wait for a slot, the slot's end wakes the loop.
func (r *Runner) round(ctx context.Context) (more bool, err error) {
	owners, err := r.Queue.Owners(ctx, r.DB)
	if err != nil {
		return false, err
	}
	for _, owner := range r.inTurn(owners) {
		if r.loop.Stopping() {
			return false, nil
		}
		full, err := r.turn(ctx, owner)
		if err != nil {
			return false, err
		}
		more = more || full
	}
	return more, nil
}

// inTurn begins with the account after the one that had the last turn: the first ones must not get
// every slot that becomes free.
func (r *Runner) inTurn(owners []string) []string {
	slices.Sort(owners)
	next, found := slices.BinarySearch(owners, r.last)
	if found {
		next++
	}
	return slices.Concat(owners[next:], owners[:next])
}

// turn claims as much of the account's work as there are slots for, and has it done. It takes the
// slots first: a lease must not run while its claim waits for one.
func (r *Runner) turn(ctx context.Context, owner string) (full bool, err error) {
	room := r.slots.take(owner, r.Parallel)
	if room == 0 {
		return false, nil
	}
	r.last = owner
	claims, err := r.Queue.Claim(ctx, r.DB, owner, room, r.Lease)
	r.free(owner, room-len(claims))
	for _, c := range claims {
		r.loop.Go(func() {
			defer r.free(owner, 1)
			r.handle(ctx, c)
		})
	}
	return len(claims) == room, err
}

func (r *Runner) free(owner string, n int) {
	if r.slots.free(owner, n) {
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
		slog.WarnContext(ctx, "work was not given back; it comes back with its lease", "worker", r.name, "key", c.Key, "error", err)
	}
}

// giveBack has the claim tried again after Backoff. One that was cut off by the end of ctx is for
// another process to take at once, and was no attempt. Neither is itself cut off.
func (r *Runner) giveBack(ctx context.Context, c Claim, failure error) (err error) {
	cut, now := ctx.Err() != nil, r.Queue.clock.Time()
	var wait time.Duration
	if !cut {
		wait = r.Backoff(c, failure)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), giveBackTime)
	defer cancel()
	if cut {
		_, err = r.Queue.PutBack(ctx, r.DB, c, now)
	} else {
		_, err = r.Queue.Retry(ctx, r.DB, c, now.Add(wait))
	}
	return err
}

func (r *Runner) try(ctx context.Context, c Claim) (err error) {
	defer worker.Recover(&err)
	return r.Handle(ctx, c)
}
