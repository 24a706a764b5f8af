package cards

import (
	"context"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/groupcommit"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Change is what happens to one card within a write: it may alter the card, returns events that
// are to precede those of the alteration, and an error to leave everything as it was. It must
// replace what pointers and slices refer to, not alter it, and may be asked again.
type Change func(c *Card, now time.Time) ([]events.Data, error)

// maxBatch is how many changes of cards share a transaction. Each is a part of the statement that
// writes them, so each number of them is a statement that every connection keeps.
const maxBatch = 8

// alteration is one change to one card, on its way.
type alteration struct {
	cardID string
	change Change
	card   *Card // as it was read, then as it is; nil: the account has none
}

// newCommitter returns the committer of changes to single cards. A batch reads its cards in one
// statement and writes them in one.
func (s *Service) newCommitter() *groupcommit.Committer[*alteration] {
	return groupcommit.New(s.clock, s.db, groupcommit.Options[*alteration]{
		MaxBatch: maxBatch,
		RowKey:   func(a *alteration) string { return a.cardID },
		Load:     loadCards,
		Apply: func(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, a *alteration) error {
			if a.card == nil {
				return NotFound()
			}
			after, err := s.alter(ctx, tx, stamp, *a.card, a.change)
			a.card = &after
			return err
		},
	})
}

// change makes one change to a card and returns it as it is then.
func (s *Service) change(ctx context.Context, accountID, cardID string, change Change) (Card, error) {
	cardID, ok := id.Parse(id.Card, cardID)
	if !ok {
		return Card{}, NotFound()
	}
	a := &alteration{cardID: cardID, change: change}
	if err := s.changes.Write(ctx, accountID, a); err != nil {
		return Card{}, err
	}
	return *a.card, nil
}

// loadCards reads the cards that are to be changed.
func loadCards(ctx context.Context, tx *postgres.Tx, changes []groupcommit.Write[*alteration]) error {
	type key struct{ account, card string }
	accounts, ids := make([]string, len(changes)), make([]string, len(changes))
	for i, c := range changes {
		accounts[i], ids[i] = c.AccountID, c.Value.cardID
	}
	found, err := findAll(ctx, tx, accounts, ids)
	if err != nil {
		return fmt.Errorf("cards.loadCards: %w", err)
	}
	cards := make(map[key]*Card, len(found))
	for i := range found {
		cards[key{found[i].AccountID, found[i].ID}] = &found[i]
	}
	for _, c := range changes {
		c.Value.card = cards[key{c.AccountID, c.Value.cardID}]
	}
	return nil
}
