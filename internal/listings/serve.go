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
	"github.com/cardvault/cardvault/internal/listings/marketplaces"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/tracing"
)

// giveUpAfter is how long publishing is tried. After that the listing fails, but not before the
// marketplace has confirmed that there is nothing to be bought: a try whose answer was lost may
// have put it up.
const giveUpAfter = 24 * time.Hour

// errClaimLost rolls a result back whose claim another worker or the seller has made void.
var errClaimLost = errors.New("listings: the claim was lost")

// unhurried is a failure to learn something of a live listing: that can wait as long as the next look.
type unhurried struct{ error }

// Unwrap lets the cause be found.
func (u unhurried) Unwrap() error { return u.error }

// serve asks the marketplace what one listing needs asked and writes down the answer.
func (w *Worker) serve(ctx context.Context, claim queue.Claim) error {
	j := newJob(claim)
	l, err := find(ctx, w.db, j.AccountID, j.Key)
	if err != nil {
		return err
	}
	err = w.ask(ctx, j, l)
	if err == nil || errors.Is(err, errClaimLost) {
		return nil
	}
	err = fmt.Errorf("listings: %s on %s: %w", l.Status, l.Marketplace, err)
	if l.Status == Live {
		return unhurried{err}
	}
	return err
}

// serveAgain is how long to wait before what failed with err is asked again.
func (w *Worker) serveAgain(claim queue.Claim, err error) time.Duration {
	wait := waitAfter(claim, err)
	if errors.As(err, new(unhurried)) {
		return max(wait, w.cfg.StatusEvery)
	}
	return wait
}

func (w *Worker) ask(ctx context.Context, j job, l Listing) error {
	if !l.UnderWay() {
		_, err := w.work.Finish(ctx, w.db, j.Claim)
		return err
	}
	seller, err := w.seller(l.AccountID, l.Marketplace)
	if err != nil {
		return err
	}
	switch {
	case l.Status == Ending:
		return w.end(ctx, j, l, seller)
	case l.Status == Live:
		return w.look(ctx, j, l, seller)
	case w.clock.Time().Sub(l.CreatedAt) > giveUpAfter:
		return w.giveUp(ctx, j, l, seller)
	}
	return w.publish(ctx, j, l, seller)
}

func (w *Worker) seller(accountID, marketplace string) (marketplaces.Marketplace, error) {
	seller, ok := w.cfg.Sellers[marketplace]
	if !ok {
		return nil, fmt.Errorf("listings: no marketplace %q is set up", marketplace)
	}
	return seller(accountID), nil
}

func (w *Worker) publish(ctx context.Context, j job, l Listing, seller marketplaces.Marketplace) error {
	card, err := w.cards.Get(ctx, l.AccountID, l.CardID)
	if err != nil {
		return err
	}
	offer := w.offer(l, card)
	var published marketplaces.Published
	err = within(ctx, j, "marketplace publish", func(ctx context.Context) (err error) {
		published, err = seller.Publish(ctx, offer)
		return err
	})
	if refusal, ok := marketplaces.AsRefusal(err); ok {
		return w.settle(ctx, j, func(l Listing, _ time.Time) []Listing {
			return []Listing{l.failed(refusal.Code, refusal.Message)}
		})
	}
	if err != nil {
		return err
	}
	return w.settle(ctx, j, func(l Listing, now time.Time) []Listing {
		return follow(l, marketplaces.Status{State: marketplaces.Live, ExternalID: published.ExternalID, URL: published.URL}, now)
	})
}

// offer is the listing in the marketplace's terms. Its identifier is the key that makes publishing
// repeatable.
func (w *Worker) offer(l Listing, card cards.Card) marketplaces.Offer {
	d := card.Identification.Description
	offer := marketplaces.Offer{
		SKU: l.ID, Title: l.Title, Price: l.Price, ImageURLs: w.cfg.ImageURLs(card, w.clock.Time()),
		Game: text(d.Game), Set: text(d.Set), Number: text(d.Number), Condition: text(d.Condition),
	}
	if g := d.Grade; g != nil {
		offer.Grade = &marketplaces.Grade{Company: g.Company, Value: g.Value, CertNumber: text(g.CertNumber)}
	}
	return offer
}

// giveUp has the marketplace take down what may be there, and then lets the listing fail.
func (w *Worker) giveUp(ctx context.Context, j job, l Listing, seller marketplaces.Marketplace) error {
	seen, err := take(ctx, j, l, seller)
	if err != nil {
		return err
	}
	return w.settle(ctx, j, func(l Listing, now time.Time) []Listing {
		if seen.State == marketplaces.Sold {
			return follow(l, seen, now)
		}
		return []Listing{l.failed(Unreachable, "The marketplace could not be reached for a day. Publish the card again.")}
	})
}

func (w *Worker) end(ctx context.Context, j job, l Listing, seller marketplaces.Marketplace) error {
	seen, err := take(ctx, j, l, seller)
	if err != nil {
		return err
	}
	return w.settle(ctx, j, func(l Listing, now time.Time) []Listing { return follow(l, seen, now) })
}

// take has the listing taken down and returns what became of it. It is an error if it may still be
// bought, or was bought by an order that does not show yet.
func take(ctx context.Context, j job, l Listing, seller marketplaces.Marketplace) (seen marketplaces.Status, err error) {
	err = within(ctx, j, "marketplace end", func(ctx context.Context) (err error) {
		seen, err = seller.End(ctx, l.atMarketplace())
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

// look learns whether a live listing is still there.
func (w *Worker) look(ctx context.Context, j job, l Listing, seller marketplaces.Marketplace) error {
	var seen marketplaces.Status
	err := within(ctx, j, "marketplace status", func(ctx context.Context) (err error) {
		seen, err = seller.Status(ctx, l.atMarketplace())
		return err
	})
	if err != nil {
		return err
	}
	if len(follow(l, seen, w.clock.Time())) == 0 {
		_, err := w.work.Repeat(ctx, w.db, j.Claim, spread(w.cfg.StatusEvery))
		return err
	}
	return w.settle(ctx, j, func(l Listing, now time.Time) []Listing { return follow(l, seen, now) })
}

// atMarketplace names the listing at the marketplace. The request was before anybody could buy.
func (l Listing) atMarketplace() marketplaces.Ref {
	return marketplaces.Ref{SKU: l.ID, PublishedAt: l.CreatedAt}
}

// within makes a call to a marketplace that ends well before the claim does. name is its span's.
func within(ctx context.Context, j job, name string, call func(context.Context) error) error {
	ctx, cancel := context.WithDeadline(ctx, j.callBy)
	defer cancel()
	ctx, span := tracing.Child(ctx, trace.SpanKindInternal, name)
	defer span.End()
	err := call(ctx)
	if refusal, ok := marketplaces.AsRefusal(err); ok {
		span.Set(attribute.String("cardvault.refusal", refusal.Code))
		return err
	}
	span.Fail(tracing.Class(err))
	return err
}

// settle takes the claimed listing through the states that change returns, and gives up the claim:
// for good when the listing is over, else until its next look is due.
func (w *Worker) settle(ctx context.Context, j job, change func(l Listing, now time.Time) []Listing) error {
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
	if l.UnderWay() {
		return w.work.Repeat(ctx, tx, claim, spread(w.cfg.StatusEvery))
	}
	return w.work.Finish(ctx, tx, claim)
}
