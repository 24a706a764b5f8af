package listings

import (
	"context"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Archive archives a card that still matches and ends its live listing, like ArchiveCardsIn.
func (s *Service) Archive(ctx context.Context, accountID, cardID string, match cards.Match) error {
	return s.clock.Write(ctx, s.db, accountID, func(tx *postgres.Tx, stamp clock.Stamp) error {
		found, err := s.cards.FindMany(ctx, tx, accountID, []string{cardID})
		if err != nil {
			return err
		}
		for _, card := range found {
			if err := match.Check(card.Version); err != nil {
				return err
			}
		}
		results, err := s.ArchiveCardsIn(ctx, tx, stamp, []string{cardID})
		if err != nil {
			return err
		}
		return results[0].Err
	})
}

// ArchiveCardsIn archives cards and requests the end of their live listings, inside a transaction that holds the
// account's clock. Such a card stays listed until its listing has ended, and a sale before that wins. It returns an
// error per card, as cards.Card.Archive does.
func (s *Service) ArchiveCardsIn(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardIDs []string,
) ([]cards.ItemResult, error) {
	found, err := s.cards.FindMany(ctx, tx, stamp.AccountID, cardIDs)
	if err != nil {
		return nil, err
	}
	var live []string
	updates := make([]cards.ItemUpdate, len(cardIDs))
	for i, asked := range cardIDs {
		updates[i] = cards.ItemUpdate{CardID: asked, Update: archive}
		cardID, _ := id.Parse(id.Card, asked)
		if listing := found[cardID].Listing; listing != nil && listing.Status == string(Live) {
			live = append(live, listing.ID)
		}
	}
	if _, err := s.EndManyIn(ctx, tx, stamp, live); err != nil {
		return nil, err
	}
	return s.cards.UpdateManyIn(ctx, tx, stamp, updates)
}

func archive(c *cards.Card, _ time.Time) ([]events.Data, error) { return nil, c.Archive() }
