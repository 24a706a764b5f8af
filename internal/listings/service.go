package listings

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
)

// Cards is the part of *cards.Service that listings use.
type Cards interface {
	// Get returns a card, or card_not_found if the account does not have it.
	Get(ctx context.Context, accountID, cardID string) (cards.Card, error)
	// FindMany returns the account's cards with these identifiers, by identifier, without unknown ones.
	FindMany(ctx context.Context, q postgres.Querier, accountID string, ids []string) (map[string]cards.Card, error)
	// Walk returns the next cards that match the filter, and the position of the next call.
	Walk(
		ctx context.Context, accountID string, f cards.Filter, after paging.Position,
	) ([]string, *paging.Position, error)
	// StartListing makes ref the card's listing and price, unless it is nil, its asking price. Or it returns an
	// error that names the rule that forbids it.
	StartListing(
		ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardID string, ref cards.ListingRef,
		price *money.Money,
	) (cards.Card, error)
	// UpdateListing updates the card's listing. A nil ref means that it ended or failed.
	UpdateListing(
		ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardID string, ref *cards.ListingRef,
		listingEvents func(*cards.Card) []events.Data,
	) (cards.Card, error)
	// StartListings is StartListing for many cards that check allows.
	StartListings(
		ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardIDs []string, refs []cards.ListingRef,
		check func(*cards.Card) error,
	) ([]cards.ItemResult, error)
	// UpdateManyIn updates cards and returns a result per card.
	UpdateManyIn(
		ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, updates []cards.ItemUpdate,
	) ([]cards.ItemResult, error)
	// SetListings is UpdateListing for many cards and listings without events of their own.
	SetListings(
		ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardIDs []string, refs []cards.ListingRef,
	) error
}

// Sales records sales.
type Sales interface {
	// Record records the sale of the card through a listing with the transaction's deferred statements, marks the
	// card as sold, and returns the events of the sale.
	Record(tx *postgres.Tx, stamp clock.Stamp, c *cards.Card, sold SoldListing) []events.Data
	// Behind returns the listings whose sales Follow would change. orders are by listing.
	Behind(ctx context.Context, q postgres.Querier, accountID string, orders map[string]Order) ([]string, error)
	// Follow brings the sale of a listing up to what the marketplace says about its order, inside a transaction that
	// holds the account's clock. If the order was cancelled or refunded in full, the card comes back.
	Follow(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, listingID string, order Order) error
}

// SoldListing is what a sale needs of a listing.
type SoldListing = struct {
	ID             string
	Marketplace    string
	Price          money.Money
	SoldAt         time.Time
	BuyerReference *string
	Shipping       int64  // what the buyer paid for delivery
	Fee            *int64 // of the marketplace; nil while it is not known
}

// Order is what a sale needs of its order at the marketplace.
type Order = struct {
	Shipping  int64
	Fee       *int64
	Refunded  int64 // of the price and the delivery
	Cancelled bool
}

// Market is a marketplace as this installation uses it.
type Market struct {
	Limits marketplaces.Limits
	// Seller returns the access of an account.
	Seller func(accountID string) marketplaces.Marketplace
	// Connection is nil unless each account is connected by its owner.
	Connection Connection
}

// Connection is a marketplace to which each account is connected by its owner.
type Connection interface {
	// Used reports whether the account is connected, or was until the marketplace ended the connection. The marketplace
	// is then the account's default.
	Used(ctx context.Context, accountID string) (bool, error)
	// Ready returns nil if the account can publish there, or a fault that says what its owner has to do.
	Ready(ctx context.Context, accountID string) error
}

// Config configures the marketplaces.
type Config struct {
	// Reviser is the one that package cards uses. The default is a new one.
	Reviser *Reviser
	// Markets are the marketplaces of this installation, by their names in the API.
	Markets map[string]Market
	// Sandbox is the marketplace of sandbox accounts.
	Sandbox string
	// Sales records the sales that the marketplaces report.
	Sales Sales
	// Default is the default marketplace of accounts that are neither sandbox accounts nor connected to one.
	Default string
	// ImageURLs returns the URLs of the card's photos, the main one first. They must be valid until the
	// marketplace has copied the photos, which it does when a listing goes live. A marketplaces.PictureHost gets the
	// photos instead.
	ImageURLs func(card cards.Card, now time.Time) []string
	// LoadPhoto returns the bytes and the media type of a photo for a marketplaces.PictureHost, in at most limit bytes.
	// Its error is photo_not_found or photo_invalid if the photo cannot be used, and any other error if it can be
	// retried.
	LoadPhoto func(ctx context.Context, accountID string, photo cards.Photo, limit int) ([]byte, string, error)
	// PollInterval is the interval between two polls for an account's sales. The default is 30 s.
	PollInterval time.Duration
	// StatusInterval is the interval between two status checks of a live listing, which detect listings
	// that ended. The default is 15 min.
	StatusInterval time.Duration
}

// The defaults of Config.
const (
	defaultPollInterval   = 30 * time.Second
	defaultStatusInterval = 15 * time.Minute
)

// Service reads listings and accepts requests to publish, revise and end them.
type Service struct {
	db      *postgres.DB
	clock   clock.Clock
	cursors paging.Cursors
	cards   Cards
	cfg     Config
	// work has a row for every open listing. It is due at once if the listing has to be published, revised or
	// ended, and at the next status check otherwise.
	work *queue.Queue
	// polls has a row for every account and marketplace whose sales are polled.
	polls *queue.Queue
}

// New returns a Service.
func New(db *postgres.DB, c clock.Clock, cursors paging.Cursors, inventory Cards, cfg Config) *Service {
	if cfg.PollInterval == 0 {
		cfg.PollInterval = defaultPollInterval
	}
	if cfg.StatusInterval == 0 {
		cfg.StatusInterval = defaultStatusInterval
	}
	if cfg.Reviser == nil {
		cfg.Reviser = NewReviser()
	}
	return &Service{
		db: db, clock: c, cursors: cursors, cards: inventory, cfg: cfg,
		work:  cfg.Reviser.work,
		polls: queue.New("marketplace_polls", "marketplace"),
	}
}

// Queues returns the queues that the service's workers process.
func (s *Service) Queues() []*queue.Queue { return []*queue.Queue{s.work, s.polls} }

// Get returns a listing, or listing_not_found if the account does not have it.
func (s *Service) Get(ctx context.Context, accountID, listingID string) (Listing, error) {
	listingID, ok := id.Parse(id.Listing, listingID)
	if !ok {
		return Listing{}, NotFound()
	}
	return find(ctx, s.db, accountID, listingID)
}

// List returns a page of listings, newest first or, with UpdatedSince, ordered by UpdatedAt. A cursor
// of a different list fails with invalid_cursor.
func (s *Service) List(
	ctx context.Context, accountID string, f Filter, p paging.Request,
) (paging.Page[Listing], error) {
	scope, err := scope(accountID, f)
	if err != nil {
		return paging.Page[Listing]{}, err
	}
	after, err := s.cursors.Start(scope, p)
	if err != nil {
		return paging.Page[Listing]{}, err
	}
	found, err := list(ctx, s.db, accountID, f, after, p.Size())
	if err != nil {
		return paging.Page[Listing]{}, err
	}
	return paging.Cut(s.cursors, scope, found, p.Size(), func(l Listing) paging.Position {
		if f.UpdatedSince != nil {
			return paging.Position{At: l.UpdatedAt, ID: l.ID}
		}
		return paging.Position{At: l.CreatedAt, ID: l.ID}
	}), nil
}

func scope(accountID string, f Filter) (string, error) {
	text, err := json.Marshal(f)
	return "listings " + accountID + " " + string(text), err
}

// advance stores the states of path, for the listing and its card, inside a transaction that holds the
// account's clock. Each state after the first locks the clock again, which orders the events.
func (s *Service) advance(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, path []Listing) error {
	return s.advanceAs(ctx, tx, stamp, path, Listing.ref)
}

// advanceAs is advance with another reference of the card to its listing.
func (s *Service) advanceAs(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, path []Listing, ref func(Listing) *cards.ListingRef,
) (err error) {
	for i := range path {
		l := &path[i]
		if i > 0 {
			if stamp, err = s.clock.Lock(ctx, tx, l.AccountID); err != nil {
				return err
			}
		}
		l.UpdatedAt = stamp.At
		if _, err := s.cards.UpdateListing(ctx, tx, stamp, l.CardID, ref(*l), func(c *cards.Card) []events.Data {
			happened := l.events(c.EventCard())
			if l.Status != Sold {
				return happened
			}
			return append(happened, s.cfg.Sales.Record(tx, stamp, c, l.sale())...)
		}); err != nil {
			return fmt.Errorf("advance listing: %w", err)
		}
	}
	last := path[len(path)-1]
	if err := update(ctx, tx, last); err != nil {
		return fmt.Errorf("advance listing: %w", err)
	}
	if last.Status != Sold {
		return nil
	}
	return s.follow(ctx, tx, last)
}

// sale returns the sale of a sold listing.
func (l Listing) sale() SoldListing {
	sold := SoldListing{
		ID: l.ID, Marketplace: l.Marketplace, Price: *l.SoldPrice, SoldAt: *l.SoldAt, BuyerReference: l.BuyerReference,
	}
	if l.Order != nil {
		sold.Shipping, sold.Fee = l.Order.Shipping, l.Order.Fee
	}
	return sold
}
