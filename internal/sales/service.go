package sales

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Cards is the part of *cards.Service that sales use.
type Cards interface {
	// Find returns a card, or card_not_found if the account does not have it.
	Find(ctx context.Context, q postgres.Querier, accountID, cardID string) (cards.Card, error)
	// UpdateIn updates a card inside a transaction that holds the account's clock.
	UpdateIn(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardID string,
		update cards.UpdateFunc) (cards.Card, error)
}

// Listings is the part of package listings that sales use.
type Listings interface {
	// Withdraw ends the listing of a card that was sold elsewhere, inside a transaction that holds the account's clock.
	Withdraw(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, listingID string) error
}

// Service records and reads sales.
type Service struct {
	db       *postgres.DB
	clock    clock.Clock
	cursors  paging.Cursors
	events   *events.Recorder
	cards    Cards
	listings Listings
	channels []string
}

// New returns a Service. markets are the names of the marketplaces.
func New(db *postgres.DB, c clock.Clock, cursors paging.Cursors, recorder *events.Recorder, inventory Cards,
	listings Listings, markets []string) *Service {
	channels := append(slices.Clone(markets), otherChannels...)
	return &Service{db, c, cursors, recorder, inventory, listings, channels}
}

// Get returns a sale, or sale_not_found if the account does not have it.
func (s *Service) Get(ctx context.Context, accountID, saleID string) (Sale, error) {
	saleID, ok := id.Parse(id.Sale, saleID)
	if !ok {
		return Sale{}, NotFound()
	}
	return find(ctx, s.db, accountID, saleID)
}

// Filter selects the sales that meet all of its conditions. The zero Filter selects all.
type Filter struct {
	SoldSince    *time.Time // inclusive
	SoldBefore   *time.Time // exclusive
	Channel      *string
	Status       *string
	Card         *string
	Currency     *string
	UpdatedSince *time.Time // inclusive; also orders the list by UpdatedAt
	// ToShip selects the sales whose card is still to be sent. It excludes sales that are shipped, refunded in full,
	// returned or sold in person.
	ToShip bool `json:",omitempty"` // cursors of an earlier version stay valid
}

// List returns a page of sales by SoldAt, newest first or, with UpdatedSince, ordered by UpdatedAt.
func (s *Service) List(ctx context.Context, accountID string, f Filter, p paging.Request) (paging.Page[Sale], error) {
	text, err := json.Marshal(f)
	if err != nil {
		return paging.Page[Sale]{}, err
	}
	scope := "sales " + accountID + " " + string(text)
	after, err := s.cursors.Start(scope, p)
	if err != nil {
		return paging.Page[Sale]{}, err
	}
	rows, err := list(ctx, s.db, accountID, f, after, p.Size())
	if err != nil {
		return paging.Page[Sale]{}, err
	}
	return paging.Cut(s.cursors, scope, rows, p.Size(), func(sale Sale) paging.Position {
		if f.UpdatedSince != nil {
			return paging.Position{At: sale.UpdatedAt, ID: sale.ID}
		}
		return paging.Position{At: sale.SoldAt, ID: sale.ID}
	}), nil
}

// Sell records a sale elsewhere than through the card's listing and marks the card as sold. A listing under way is
// taken down. If a buyer at the marketplace is faster, that purchase is a second sale of the card. The hook is called
// in the transaction of the sale.
func (s *Service) Sell(ctx context.Context, accountID, cardID string, in SellInput,
	hook postgres.TxHook) (sale Sale, err error) {
	cardID, ok := id.Parse(id.Card, cardID)
	if !ok {
		return Sale{}, cards.NotFound()
	}
	err = s.clock.WriteWithHook(ctx, s.db, accountID, hook, func(tx *postgres.Tx, stamp clock.Stamp) error {
		card, err := s.cards.Find(ctx, tx, accountID, cardID)
		if err != nil {
			return err
		}
		if err := card.CheckSellable(); err != nil {
			return err
		}
		if err := s.checkChannel(in.Channel); err != nil {
			return err
		}
		if sale, err = in.sale(&card, stamp); err != nil {
			return err
		}
		return s.record(ctx, tx, stamp, &card, &sale)
	})
	return sale, err
}

// record stores the sale, takes down the card's listing, and marks the card as sold.
func (s *Service) record(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, card *cards.Card, sale *Sale,
) error {
	if card.UnderWay() {
		if err := s.listings.Withdraw(ctx, tx, stamp, card.Listing.ID); err != nil {
			return err
		}
	}
	insert(tx, sale)
	_, err := s.cards.UpdateIn(ctx, tx, stamp, card.ID, func(c *cards.Card, _ time.Time) ([]events.Data, error) {
		c.Sell(sale.ID)
		return []events.Data{sale.created()}, nil
	})
	return err
}

// Match reports whether a sale of this version may be updated. A nil Match allows any version.
type Match func(version int64) bool

// check returns version_mismatch unless the sale may be updated.
func (m Match) check(s *Sale) error {
	if m == nil || m(s.Version) {
		return nil
	}
	return fault.New(fault.VersionMismatch,
		"The sale is at version %d by now. Read it again and repeat the change.", s.Version)
}

// Update applies the patch to a sale and returns the updated sale. It fails with version_mismatch if match returns
// false.
func (s *Service) Update(ctx context.Context, accountID, saleID string, patch Patch, match Match) (Sale, error) {
	return s.change(ctx, accountID, saleID, nil, func(_ *postgres.Tx, stamp clock.Stamp, sale *Sale) error {
		if err := match.check(sale); err != nil {
			return err
		}
		return patch.apply(sale, stamp.At)
	})
}

// Refund records a refund. If the card comes back and no other sale of it remains, it is no longer sold. It fails with
// card_not_found if a card comes back that was deleted, and with version_mismatch if in.Match returns false. The hook
// is called in the transaction of the refund.
func (s *Service) Refund(ctx context.Context, accountID, saleID string, in RefundInput,
	hook postgres.TxHook) (Sale, error) {
	return s.change(ctx, accountID, saleID, hook, func(tx *postgres.Tx, stamp clock.Stamp, sale *Sale) error {
		if err := in.Match.check(sale); err != nil {
			return err
		}
		refund, restocked, err := sale.refund(in, stamp.At)
		if err != nil {
			return err
		}
		var data []events.Data
		if refund != nil {
			data = append(data, sale.refunded(refund.Parts, restocked))
		}
		if !restocked {
			return s.events.Record(ctx, tx, stamp, data...)
		}
		err = putBack(ctx, tx, stamp, s.cards, sale, data)
		if fault.Is(err, fault.CardNotFound) {
			err = fault.New(fault.CardNotFound, "The card of this sale was deleted, so it cannot come back. "+
				"Refund without restock, or undo the job that has deleted the card first.")
		}
		return err
	})
}

// change applies a function to the sale and stores the sale if it differs.
func (s *Service) change(ctx context.Context, accountID, saleID string, hook postgres.TxHook,
	change func(*postgres.Tx, clock.Stamp, *Sale) error) (sale Sale, err error) {
	saleID, ok := id.Parse(id.Sale, saleID)
	if !ok {
		return Sale{}, NotFound()
	}
	err = s.clock.WriteWithHook(ctx, s.db, accountID, hook, func(tx *postgres.Tx, stamp clock.Stamp) error {
		before, err := find(ctx, tx, accountID, saleID)
		if err != nil {
			return err
		}
		sale = before
		if err := change(tx, stamp, &sale); err != nil {
			return err
		}
		if reflect.DeepEqual(before, sale) {
			return nil
		}
		sale.Version, sale.UpdatedAt = sale.Version+1, stamp.At
		return update(tx, &sale)
	})
	if err != nil {
		return Sale{}, fmt.Errorf("sales: %w", err)
	}
	return sale, nil
}
