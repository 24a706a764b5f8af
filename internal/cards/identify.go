package cards

import (
	"context"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/postgres"
)

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
