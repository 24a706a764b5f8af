package cards

import (
	"context"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Identifiable says why the card cannot be identified by a provider now: card_archived, card_sold or
// card_has_no_photo; nil if it can be.
func (c *Card) Identifiable() error {
	switch {
	case c.Archived:
		return fault.New(fault.CardArchived, "This card is archived; bring it back before identifying it.")
	case c.Sold():
		return fault.New(fault.CardSold, "This card was sold; its identification can no longer be changed.")
	case c.BestPhoto() == nil:
		return fault.New(fault.CardHasNoPhoto, "Add a photo of the front before identifying this card.")
	}
	return nil
}

// takeIdentification reports whether the card now has what automatic identification was waiting
// for, and remembers that it is under way.
func (c *Card) takeIdentification() bool {
	if !c.AutoIdentify || c.Identifiable() != nil {
		return false
	}
	c.AutoIdentify = false
	return true
}

// AwaitIdentification has a card that could not be identified when its turn came identified as soon as
// it can be, which may be now.
func (s *Service) AwaitIdentification(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardID string) (Card, error) {
	return s.Change(ctx, tx, stamp, cardID, func(c *Card, _ time.Time) ([]events.Data, error) {
		c.AutoIdentify = true
		return nil, nil
	})
}

// Result is what an identification provider found and the chain accepted.
type Result struct {
	Title                        string
	Set, Number, CatalogID, Game *string
	Variant, Language            *string
	Year                         *int32
	Provider                     string
	Confidence                   float64
}

// SaveIdentified saves an accepted result inside a transaction that has taken the account's clock.
// What the owner knows of the very copy (condition, grade) stays.
func (s *Service) SaveIdentified(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardID string, r Result) (Card, error) {
	return s.Change(ctx, tx, stamp, cardID, func(c *Card, now time.Time) ([]events.Data, error) {
		source := SourceAI
		c.Identification = Identification{
			Status: IdentificationDone, Source: &source, Provider: &r.Provider, Confidence: &r.Confidence, IdentifiedAt: &now,
			Description: Description{
				Title: &r.Title, Set: r.Set, Number: r.Number, CatalogID: r.CatalogID, Game: r.Game, Year: r.Year,
				Variant: r.Variant, Language: r.Language,
				Condition: c.Identification.Condition, Grade: c.Identification.Grade,
			},
		}
		return nil, nil
	})
}

// SaveUnidentified records that every provider failed. A card that is not identified waits for
// review; one that is keeps what it has.
func (s *Service) SaveUnidentified(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardID string, attempts []events.IdentifyAttempt) (Card, error) {
	return s.Change(ctx, tx, stamp, cardID, func(c *Card, _ time.Time) ([]events.Data, error) {
		if c.Identification.Title == nil {
			c.Identification.Status = IdentificationFailed
		}
		return []events.Data{events.IdentifyFailed{Card: c.Event(), Attempts: attempts}}, nil
	})
}
