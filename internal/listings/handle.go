package listings

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/queue"
)

// publishTimeout is how long publishing is retried while the account is connected. After that the listing fails, but
// only once the marketplace confirms that it is not for sale, because an attempt whose response was lost may have
// published it.
const publishTimeout = 24 * time.Hour

// errNotEnded means that a listing was to be ended and can still be bought.
var errNotEnded = errors.New("the marketplace has not ended the listing yet")

// errClaimLost rolls back a result whose claim was taken by another worker or voided by the seller.
var errClaimLost = errors.New("listings: the claim was lost")

// statusCheckError is a failed status check of a live listing. It is not urgent: it is retried after
// Config.StatusInterval at the earliest.
type statusCheckError struct{ error }

// Unwrap returns the cause.
func (u statusCheckError) Unwrap() error { return u.error }

// handleOne implements queue.Runner.Handle.
func (w *Worker) handleOne(ctx context.Context, claim queue.Claim) error {
	return w.handle(ctx, []queue.Claim{claim})[0]
}

// handle implements queue.Groups.Handle: it makes the marketplace calls that the listings wait for and stores the
// results.
func (w *Worker) handle(ctx context.Context, claims []queue.Claim) []error {
	jobs := make([]job, len(claims))
	for i, c := range claims {
		jobs[i] = newJob(c)
	}
	return w.handleJobs(ctx, jobs)
}

func (w *Worker) handleJobs(ctx context.Context, jobs []job) []error {
	tasks, err := w.load(ctx, jobs)
	if err != nil {
		return slices.Repeat([]error{err}, len(jobs))
	}
	w.perform(ctx, open(tasks))
	errs := make([]error, len(tasks))
	for i, t := range tasks {
		errs[i] = t.err
	}
	return errs
}

// perform performs the steps that the listings wait for. Listings that were claimed together usually wait for the same
// step; one whose state has changed since is handled after the others.
func (w *Worker) perform(ctx context.Context, tasks []*task) {
	now := w.clock.Time()
	for len(tasks) > 0 {
		marketplace, step := tasks[0].listing.Marketplace, tasks[0].listing.step(now)
		most := step.most(w.cfg.Markets[marketplace].Limits)
		var group, others []*task
		for _, t := range tasks {
			if len(group) < most && t.listing.Marketplace == marketplace && t.listing.step(now) == step {
				group = append(group, t)
			} else {
				others = append(others, t)
			}
		}
		w.performStep(ctx, step, group)
		for _, t := range group {
			t.err = w.outcome(ctx, step, t)
		}
		tasks = others
	}
}

// performStep performs one step of listings on one marketplace and finishes their tasks.
func (w *Worker) performStep(ctx context.Context, step step, tasks []*task) {
	first := tasks[0]
	switch step { // without the marketplace
	case stepFinish:
		_, err := w.work.Finish(ctx, w.db, first.Claim)
		first.finish(err)
		return
	case stepGiveUp:
		first.finish(w.giveUp(ctx, first.job))
		return
	}
	seller, err := w.seller(first.AccountID, first.listing.Marketplace)
	if err != nil {
		finishAll(tasks, err)
		return
	}
	switch step {
	case stepPublish:
		w.publish(ctx, seller, tasks)
	case stepOverdue:
		w.publishOrAbandon(ctx, seller, first)
	case stepAbandon:
		w.abandon(ctx, seller, first)
	case stepRevise:
		w.revise(ctx, seller, tasks)
	case stepEnd:
		w.end(ctx, seller, tasks)
	case stepCheck:
		first.finish(w.checkStatus(ctx, seller, first))
	}
}

// outcome returns the error with which the claim of a task is retried. A lost claim is no error. A failed status check
// is rescheduled here.
func (w *Worker) outcome(ctx context.Context, step step, t *task) error {
	if t.err == nil || errors.Is(t.err, errClaimLost) {
		return nil
	}
	err := fmt.Errorf("listings: %s on %s: %w", t.listing.Status, t.listing.Marketplace, t.err)
	if step != stepCheck {
		return err
	}
	err = statusCheckError{err}
	return errors.Join(err, w.rescheduleCheck(ctx, t.job, w.retry(err), w.handleBackoff(t.Claim, err)))
}

// handleBackoff returns the delay before a claim that failed with err is handled again.
func (w *Worker) handleBackoff(claim queue.Claim, err error) time.Duration {
	wait := retryDelay(claim, err)
	if errors.As(err, new(statusCheckError)) {
		return max(wait, w.cfg.StatusInterval)
	}
	return wait
}

func (w *Worker) seller(accountID, marketplace string) (marketplaces.Marketplace, error) {
	market, ok := w.cfg.Markets[marketplace]
	if !ok {
		return nil, fmt.Errorf("listings: marketplace %q is not configured", marketplace)
	}
	return market.Seller(accountID), nil
}

// publish publishes listings, after the upload of their pictures if the marketplace stores these itself.
func (w *Worker) publish(ctx context.Context, seller marketplaces.Marketplace, tasks []*task) {
	w.describe(ctx, tasks)
	w.uploadPictures(ctx, seller, open(tasks))
	ready := open(tasks)
	results := callAll(ctx, ready, "marketplace publish", func(ctx context.Context) []marketplaces.Result {
		return seller.Publish(ctx, offers(ready))
	})
	for i, t := range ready {
		t.finish(w.storePublished(ctx, t.job, results[i]))
	}
}

// storePublished stores the result of publishing a listing.
func (w *Worker) storePublished(ctx context.Context, j job, published marketplaces.Result) error {
	if refusal, ok := marketplaces.AsRefusal(published.Err); ok {
		return w.storeResult(ctx, j, func(l Listing, _ time.Time) []Listing {
			return []Listing{l.failed(refusal.Code, refusal.Message)}
		})
	}
	if published.Err != nil {
		return published.Err
	}
	return w.storeStatus(ctx, j, published.Status)
}

// publishOrAbandon publishes a listing that was requested long ago, unless the account was connected long enough to
// publish it. The time without a connection does not count.
func (w *Worker) publishOrAbandon(ctx context.Context, seller marketplaces.Marketplace, t *task) {
	since := t.listing.CreatedAt
	if connected, ok := seller.(marketplaces.Connected); ok {
		at, err := connected.ConnectedSince(ctx)
		if err != nil {
			t.finish(err)
			return
		}
		if at.After(since) {
			since = at
		}
	}
	if w.clock.Time().Sub(since) > publishTimeout {
		w.abandon(ctx, seller, t)
		return
	}
	w.publish(ctx, seller, []*task{t})
}

// abandon takes down what an earlier attempt may have published and fails the listing.
func (w *Worker) abandon(ctx context.Context, seller marketplaces.Marketplace, t *task) {
	seen := takeDown(ctx, seller, []*task{t})[0]
	if seen.Err != nil {
		t.finish(seen.Err)
		return
	}
	t.finish(w.storeResult(ctx, t.job, func(l Listing, now time.Time) []Listing {
		if seen.State == marketplaces.Sold {
			return transitions(l, seen.Status, now)
		}
		switch text(l.EndReason) {
		case SoldElsewhere:
			return []Listing{l.failed(SoldElsewhere, "The card was sold before the listing was live.")}
		case EndedBySeller:
			return []Listing{l.failed(EndedBySeller, "The listing was withdrawn before it was live.")}
		}
		const message = "The marketplace could not be reached for a day. Publish the card again."
		return []Listing{l.failed(Unreachable, message)}
	}))
}

// end ends listings.
func (w *Worker) end(ctx context.Context, seller marketplaces.Marketplace, tasks []*task) {
	results := takeDown(ctx, seller, tasks)
	for i, t := range tasks {
		err := results[i].Err
		if err == nil {
			err = w.storeStatus(ctx, t.job, results[i].Status)
		}
		t.finish(err)
	}
}

// takeDown ends listings at the marketplace and returns their states there. A listing that can still be bought, or was
// sold and whose order is not visible yet, has an error.
func takeDown(ctx context.Context, seller marketplaces.Marketplace, tasks []*task) []marketplaces.Result {
	results := callAll(ctx, tasks, "marketplace end", func(ctx context.Context) []marketplaces.Result {
		return seller.End(ctx, refs(tasks))
	})
	for i := range results {
		r := &results[i]
		if r.Err == nil && (r.State == marketplaces.Live || r.State == marketplaces.Sold && !known(r.Status)) {
			r.Err = fmt.Errorf("listings: %s is %s: %w", tasks[i].Key, r.State, errNotEnded)
		}
	}
	return results
}

// checkStatus checks whether a live listing still exists at the marketplace.
func (w *Worker) checkStatus(ctx context.Context, seller marketplaces.Marketplace, t *task) error {
	var seen marketplaces.Status
	err := call(ctx, t.job, "marketplace status", func(ctx context.Context) (err error) {
		seen, err = seller.Status(ctx, t.listing.marketplaceRef())
		return err
	})
	if err != nil {
		return err
	}
	if len(transitions(t.listing, seen, w.clock.Time())) == 0 {
		return w.rescheduleCheck(ctx, t.job, w.work.Repeat, withJitter(w.cfg.StatusInterval))
	}
	return w.storeStatus(ctx, t.job, seen)
}

// marketplaceRef identifies the listing at the marketplace. CreatedAt is before any sale.
func (l Listing) marketplaceRef() marketplaces.Ref {
	return marketplaces.Ref{ListingID: l.ID, PublishedAt: l.CreatedAt}
}
