package listings

import (
	"context"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
)

// revise gives the listing at the marketplace the wanted title and price. The claim is not voided by later requests, so
// no two calls overlap.
func (w *Worker) revise(ctx context.Context, j job, l Listing, seller marketplaces.Marketplace) error {
	card, err := w.cards.Get(ctx, l.AccountID, l.CardID)
	if err != nil {
		return err
	}
	allowed, err := countRevisions(ctx, w.db, l.AccountID, w.clock.Time(), []string{l.ID})
	if err != nil {
		return err
	}
	if !allowed[l.ID] {
		return w.delayRevision(ctx, j)
	}
	sent := w.offer(l, card)
	var seen marketplaces.Status
	err = call(ctx, j, "marketplace revise", func(ctx context.Context) (err error) {
		seen, err = seller.Revise(ctx, sent)
		return err
	})
	return w.storeRevised(ctx, j, sent, marketplaces.ReviseResult{Status: seen, Err: err})
}

// storeRevised stores the result of a revision to the offer that was sent.
func (w *Worker) storeRevised(ctx context.Context, j job, sent marketplaces.Offer, r marketplaces.ReviseResult) error {
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
	return w.storeResult(ctx, j, func(l Listing, now time.Time) []Listing { return transitions(l, r.Status, now) })
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
