package cards

import (
	"context"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
)

// Confirmation is an owner's statement that a photo shows a card of the catalogue. Title, Number and Language come from
// the card; they can contradict the catalogue if the owner has changed them only.
type Confirmation struct{ PhotoID, CatalogID, Title, Number, Language string }

// Confirmation returns what the owner has said about the photo of the front. It is zero if there is no such photo, or
// if the owner has not identified the card by the catalogue.
func (c *Card) Confirmation() Confirmation {
	i, front := &c.Identification, c.photo(RoleFront)
	if i.Source == nil || *i.Source != SourceManual || i.CatalogID == nil || i.Title == nil || front == nil {
		return Confirmation{}
	}
	said := Confirmation{PhotoID: front.ID, CatalogID: *i.CatalogID, Title: *i.Title}
	if i.Number != nil {
		said.Number = *i.Number
	}
	if i.Language != nil {
		said.Language = *i.Language
	}
	return said
}

// learn deletes the fingerprints of cards whose confirmations have changed, and queues the cards to learn from them
// again.
func (s *Service) learn(ctx context.Context, tx *postgres.Tx, accountID string, cardIDs ...string) error {
	if len(cardIDs) == 0 {
		return nil
	}
	if err := s.learning.Enqueue(ctx, tx, accountID, cardIDs...); err != nil {
		return err
	}
	tx.Defer(`DELETE FROM learned_fingerprints WHERE account_id = $1 AND card_id = ANY($2)`,
		accountID, pq.StringArray(cardIDs))
	return nil
}
