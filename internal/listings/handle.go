package listings

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/tracing"
)

// publishTimeout is how long publishing is retried while the account is connected. After that the listing fails, but
// only once the marketplace confirms that it is not for sale, because an attempt whose response was lost may have
// published it.
const publishTimeout = 24 * time.Hour

// errClaimLost rolls back a result whose claim was taken by another worker or voided by the seller.
var errClaimLost = errors.New("listings: the claim was lost")

// statusCheckError is a failed status check of a live listing. It is not urgent: it is retried after
// Config.StatusInterval at the earliest.
type statusCheckError struct{ error }

// Unwrap returns the cause.
func (u statusCheckError) Unwrap() error { return u.error }

// handle makes the marketplace call that a listing is waiting for and stores the result.
func (w *Worker) handle(ctx context.Context, claim queue.Claim) error {
	return w.handleJob(ctx, newJob(claim))
}

func (w *Worker) handleJob(ctx context.Context, j job) error {
	l, err := find(ctx, w.db, j.AccountID, j.Key)
	if err != nil {
		return err
	}
	err = unlessLost(l, w.dispatch(ctx, j, l))
	if err == nil {
		return nil
	}
	if l.Status == Live && l.Revision.Status != RevisionPending {
		err = statusCheckError{err}
		return errors.Join(err, w.rescheduleCheck(ctx, j, w.work.Retry, w.handleBackoff(j.Claim, err)))
	}
	return err
}

// unlessLost returns the error of work for a listing, or nil if the claim was lost.
func unlessLost(l Listing, err error) error {
	if err == nil || errors.Is(err, errClaimLost) {
		return nil
	}
	return fmt.Errorf("listings: %s on %s: %w", l.Status, l.Marketplace, err)
}

// handleBackoff returns the delay before a claim that failed with err is handled again.
func (w *Worker) handleBackoff(claim queue.Claim, err error) time.Duration {
	wait := retryDelay(claim, err)
	if errors.As(err, new(statusCheckError)) {
		return max(wait, w.cfg.StatusInterval)
	}
	return wait
}

// dispatch selects the marketplace call by the listing's status.
func (w *Worker) dispatch(ctx context.Context, j job, l Listing) error {
	if !l.UnderWay() {
		_, err := w.work.Finish(ctx, w.db, j.Claim)
		return err
	}
	if text(l.EndReason) == GivenUp {
		return w.giveUp(ctx, j)
	}
	seller, err := w.seller(l.AccountID, l.Marketplace)
	if err != nil {
		return err
	}
	switch {
	case l.Status == Ending:
		return w.end(ctx, j, l, seller)
	case l.Status == Live && l.Revision.Status == RevisionPending:
		return w.revise(ctx, j, l, seller)
	case l.Status == Live:
		return w.checkStatus(ctx, j, l, seller)
	}
	since, err := publishingSince(ctx, l, seller)
	if err != nil {
		return err
	}
	if l.EndReason != nil || w.clock.Time().Sub(since) > publishTimeout {
		return w.abandon(ctx, j, l, seller)
	}
	return w.publish(ctx, j, l, seller)
}

// publishingSince returns the time from which publishTimeout counts: the time without a connection does not.
func publishingSince(ctx context.Context, l Listing, seller marketplaces.Marketplace) (time.Time, error) {
	connected, ok := seller.(marketplaces.Connected)
	if !ok {
		return l.CreatedAt, nil
	}
	since, err := connected.ConnectedSince(ctx)
	if since.Before(l.CreatedAt) {
		since = l.CreatedAt
	}
	return since, err
}

func (w *Worker) seller(accountID, marketplace string) (marketplaces.Marketplace, error) {
	seller, ok := w.cfg.Sellers[marketplace]
	if !ok {
		return nil, fmt.Errorf("listings: marketplace %q is not configured", marketplace)
	}
	return seller(accountID), nil
}

func (w *Worker) publish(ctx context.Context, j job, l Listing, seller marketplaces.Marketplace) error {
	card, err := w.cards.Get(ctx, l.AccountID, l.CardID)
	if err != nil {
		return err
	}
	errs := make([]error, 1)
	ready := w.withPictures(ctx, []task{w.task(j, 0, l, card)}, seller, errs)
	if len(ready) == 0 {
		return errs[0]
	}
	var published marketplaces.Published
	err = call(ctx, j, "marketplace publish", func(ctx context.Context) (err error) {
		published, err = seller.Publish(ctx, ready[0].offer)
		return err
	})
	return w.storePublished(ctx, j, marketplaces.PublishResult{Published: published, Err: err})
}

// storePublished stores the result of publishing a listing.
func (w *Worker) storePublished(ctx context.Context, j job, published marketplaces.PublishResult) error {
	if refusal, ok := marketplaces.AsRefusal(published.Err); ok {
		return w.storeResult(ctx, j, func(l Listing, _ time.Time) []Listing {
			return []Listing{l.failed(refusal.Code, refusal.Message)}
		})
	}
	if published.Err != nil {
		return published.Err
	}
	seen := marketplaces.Status{State: marketplaces.Live, ExternalID: published.ExternalID, URL: published.URL}
	return w.storeResult(ctx, j, func(l Listing, now time.Time) []Listing { return transitions(l, seen, now) })
}

// offer returns the listing as the marketplace needs it.
func (w *Worker) offer(l Listing, card cards.Card) marketplaces.Offer {
	offer := Describe(card.Identification.Description)
	offer.ListingID, offer.Title, offer.Price = l.ID, l.Title, l.Price
	offer.ImageURLs = w.cfg.ImageURLs(card, w.clock.Time())
	return offer
}

// abandon takes down what an earlier attempt may have published and fails the listing.
func (w *Worker) abandon(ctx context.Context, j job, l Listing, seller marketplaces.Marketplace) error {
	seen, err := takeDown(ctx, j, l, seller)
	if err != nil {
		return err
	}
	return w.storeResult(ctx, j, func(l Listing, now time.Time) []Listing {
		if seen.State == marketplaces.Sold {
			return transitions(l, seen, now)
		}
		switch text(l.EndReason) {
		case SoldElsewhere:
			return []Listing{l.failed(SoldElsewhere, "The card was sold before the listing was live.")}
		case EndedBySeller:
			return []Listing{l.failed(EndedBySeller, "The listing was withdrawn before it was live.")}
		}
		const message = "The marketplace could not be reached for a day. Publish the card again."
		return []Listing{l.failed(Unreachable, message)}
	})
}

func (w *Worker) end(ctx context.Context, j job, l Listing, seller marketplaces.Marketplace) error {
	seen, err := takeDown(ctx, j, l, seller)
	if err != nil {
		return err
	}
	return w.storeResult(ctx, j, func(l Listing, now time.Time) []Listing { return transitions(l, seen, now) })
}

// takeDown ends the listing at the marketplace and returns its state there. It returns an error if
// the listing can still be bought, or was sold and its order is not visible yet.
func takeDown(
	ctx context.Context, j job, l Listing, seller marketplaces.Marketplace,
) (seen marketplaces.Status, err error) {
	err = call(ctx, j, "marketplace end", func(ctx context.Context) (err error) {
		seen, err = seller.End(ctx, l.marketplaceRef())
		return err
	})
	switch {
	case err != nil:
		return seen, err
	case seen.State == marketplaces.Live, seen.State == marketplaces.Sold && !known(seen):
		return seen, fmt.Errorf("listings: the marketplace has not ended %s yet: it is %s", l.ID, seen.State)
	}
	return seen, nil
}

// checkStatus checks whether a live listing still exists at the marketplace.
func (w *Worker) checkStatus(ctx context.Context, j job, l Listing, seller marketplaces.Marketplace) error {
	var seen marketplaces.Status
	err := call(ctx, j, "marketplace status", func(ctx context.Context) (err error) {
		seen, err = seller.Status(ctx, l.marketplaceRef())
		return err
	})
	if err != nil {
		return err
	}
	if len(transitions(l, seen, w.clock.Time())) == 0 {
		return w.rescheduleCheck(ctx, j, w.work.Repeat, withJitter(w.cfg.StatusInterval))
	}
	return w.storeResult(ctx, j, func(l Listing, now time.Time) []Listing { return transitions(l, seen, now) })
}

// marketplaceRef identifies the listing at the marketplace. CreatedAt is before any sale.
func (l Listing) marketplaceRef() marketplaces.Ref {
	return marketplaces.Ref{ListingID: l.ID, PublishedAt: l.CreatedAt}
}

// call runs a marketplace call with a deadline well before the claim ends. name is the name of its span.
func call(ctx context.Context, j job, name string, do func(context.Context) error) error {
	ctx, cancel := context.WithDeadline(ctx, j.callBy)
	defer cancel()
	ctx, span := tracing.Child(ctx, trace.SpanKindInternal, name)
	defer span.End()
	err := do(ctx)
	if refusal, ok := marketplaces.AsRefusal(err); ok {
		span.Set(attribute.String("cardvault.refusal", refusal.Code))
		return err
	}
	span.Fail(tracing.Class(err))
	return err
}

// storeResult moves the claimed listing through the states that change returns and releases the claim:
// permanently if the listing is finished, otherwise until its next status check is due.
func (w *Worker) storeResult(ctx context.Context, j job, change func(l Listing, now time.Time) []Listing) error {
	ctx, cancel := context.WithTimeout(ctx, queue.StoreTime)
	defer cancel()
	return w.clock.Write(ctx, w.db, j.AccountID, func(tx *postgres.Tx, stamp clock.Stamp) error {
		l, err := find(ctx, tx, j.AccountID, j.Key)
		if err != nil {
			return err
		}
		if path := change(l, stamp.At); len(path) > 0 {
			if err := w.advance(ctx, tx, stamp, path); err != nil {
				return err
			}
			l = path[len(path)-1]
		}
		held, err := w.release(ctx, tx, j.Claim, l)
		if err == nil && !held {
			return errClaimLost
		}
		return err
	})
}

func (w *Worker) release(ctx context.Context, tx *postgres.Tx, claim queue.Claim, l Listing) (held bool, err error) {
	if l.Status == Ending || l.Status == Live && l.Revision.Status == RevisionPending {
		tx.AfterCommit(w.work.Wake)
		return w.work.Repeat(ctx, tx, claim, 0)
	}
	if l.UnderWay() {
		return w.work.Repeat(ctx, tx, claim, withJitter(w.cfg.StatusInterval))
	}
	return w.work.Finish(ctx, tx, claim)
}
