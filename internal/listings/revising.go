package listings

import (
	"context"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
)

// revise gives the listings at the marketplace the wanted titles and prices. Later requests do not void the claims, so
// no two calls for a listing overlap.
func (w *Worker) revise(ctx context.Context, seller marketplaces.Marketplace, tasks []*task) {
	w.describe(ctx, tasks)
	w.limitRevisions(ctx, open(tasks))
	ready := open(tasks)
	results := callAll(ctx, ready, "marketplace revise", func(ctx context.Context) []marketplaces.Result {
		return seller.Revise(ctx, offers(ready))
	})
	for i, t := range ready {
		t.finish(w.storeRevised(ctx, t, results[i]))
	}
}

// storeRevised stores the result of a revision.
func (w *Worker) storeRevised(ctx context.Context, t *task, r marketplaces.Result) error {
	j, sent := t.job, t.offer
	refusal, refused := marketplaces.AsRefusal(r.Err)
	switch {
	case refused:
		failure := &Failure{Code: sanitize(refusal.Code, 60), Message: sanitize(refusal.Message, 500)}
		return w.storeResult(ctx, j, func(l Listing, _ time.Time) []Listing { return l.answered(sent, failure) })
	case r.Err != nil:
		return r.Err
	case r.State == marketplaces.Live:
		return w.storeResult(ctx, j, func(l Listing, _ time.Time) []Listing { return l.answered(sent, nil) })
	case r.State == marketplaces.Sold && !known(r.Status):
		return fmt.Errorf("listings: %s was sold, but the marketplace does not return the order yet", sent.ListingID)
	}
	return w.storeStatus(ctx, j, r.Status)
}

// answered returns the listing after the marketplace took the title and the price that were sent, or refused them. It
// returns nothing if the listing has other ones by now: they are still to be sent.
func (l Listing) answered(sent marketplaces.Offer, failure *Failure) []Listing {
	if l.Status != Live || l.Revision.Status != RevisionPending || l.Title != sent.Title || l.Price != sent.Price {
		return nil
	}
	l = l.to(Live)
	l.Revision = Revision{Status: RevisionDone}
	if failure != nil {
		l.Revision = Revision{Status: RevisionFailed, Failure: failure}
	}
	return []Listing{l}
}

// reschedule is Queue.Repeat or Queue.Retry.
type reschedule func(ctx context.Context, db postgres.Querier, c queue.Claim, wait time.Duration) (held bool, err error)

// retry returns Queue.Retry after a failure.
func (w *Worker) retry(failure error) reschedule {
	return func(ctx context.Context, db postgres.Querier, c queue.Claim, wait time.Duration) (held bool, err error) {
		return w.work.Retry(ctx, db, c, wait, queue.Failure{Reason: waitReason(failure), Err: failure})
	}
}

// rescheduleCheck makes the next status check due after wait. If a revision was requested during this check, it makes
// the revision due at once.
func (w *Worker) rescheduleCheck(ctx context.Context, j job, by reschedule, wait time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, queue.StoreTime)
	defer cancel()
	return w.db.InTx(ctx, func(tx *postgres.Tx) error {
		held, err := by(ctx, tx, j.Claim, wait)
		if err != nil || !held {
			return err
		}
		// A request that comes later finds the row without a claim.
		l, err := find(ctx, tx, j.AccountID, j.Key)
		if err != nil || l.Revision.Status != RevisionPending {
			return err
		}
		return w.work.EnqueueUnclaimed(ctx, tx, j.AccountID, j.Key)
	})
}
