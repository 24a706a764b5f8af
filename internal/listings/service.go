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
	"github.com/cardvault/cardvault/internal/listings/marketplaces"
	"github.com/cardvault/cardvault/internal/page"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
)

// Cards is what listings need of cards; *cards.Service is one.
type Cards interface {
	// Get returns one card; card_not_found if the account has none with this id.
	Get(ctx context.Context, accountID, cardID string) (cards.Card, error)
	// StartListing makes ref the card's listing, or says which rule forbids it.
	StartListing(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardID string, ref cards.ListingRef) (cards.Card, error)
	// MoveListing records what became of the card's listing; nil means that it ended or failed.
	MoveListing(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardID string, ref *cards.ListingRef, tell func(events.Card) []events.Data) (cards.Card, error)
}

// Seller returns an account's access to one marketplace.
type Seller func(accountID string) marketplaces.Marketplace

// Config says where cards are published.
type Config struct {
	// Sellers are the marketplaces of this installation, by their names in the API.
	Sellers map[string]Seller
	// Default is the name of the marketplace of accounts that are not sandbox accounts.
	Default string
	// ImageURLs returns where the marketplace finds the card's photos, the main one first. The
	// addresses need to hold until it has copied them, which it does when a listing goes live.
	ImageURLs func(card cards.Card, now time.Time) []string
	// PollEvery is the pause between two questions for an account's sales; 0 means 30 s.
	PollEvery time.Duration
	// StatusEvery is the pause between two questions about one live listing, which is how endings
	// are learned; 0 means 15 min.
	StatusEvery time.Duration
}

// The pauses where Config says nothing.
const (
	defaultPollEvery   = 30 * time.Second
	defaultStatusEvery = 15 * time.Minute
)

// Service reads listings and takes requests to publish and end them.
type Service struct {
	db      *postgres.DB
	clock   clock.Clock
	cursors page.Cursors
	cards   Cards
	cfg     Config
	// work holds a row for every listing under way: due at once while there is something to ask
	// of the marketplace, later while there is only something to learn.
	work *queue.Queue
	// polls holds a row for every account and marketplace that sales are to be learned from.
	polls *queue.Queue
}

// New returns a Service.
func New(db *postgres.DB, c clock.Clock, cursors page.Cursors, inventory Cards, cfg Config) *Service {
	if cfg.PollEvery == 0 {
		cfg.PollEvery = defaultPollEvery
	}
	if cfg.StatusEvery == 0 {
		cfg.StatusEvery = defaultStatusEvery
	}
	return &Service{
		db: db, clock: c, cursors: cursors, cards: inventory, cfg: cfg,
		work:  queue.New("listing_work", "listing_id"),
		polls: queue.New("marketplace_polls", "marketplace"),
	}
}

// Queues returns the queues that the service's workers work off.
func (s *Service) Queues() []*queue.Queue { return []*queue.Queue{s.work, s.polls} }

// Get returns one listing; listing_not_found if the account has none with this id.
func (s *Service) Get(ctx context.Context, accountID, listingID string) (Listing, error) {
	listingID, ok := id.Parse(id.Listing, listingID)
	if !ok {
		return Listing{}, NotFound()
	}
	return find(ctx, s.db, accountID, listingID)
}

// List returns a page of listings: newest first or, with UpdatedSince, in the order of change. A
// cursor of another list is invalid_cursor.
func (s *Service) List(ctx context.Context, accountID string, f Filter, p page.Request) (page.Page[Listing], error) {
	scope, err := scope(accountID, f)
	if err != nil {
		return page.Page[Listing]{}, err
	}
	after, err := s.cursors.Start(scope, p)
	if err != nil {
		return page.Page[Listing]{}, err
	}
	found, err := list(ctx, s.db, accountID, f, after, p.Size())
	if err != nil {
		return page.Page[Listing]{}, err
	}
	return page.Cut(s.cursors, scope, found, p.Size(), func(l Listing) page.Position {
		if f.UpdatedSince != nil {
			return page.Position{At: l.UpdatedAt, ID: l.ID}
		}
		return page.Position{At: l.CreatedAt, ID: l.ID}
	}), nil
}

func scope(accountID string, f Filter) (string, error) {
	text, err := json.Marshal(f)
	return "listings " + accountID + " " + string(text), err
}

// advance takes a listing and its card through the states of path inside a transaction that has
// taken the account's clock. Each further state takes the clock anew, which orders their events.
func (s *Service) advance(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, path []Listing) (err error) {
	for i := range path {
		l := &path[i]
		if i > 0 {
			if stamp, err = s.clock.Lock(ctx, tx, l.AccountID); err != nil {
				return err
			}
		}
		l.UpdatedAt = stamp.At
		if _, err := s.cards.MoveListing(ctx, tx, stamp, l.CardID, l.ref(), l.tell); err != nil {
			return fmt.Errorf("listings.advance: %w", err)
		}
	}
	if err := update(ctx, tx, path[len(path)-1]); err != nil {
		return fmt.Errorf("listings.advance: %w", err)
	}
	return nil
}
