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

// UpdateFunc updates one card in a transaction. It returns events that are recorded before those of the
// update itself. If it returns an error, nothing is stored. It must replace the values of pointers and
// slices instead of modifying them, and it can be called more than once.
type UpdateFunc func(c *Card, now time.Time) ([]events.Data, error)

// maxBatch is the maximum number of updates that share a transaction. They are written by one statement,
// and every connection keeps a prepared statement for each number of updates.
const maxBatch = 8

// pendingUpdate is an update of one card in the group commit queue.
type pendingUpdate struct {
	cardID string
	actor  caller.Actor
	update UpdateFunc
	card   *Card // before the update, then after it; nil if the account does not have it
	floors floorCheck
}

// newCommitter returns the committer for updates of single cards. A batch reads its cards in one
// statement and writes them in one.
func (s *Service) newCommitter() *groupcommit.Committer[*pendingUpdate] {
	return groupcommit.New(s.clock, s.db, groupcommit.Options[*pendingUpdate]{
		MaxBatch: maxBatch,
		RowKey:   func(u *pendingUpdate) string { return u.cardID },
		Load:     loadCards,
		Apply: func(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, u *pendingUpdate) error {
			if u.card == nil {
				return NotFound()
			}
			after, err := s.applyUpdate(ctx, tx, stamp, u.actor, *u.card, u.update, &u.floors)
			u.card = &after
			return err
		},
	})
}

// update updates a card by group commit and returns the updated card.
func (s *Service) update(ctx context.Context, accountID, cardID string, update UpdateFunc) (Card, error) {
	cardID, ok := id.Parse(id.Card, cardID)
	if !ok {
		return Card{}, NotFound()
	}
	u := &pendingUpdate{cardID: cardID, actor: caller.ActorFrom(ctx), update: update}
	if err := s.updates.Write(ctx, accountID, u); err != nil {
		return Card{}, err
	}
	return *u.card, nil
}

// loadCards reads the cards of the updates, with the floor prices of their accounts.
func loadCards(ctx context.Context, tx *postgres.Tx, updates []groupcommit.Write[*pendingUpdate]) error {
	type key struct{ account, card string }
	owners, ids := make([]string, len(updates)), make([]string, len(updates))
	for i, c := range updates {
		owners[i], ids[i] = c.AccountID, c.Value.cardID
	}
	found, floors, err := findAll(ctx, tx, owners, ids)
	if err != nil {
		return fmt.Errorf("cards.loadCards: %w", err)
	}
	places := make(map[key]int, len(found))
	for i := range found {
		places[key{found[i].AccountID, found[i].ID}] = i
	}
	for _, c := range updates {
		if i, ok := places[key{c.AccountID, c.Value.cardID}]; ok {
			c.Value.card = &found[i]
			c.Value.floors = floorCheck{accountID: c.AccountID, account: floors[i], read: true}
		}
	}
	return nil
}
