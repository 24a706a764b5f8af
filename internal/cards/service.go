package cards

import (
	"context"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/groupcommit"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/page"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
)

// Batches is what cards need of batches: to be counted into and out of them.
type Batches interface {
	// Adjust adds the deltas to the batches' numbers of cards, by batch id. A batch that the
	// account does not have is batch_not_found, one that is complete is batch_complete.
	Adjust(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, deltas map[string]int) error
}

// Service reads and changes cards.
type Service struct {
	db       *postgres.DB
	clock    clock.Clock
	cursors  page.Cursors
	events   *events.Recorder
	batches  Batches
	identify *queue.Queue
	fetches  *queue.Queue
	changes  *groupcommit.Committer[*alteration]
}

// Queues are where cards leave work for others.
type Queues struct {
	// Identifications are cards waiting to be identified, by card id.
	Identifications *queue.Queue
	// PhotoFetches are photos waiting to be fetched, by photo id.
	PhotoFetches *queue.Queue
}

// NewQueues returns the queues in the database's tables.
func NewQueues() Queues {
	return Queues{
		Identifications: queue.New("identifications", "card_id"),
		PhotoFetches:    queue.New("photo_fetches", "photo_id"),
	}
}

// New returns a Service.
func New(db *postgres.DB, c clock.Clock, cursors page.Cursors, recorder *events.Recorder, batches Batches, queues Queues) *Service {
	s := &Service{
		db: db, clock: c, cursors: cursors, events: recorder, batches: batches,
		identify: queues.Identifications, fetches: queues.PhotoFetches,
	}
	s.changes = s.newCommitter()
	return s
}

// Get returns one card; card_not_found if the account has none with this id.
func (s *Service) Get(ctx context.Context, accountID, cardID string) (Card, error) {
	cardID, ok := id.Parse(id.Card, cardID)
	if !ok {
		return Card{}, NotFound()
	}
	return find(ctx, s.db, accountID, cardID)
}

// Find is Get inside a transaction of the caller's.
func (s *Service) Find(ctx context.Context, q postgres.Querier, accountID, cardID string) (Card, error) {
	return find(ctx, q, accountID, cardID)
}

// List returns a page of the account's cards: newest first or, with UpdatedSince, in the order of
// change. A cursor of another list is invalid_cursor.
func (s *Service) List(ctx context.Context, accountID string, f Filter, p page.Request) (page.Page[Card], error) {
	scope := f.scope(accountID)
	after, err := s.cursors.Start(scope, p)
	if err != nil {
		return page.Page[Card]{}, err
	}
	found, err := newSearch(accountID, f, after, p.Size()).run(ctx, s.db)
	if err != nil {
		return page.Page[Card]{}, fmt.Errorf("cards.List: %w", err)
	}
	return page.Cut(s.cursors, scope, found, p.Size(), f.position), nil
}

// Match decides whether a change may be made to a card of this version; nil allows any.
type Match func(version int64) bool

// Update changes a card as the patch says and returns it as it is then. A version that match
// refuses is version_mismatch.
func (s *Service) Update(ctx context.Context, accountID, cardID string, patch Patch, match Match) (Card, error) {
	return s.change(ctx, accountID, cardID, func(c *Card, now time.Time) ([]events.Data, error) {
		if match != nil && !match(c.Version) {
			return nil, fault.New(fault.VersionMismatch,
				"The card is at version %d by now. Read it again and repeat the change.", c.Version)
		}
		return nil, patch.apply(c, now)
	})
}

// Change makes one change to a card inside a transaction that has taken the account's clock: for
// packages whose own rows change with it.
func (s *Service) Change(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardID string, change Change) (Card, error) {
	before, err := find(ctx, tx, stamp.AccountID, cardID)
	if err != nil {
		return Card{}, err
	}
	return s.alter(ctx, tx, stamp, before, change)
}

// alter makes one change to a card that the transaction has read, and returns it as it is then.
func (s *Service) alter(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, before Card, change Change) (Card, error) {
	after := before
	preceding, err := change(&after, stamp.At)
	if err != nil {
		return Card{}, err
	}
	identify := after.takeIdentification()
	happened, changed, err := settle(before, &after, stamp.At)
	if err != nil {
		return Card{}, err
	}
	if changed || after.AutoIdentify != before.AutoIdentify {
		if err := s.save(ctx, tx, stamp, before, &after); err != nil {
			return Card{}, fmt.Errorf("cards.Change: %w", err)
		}
	}
	if identify {
		if err := s.identify.Enqueue(ctx, tx, stamp.AccountID, after.ID); err != nil {
			return Card{}, err
		}
	}
	return after, s.events.Record(ctx, tx, stamp, append(preceding, happened...)...)
}

// save writes the card and moves it between batches.
func (s *Service) save(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, before Card, after *Card) error {
	deltas := map[string]int{}
	if err := countMove(deltas, before.BatchID, after.BatchID); err != nil {
		return err
	}
	if len(deltas) > 0 {
		if err := s.batches.Adjust(ctx, tx, stamp, deltas); err != nil {
			return err
		}
	}
	return update(tx, before, *after)
}

// countMove adds one card's move between batches to the deltas.
func countMove(deltas map[string]int, from, to *string) error {
	if to != nil {
		parsed, ok := id.Parse(id.Batch, *to)
		if !ok {
			return fault.NotFound(fault.BatchNotFound)
		}
		*to = parsed
	}
	if from != nil && to != nil && *from == *to {
		return nil
	}
	if from != nil {
		deltas[*from]--
	}
	if to != nil {
		deltas[*to]++
	}
	return nil
}
