package queue

import (
	"context"
	"log/slog"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/tracing"
	"github.com/cardvault/cardvault/internal/worker"
)

// Groups makes a Runner handle several claims of an account together, as one unit of its concurrency.
type Groups struct {
	// Size is the largest number of claims of a group.
	Size int
	// Split divides due rows of an account into groups of at most Size keys. It keeps the order in which the rows
	// are due: a group stands where its first row stood. A row that belongs to no other is a group of one.
	Split func(ctx context.Context, account string, due []Due) ([][]string, error)
	// Handle does the work of the claims of a group and finishes them. It returns an error per claim, in their order; a
	// claim with an error is retried after Runner.Backoff. A group of one claim is passed to Runner.Handle.
	Handle func(ctx context.Context, claims []Claim) []error
}

// claimGroups claims the first groups of the account's due rows, at most room. It returns none if other workers were
// faster.
func (r *Runner) claimGroups(ctx context.Context, account string, room int) ([][]Claim, error) {
	due, err := r.Queue.Due(ctx, r.DB, account, room*r.Groups.Size)
	if err != nil || len(due) == 0 {
		return nil, err
	}
	split, err := r.Groups.Split(ctx, account, due)
	if err != nil {
		return nil, err
	}
	split = split[:min(room, len(split))]
	var keys []string
	group := map[string]int{}
	for i, members := range split {
		for _, key := range members {
			keys, group[key] = append(keys, key), i
		}
	}
	claims, err := r.Queue.ClaimKeys(ctx, r.DB, account, keys, r.Lease)
	if err != nil {
		return nil, err
	}
	batches := make([][]Claim, len(split))
	for _, c := range claims {
		batches[group[c.Key]] = append(batches[group[c.Key]], c)
	}
	var groups [][]Claim
	for _, members := range batches {
		if len(members) > 0 {
			groups = append(groups, members)
		}
	}
	return groups, nil
}

// handleGroup is handle for the claims of a group.
func (r *Runner) handleGroup(ctx context.Context, claims []Claim) {
	ctx, span := tracing.Start(ctx, trace.SpanKindConsumer, r.name, tracing.AccountID(claims[0].AccountID),
		attribute.Int("cardvault.claims", len(claims)))
	defer span.End()
	for i, err := range r.tryGroup(ctx, claims) {
		if err != nil {
			span.Fail(tracing.Class(err))
			r.failed(ctx, claims[i], err)
		}
	}
}

// tryGroup calls Groups.Handle. If it panics, that is the error of every claim.
func (r *Runner) tryGroup(ctx context.Context, claims []Claim) (errs []error) {
	ctx, cancel := context.WithTimeout(ctx, r.Lease)
	defer cancel()
	err := func() (err error) {
		defer worker.Recover(&err)
		errs = r.Groups.Handle(caller.WithActor(ctx, caller.Actor{Type: caller.WorkerActor, ID: r.name}), claims)
		return nil
	}()
	if err != nil {
		errs = make([]error, len(claims))
		for i := range errs {
			errs[i] = err
		}
	}
	return errs
}

// failed logs the error of a claim and reschedules it.
func (r *Runner) failed(ctx context.Context, c Claim, failure error) {
	slog.WarnContext(ctx, "work failed and will be retried", "worker", r.name,
		"account_id", c.AccountID, "key", c.Key, "attempt", c.Attempts, "error", failure)
	if err := r.reschedule(ctx, c, failure); err != nil {
		slog.WarnContext(ctx, "work could not be rescheduled and waits for its lease to expire",
			"worker", r.name, "key", c.Key, "error", err)
	}
}
