package cards

import (
	"context"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/groupcommit"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
)

// UpdateFunc updates one card in a transaction. It returns events that are recorded before the card's own events. If it
// returns an error, nothing is stored. It must replace the values of pointers and slices instead of modifying them. It
// can be called more than once.
type UpdateFunc func(c *Card, now time.Time) ([]events.Data, error)

// ItemUpdate is the update of one card in a write of many cards.
type ItemUpdate struct {
	CardID string
	Update UpdateFunc
}

// ItemResult is the updated card or the fault of its update.
type ItemResult struct {
	Card   Card
	Err    error
	Before Card // the card before its update
}

// UpdateIn updates a card inside a transaction that holds the account's clock. It is for packages that write
// rows of their own in the same transaction.
func (s *Service) UpdateIn(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardID string, update UpdateFunc,
) (Card, error) {
	results, err := s.UpdateManyIn(ctx, tx, stamp, []ItemUpdate{{cardID, update}})
	if err != nil {
		return Card{}, err
	}
	return results[0].Card, results[0].Err
}

// UpdateManyIn updates cards inside a transaction that holds the account's clock. The number of statements does not
// depend on the number of cards. The results have the order of the updates; one that fails with a fault changes
// nothing. The cards must differ. Each has a time of its own, so that a poll by updated_since does not return all cards
// again.
func (s *Service) UpdateManyIn(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, updates []ItemUpdate,
) ([]ItemResult, error) {
	steps, ids := make([]*step, len(updates)), make([]string, len(updates))
	actor := caller.ActorFrom(ctx)
	for i, u := range updates {
		ids[i], _ = id.Parse(id.Card, u.CardID) // a malformed identifier matches nothing
		steps[i] = &step{cardID: ids[i], actor: actor, update: u.Update}
	}
	cards, err := findMany(ctx, tx, stamp.AccountID, ids)
	if err != nil {
		return nil, err
	}
	for i, st := range steps {
		if card, ok := cards[st.cardID]; ok {
			st.run(card, stamp.Offset(i).At)
		} else {
			st.err = NotFound()
		}
	}
	if err := s.apply(ctx, tx, stamp, steps, floorCheck{accountID: stamp.AccountID}); err != nil {
		return nil, fmt.Errorf("update cards: %w", err)
	}
	results := make([]ItemResult, len(steps))
	for i, st := range steps {
		if results[i].Err = st.err; st.err == nil {
			results[i].Card, results[i].Before = st.after, st.before
		}
	}
	return results, nil
}

// maxBatch is the maximum number of updates that share a transaction. They are written by one statement,
// and every connection keeps a prepared statement for each number of updates.
const maxBatch = 8

// newCommitter returns the committer for updates of single cards.
func (s *Service) newCommitter() *groupcommit.Committer[*step] {
	return groupcommit.New(s.clock, s.db, groupcommit.Options[*step]{
		MaxBatch: maxBatch,
		RowKey:   func(st *step) string { return st.cardID },
		Apply:    s.applyBatch,
	})
}

// update updates a card by group commit and returns the updated card.
func (s *Service) update(ctx context.Context, accountID, cardID string, update UpdateFunc) (Card, error) {
	cardID, ok := id.Parse(id.Card, cardID)
	if !ok {
		return Card{}, NotFound()
	}
	st := &step{cardID: cardID, actor: caller.ActorFrom(ctx), update: update}
	if err := s.updates.Write(ctx, accountID, st); err != nil {
		return Card{}, err
	}
	return st.after, nil
}

// applyBatch carries out a batch of group commit: it reads the cards in one statement and applies the updates of one
// account after the other.
func (s *Service) applyBatch(ctx context.Context, tx *postgres.Tx, batch []*groupcommit.Write[*step]) error {
	cards, err := findAll(ctx, tx, batch)
	if err != nil {
		return fmt.Errorf("read cards: %w", err)
	}
	for len(batch) > 0 {
		account := batch[0].Stamp.AccountID
		count := 1
		for count < len(batch) && batch[count].Stamp.AccountID == account {
			count++
		}
		if err := s.applyWrites(ctx, tx, batch[:count], cards); err != nil {
			return fmt.Errorf("update cards: %w", err)
		}
		batch = batch[count:]
	}
	return nil
}

// applyWrites carries out the writes of one account.
func (s *Service) applyWrites(
	ctx context.Context, tx *postgres.Tx, writes []*groupcommit.Write[*step], cards map[cardKey]ownedCard,
) error {
	stamp := writes[0].Stamp
	floors, steps := floorCheck{accountID: stamp.AccountID}, make([]*step, len(writes))
	for i, w := range writes {
		steps[i] = w.Value
		card, ok := cards[cardKey{stamp.AccountID, w.Value.cardID}]
		if !ok {
			w.Value.err = NotFound()
			continue
		}
		floors.account, floors.read = card.floor, true
		w.Value.run(card.Card, w.Stamp.At)
	}
	if err := s.apply(ctx, tx, stamp, steps, floors); err != nil {
		return err
	}
	for _, w := range writes {
		w.Err = w.Value.err
	}
	return nil
}
