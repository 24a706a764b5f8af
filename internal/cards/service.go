package cards

import (
	"context"
	"fmt"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/groupcommit"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
)

// Batches is the part of package batches that Service uses. It stores the number of cards of each batch.
type Batches interface {
	// Adjust adds the deltas, keyed by batch id, to the card counts of the batches. It fails with
	// batch_not_found or batch_complete.
	Adjust(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, deltas map[string]int) error
	// Closed returns the errors with which Adjust would fail for some of the batches, by batch id.
	Closed(ctx context.Context, q postgres.Querier, accountID string, batchIDs []string) (map[string]error, error)
}

// Service reads and updates cards.
type Service struct {
	db        *postgres.DB
	clock     clock.Clock
	cursors   paging.Cursors
	events    *events.Recorder
	batches   Batches
	identify  *queue.Queue
	fetches   *queue.Queue
	learning  *queue.Queue
	catalogue Catalogue // may be nil
	listings  Listings  // may be nil
	updates   *groupcommit.Committer[*step]
	summaries *summaries
}

// Queues are the queues of background work for cards.
type Queues struct {
	// Identifications are cards waiting to be identified, by card id.
	Identifications *queue.Queue
	// PhotoFetches are photos waiting to be fetched, by photo id.
	PhotoFetches *queue.Queue
	// Learning are cards whose photos are to be learned, by card id.
	Learning *queue.Queue
}

// NewQueues returns the queues. Their tables are identifications, photo_fetches and fingerprint_work.
func NewQueues() Queues {
	return Queues{
		Identifications: queue.New("identifications", "card_id"),
		PhotoFetches:    queue.New("photo_fetches", "photo_id"),
		Learning:        queue.New("fingerprint_work", "card_id"),
	}
}

// New returns a Service.
func New(db *postgres.DB, c clock.Clock, cursors paging.Cursors, recorder *events.Recorder, batches Batches,
	queues Queues) *Service {
	s := &Service{
		db: db, clock: c, cursors: cursors, events: recorder, batches: batches,
		identify: queues.Identifications, fetches: queues.PhotoFetches, learning: queues.Learning,
		summaries: newSummaries(),
	}
	s.updates = s.newCommitter()
	return s
}

// Get returns a card, or card_not_found if the account does not have it.
func (s *Service) Get(ctx context.Context, accountID, cardID string) (Card, error) {
	cardID, ok := id.Parse(id.Card, cardID)
	if !ok {
		return Card{}, NotFound()
	}
	return find(ctx, s.db, accountID, cardID)
}

// Find is Get inside the caller's transaction.
func (s *Service) Find(ctx context.Context, q postgres.Querier, accountID, cardID string) (Card, error) {
	return find(ctx, q, accountID, cardID)
}

// List returns a page of the account's cards in the order of the filter's Sort or, with UpdatedSince, ordered by
// UpdatedAt. It returns invalid_request for an unknown order, and for UpdatedSince with another order. A cursor of a
// different list fails with invalid_cursor.
func (s *Service) List(ctx context.Context, accountID string, f Filter, p paging.Request) (paging.Page[Card], error) {
	search, err := s.search(ctx, accountID, f, p)
	if err != nil {
		return paging.Page[Card]{}, err
	}
	return s.page(ctx, search)
}

// search returns the search for a page.
func (s *Service) search(ctx context.Context, accountID string, f Filter, p paging.Request) (*search, error) {
	if err := f.checkList(); err != nil {
		return nil, err
	}
	f, err := s.ordered(ctx, accountID, f)
	if err != nil {
		return nil, err
	}
	scope := f.scope(accountID)
	after, err := s.cursors.Start(scope, p)
	if err != nil {
		return nil, err
	}
	search := newSearch(accountID, f, after, p.Size())
	search.scope = scope
	return search, nil
}

// page reads the page of a search.
func (s *Service) page(ctx context.Context, search *search) (paging.Page[Card], error) {
	found, err := search.run(ctx, s.db)
	if err != nil {
		return paging.Page[Card]{}, fmt.Errorf("list cards: %w", err)
	}
	return paging.Cut(s.cursors, search.scope, found, search.size, search.position), nil
}

// Match reports whether a card of this version may be updated. A nil Match allows any version.
type Match func(version int64) bool

// Check returns version_mismatch if the match does not allow the version.
func (m Match) Check(version int64) error {
	if m == nil || m(version) {
		return nil
	}
	return fault.New(fault.VersionMismatch,
		"The card is at version %d by now. Read it again and repeat the change.", version)
}
