package listings

import (
	"context"
	"fmt"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// UpdateInput holds the changes of a live listing. Those that are nil leave the value as it is.
type UpdateInput struct {
	Price *money.Money // also becomes the card's asking price
	Title *string
}

// Match reports whether a listing of this version may be updated. A nil Match allows any version.
type Match func(version int64) bool

// Update changes the price and the title of a live listing and returns it. A Worker then revises the listing at the
// marketplace. Values that the listing has already change nothing, unless its last revision failed: then it is tried
// again. Update fails with listing_not_live, or with version_mismatch if match returns false.
func (s *Service) Update(
	ctx context.Context, accountID, listingID string, in UpdateInput, match Match,
) (l Listing, err error) {
	listingID, ok := id.Parse(id.Listing, listingID)
	if !ok {
		return Listing{}, NotFound()
	}
	if err := checkTerms(in.Price, in.Title); err != nil {
		return Listing{}, err
	}
	err = s.clock.Write(ctx, s.db, accountID, func(tx *postgres.Tx, stamp clock.Stamp) error {
		if l, err = find(ctx, tx, accountID, listingID); err != nil {
			return err
		}
		if match != nil && !match(l.Version) {
			return fault.New(fault.VersionMismatch,
				"The listing is at version %d by now. Read it again and repeat the change.", l.Version)
		}
		next, err := l.revise(in)
		if err != nil || next == l {
			return err
		}
		if next.Title != l.Title {
			if _, err := countRevisions(
				ctx, tx, accountID, stamp.At, []string{l.ID}, s.revisionsPerDay(l.Marketplace)); err != nil {
				return err
			}
		}
		l = next
		l.UpdatedAt = stamp.At
		return s.storeRevision(ctx, tx, stamp, l, in.Price)
	})
	if err != nil {
		return Listing{}, err
	}
	return l, nil
}

// revise returns the live listing with the values of in and a revision to them, or unchanged if nothing is to be done.
func (l Listing) revise(in UpdateInput) (Listing, error) {
	if l.Status != Live {
		return Listing{}, fault.New(fault.ListingNotLive,
			"This listing is %s; only a live one can be changed.", l.Status)
	}
	next, retry := l, l.Revision.Status == RevisionFailed && in != UpdateInput{}
	if in.Title != nil {
		next.Title = blank.Trim(*in.Title)
	}
	if in.Price != nil {
		if in.Price.Currency != l.Price.Currency {
			return Listing{}, fault.Invalid("price.currency",
				"must be %s, the currency of the listing; to sell in another currency, end the listing and publish "+
					"the card again", l.Price.Currency)
		}
		next.Price = *in.Price
	}
	if next == l && !retry {
		return l, nil
	}
	next = next.to(Live)
	next.Revision = Revision{Status: RevisionPending}
	return next, nil
}

// revised reports whether the listing was revised while it was live.
func (l Listing) revised() bool {
	return l.Revision.Status == RevisionPending || l.Revision.Status == RevisionDone ||
		l.Revision.Status == RevisionFailed
}

// storeRevision stores a listing with a new revision and, if it is not nil, the price as the card's asking price. It
// stores the listing before the card, so that the card's new price finds the listing revised already.
func (s *Service) storeRevision(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, l Listing, price *money.Money,
) error {
	if err := update(ctx, tx, l); err != nil {
		return fmt.Errorf("update listing: %w", err)
	}
	_, err := s.cards.UpdateListing(ctx, tx, stamp, l.CardID, l.ref(), func(c *cards.Card) []events.Data {
		if price != nil {
			c.SetAskingPrice(price, stamp.At)
		}
		return l.events(c.EventCard())
	})
	if err != nil {
		return fmt.Errorf("update listing: %w", err)
	}
	return s.work.EnqueueUnclaimed(ctx, tx, l.AccountID, l.ID)
}

// Reviser has live listings revised. It implements cards.Listings. It needs no marketplace, so every process that
// changes cards can use it.
type Reviser struct{ work *queue.Queue }

// NewReviser returns a Reviser.
func NewReviser() *Reviser { return &Reviser{work: queue.New("listing_work", "listing_id")} }

// Reprice implements cards.Listings. Listings that have the price already are left alone.
func (r *Reviser) Reprice(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, list []cards.Repricing,
) (map[string]events.Data, error) {
	rows, err := reprice(ctx, tx, stamp.AccountID, list)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	about := make(map[string]events.Card, len(list))
	for _, p := range list {
		about[p.ListingID] = p.Card
	}
	happened, ids := make(map[string]events.Data, len(rows)), make([]string, len(rows))
	for i, row := range rows {
		happened[row.ID], ids[i] = row.listing().updated(about[row.ID]), row.ID
	}
	return happened, r.work.EnqueueUnclaimed(ctx, tx, stamp.AccountID, ids...)
}

// reprice stores new prices of live listings of one account and returns those that had another price.
func reprice(ctx context.Context, tx *postgres.Tx, accountID string, list []cards.Repricing) (rows []row, err error) {
	n := len(list)
	ids, amounts := make(pq.StringArray, n), make(pq.Int64Array, n)
	currencies, times := make(pq.StringArray, n), make(pq.StringArray, n)
	for i, p := range list {
		ids[i], amounts[i], currencies[i] = p.ListingID, p.Price.Amount, p.Price.Currency
		times[i] = timestamp.Format(p.At)
	}
	err = tx.Select(ctx, &rows, `
		UPDATE listings AS l SET price_amount = n.amount, price_currency = n.currency,
			revision_status = 'pending', revision_code = NULL, revision_message = NULL,
			revision_delayed_until = NULL, version = l.version + 1, updated_at = n.changed_at
		FROM unnest($2::text[], $3::bigint[], $4::text[], $5::timestamptz[])
			AS n (listing, amount, currency, changed_at)
		WHERE l.account_id = $1 AND l.id = n.listing AND l.status = 'live'
		  AND (l.price_amount, l.price_currency) IS DISTINCT FROM (n.amount, n.currency)
		RETURNING `+columns, accountID, ids, amounts, currencies, times)
	if err != nil {
		return nil, fmt.Errorf("reprice listings: %w", err)
	}
	return rows, nil
}
