package listings

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/listings/marketplaces"
	"github.com/cardvault/cardvault/internal/listings/marketplaces/sandbox"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/postgres"
)

// PublishInput is what a request to publish may decide; what is nil comes from the card and the
// account.
type PublishInput struct {
	Marketplace *string
	Price       *money.Money
	Title       *string
}

// Publish writes down that the card is to be published and returns the listing, publishing. The
// Worker does the rest. What forbids it is card_not_found, then what cards.StartListing names.
// sandboxAccount says that the account is one: those publish on the sandbox marketplace only.
// The hook is called in the transaction that inserts the listing.
func (s *Service) Publish(ctx context.Context, accountID, cardID string, in PublishInput, sandboxAccount bool,
	hook postgres.TxHook) (made Listing, err error) {
	cardID, ok := id.Parse(id.Card, cardID)
	if !ok {
		return Listing{}, cards.NotFound()
	}
	marketplace, err := s.choose(in.Marketplace, sandboxAccount)
	if err != nil {
		return Listing{}, err
	}
	if err := in.check(); err != nil {
		return Listing{}, err
	}
	err = s.clock.WriteWithHook(ctx, s.db, accountID, hook, func(tx *postgres.Tx, stamp clock.Stamp) error {
		made, err = s.start(ctx, tx, stamp, cardID, marketplace, in)
		return err
	})
	if err != nil {
		return Listing{}, err
	}
	return made, nil
}

func (s *Service) start(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardID, marketplace string, in PublishInput) (Listing, error) {
	made := Listing{
		AccountID: stamp.AccountID, ID: id.New(id.Listing, stamp.At), CardID: cardID, Marketplace: marketplace,
		Status: Publishing, Version: 1, CreatedAt: stamp.At, UpdatedAt: stamp.At,
	}
	card, err := s.cards.StartListing(ctx, tx, stamp, cardID, *made.ref())
	if err != nil {
		return Listing{}, err
	}
	made.Title, made.Price = title(card.Identification.Description), *card.Pricing.AskingPrice
	if in.Title != nil {
		made.Title = strings.Trim(*in.Title, " ")
	}
	if in.Price != nil {
		made.Price = *in.Price
	}
	if made.Price.Amount == 0 {
		return Listing{}, fault.New(fault.CardNotPriced, "Set an asking price above zero before publishing this card.")
	}
	switch err := insert(ctx, tx, made); {
	case errors.Is(err, postgres.ErrDuplicate):
		return Listing{}, fault.New(fault.CardAlreadyListed, "This card has a listing under way.")
	case err != nil:
		return Listing{}, fmt.Errorf("listings.Publish: %w", err)
	}
	// A poll under way does not know of the listing and is to be repeated, so its claim becomes void.
	if err := s.polls.EnqueueWithin(ctx, tx, made.AccountID, s.cfg.PollEvery, made.Marketplace); err != nil {
		return Listing{}, err
	}
	return made, s.work.Enqueue(ctx, tx, made.AccountID, made.ID)
}

// choose returns the marketplace that the request means.
func (s *Service) choose(asked *string, sandboxAccount bool) (string, error) {
	name := s.cfg.Default
	if sandboxAccount {
		name = sandbox.Name
	}
	if asked != nil {
		name = *asked
	}
	if sandboxAccount && name != sandbox.Name {
		return "", fault.Invalid("marketplace", "must be %s: sandbox accounts publish nowhere else", sandbox.Name)
	}
	if _, ok := s.cfg.Sellers[name]; !ok {
		return "", fault.Invalid("marketplace", "%q is not set up on this server", name)
	}
	return name, nil
}

func (in PublishInput) check() error {
	if in.Price != nil {
		if err := in.Price.Check("price"); err != nil {
			return err
		}
		if in.Price.Amount == 0 {
			return fault.Invalid("price.amount", "must be more than zero")
		}
	}
	if in.Title != nil {
		// The contract knows one kind of space; what others there are is for the marketplace to judge.
		if n := utf8.RuneCountInString(strings.Trim(*in.Title, " ")); n < 1 || n > marketplaces.MaxTitle {
			return fault.Invalid("title", "must be 1 to %d characters", marketplaces.MaxTitle)
		}
	}
	return nil
}

// End writes down that a live listing is to be ended and returns it, ending; one that is ending
// already stays as it is. Any other is listing_not_live. The hook is called in the transaction of the change.
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
