package listings

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/postgres"
)

// PublishInput holds the options of a publish request. Those that are nil default to values of the card
// and the account.
type PublishInput struct {
	Marketplace *string
	Price       *money.Money // becomes the card's asking price
	Title       *string
}

// Publish stores a listing with status publishing and returns it. A Worker then calls the marketplace.
// It fails with card_not_found or with an error of cards.StartListing. sandboxAccount reports whether
// the account is a sandbox account: those can publish on the sandbox marketplace only. The hook is
// called in the transaction that inserts the listing.
func (s *Service) Publish(
	ctx context.Context, accountID, cardID string, in PublishInput, sandboxAccount bool, hook postgres.TxHook,
) (l Listing, err error) {
	cardID, ok := id.Parse(id.Card, cardID)
	if !ok {
		return Listing{}, cards.NotFound()
	}
	marketplace, err := s.choose(ctx, accountID, in.Marketplace, sandboxAccount)
	if err != nil {
		return Listing{}, err
	}
	if err := in.check(); err != nil {
		return Listing{}, err
	}
	err = s.clock.WriteWithHook(ctx, s.db, accountID, hook, func(tx *postgres.Tx, stamp clock.Stamp) error {
		l, err = s.start(ctx, tx, stamp, cardID, marketplace, in)
		return err
	})
	if err != nil {
		return Listing{}, err
	}
	return l, nil
}

// start stores a new listing of a card and enqueues the work for it.
func (s *Service) start(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardID, marketplace string, in PublishInput,
) (Listing, error) {
	l := Listing{
		AccountID: stamp.AccountID, ID: id.New(id.Listing, stamp.At), CardID: cardID, Marketplace: marketplace,
		Status: Publishing, Revision: Revision{Status: RevisionNone},
		Version: 1, CreatedAt: stamp.At, UpdatedAt: stamp.At,
	}
	card, err := s.cards.StartListing(ctx, tx, stamp, cardID, *l.ref(), in.Price)
	if err != nil {
		return Listing{}, err
	}
	if l, err = l.offering(card, in.Title); err != nil {
		return Listing{}, err
	}
	switch err := insert(ctx, tx, l); {
	case errors.Is(err, postgres.ErrDuplicate):
		return Listing{}, fault.New(fault.CardAlreadyListed, "This card has a listing under way.")
	case err != nil:
		return Listing{}, fmt.Errorf("publish listing: %w", err)
	}
	// A poll that is running does not include the new listing. Enqueuing voids its claim, so it is repeated.
	if err := s.polls.EnqueueWithin(ctx, tx, l.AccountID, s.cfg.PollInterval, l.Marketplace); err != nil {
		return Listing{}, err
	}
	return l, s.work.Enqueue(ctx, tx, l.AccountID, l.ID)
}

// offering returns the new listing with the card's asking price and the title of the request, or one that describes the
// card.
func (l Listing) offering(card cards.Card, asked *string) (Listing, error) {
	l.Title, l.Price = title(card.Identification.Description), *card.Pricing.AskingPrice
	if asked != nil {
		l.Title = blank.Trim(*asked)
	}
	if l.Price.Amount == 0 {
		return Listing{}, fault.New(fault.CardNotPriced, "Set an asking price above zero before publishing this card.")
	}
	return l, nil
}

func (in PublishInput) check() error { return checkTerms(in.Price, in.Title) }

// checkTerms checks the price and the title of a request. Either can be nil.
func checkTerms(price *money.Money, title *string) error {
	if price != nil {
		if err := price.Check("price"); err != nil {
			return err
		}
		if price.Amount == 0 {
			return fault.Invalid("price.amount", "must be more than zero")
		}
	}
	if title != nil {
		if blank.Is(*title) {
			return fault.Invalid("title", "must not be blank")
		}
		if utf8.RuneCountInString(blank.Trim(*title)) > marketplaces.MaxTitle {
			return fault.Invalid("title", "must be 1 to %d characters", marketplaces.MaxTitle)
		}
	}
	return nil
}

// End sets a live listing to ending and returns it. A listing that is already ending is returned
// unchanged. Any other status fails with listing_not_live. The hook is called in the transaction of the
// update.
func (s *Service) End(ctx context.Context, accountID, listingID string, hook postgres.TxHook) (l Listing, err error) {
	listingID, ok := id.Parse(id.Listing, listingID)
	if !ok {
		return Listing{}, NotFound()
	}
	err = s.clock.WriteWithHook(ctx, s.db, accountID, hook, func(tx *postgres.Tx, stamp clock.Stamp) error {
		if l, err = find(ctx, tx, accountID, listingID); err != nil || l.Status == Ending {
			return err
		}
		if l.Status != Live {
			return fault.New(fault.ListingNotLive, "This listing is %s; only a live one can be ended.", l.Status)
		}
		path := []Listing{l.to(Ending)}
		if err := s.advance(ctx, tx, stamp, path); err != nil {
			return err
		}
		l = path[0]
		return s.work.Enqueue(ctx, tx, accountID, l.ID)
	})
	if err != nil {
		return Listing{}, err
	}
	return l, nil
}
