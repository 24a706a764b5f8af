package cards

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Identifiable returns nil if a provider can identify the card now. Otherwise it returns the reason:
// card_archived, card_sold or card_has_no_photo.
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

// startIdentification reports whether the card waits for automatic identification and can be identified
// now. If so, it clears AutoIdentify. It also sets the status of an identification that has no result yet.
func (c *Card) startIdentification() (start bool) {
	start = c.AutoIdentify && c.Identifiable() == nil
	status := &c.Identification.Status
	switch {
	case *status == IdentificationDone || *status == IdentificationFailed: // until the next result
	case start || c.AutoIdentify && c.fetchesPhoto():
		*status = IdentificationPending
	case c.AutoIdentify:
		*status = IdentificationNone
	}
	if start {
		c.AutoIdentify = false
	}
	return start
}

// fetchesPhoto reports whether a photo that can identify the card is being fetched.
func (c *Card) fetchesPhoto() bool {
	return slices.ContainsFunc(c.Photos, func(p Photo) bool {
		return p.Role != RoleBack && p.Status == PhotoPending
	})
}

// AwaitIdentification marks a card for automatic identification as soon as it can be identified, which may be
// now. The caller uses it for a card that could not be identified. The transaction must hold the account's
// clock.
func (s *Service) AwaitIdentification(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp,
	cardID string) (Card, error) {
	return s.UpdateIn(ctx, tx, stamp, cardID, func(c *Card, _ time.Time) ([]events.Data, error) {
		c.AutoIdentify = true
		return nil, nil
	})
}

// EnqueueIdentifications queues cards for automatic identification inside a transaction that holds the account's clock.
// Unless hints is nil, it replaces the hints that are kept with the cards. A card that is not Identifiable is refused.
// The cards must differ.
func (s *Service) EnqueueIdentifications(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardIDs []string, hints *catalog.Hints,
) ([]ItemResult, error) {
	updates := make([]ItemUpdate, len(cardIDs))
	for i, cardID := range cardIDs {
		updates[i] = ItemUpdate{cardID, func(c *Card, _ time.Time) ([]events.Data, error) {
			c.AutoIdentify = true
			return nil, c.Identifiable()
		}}
	}
	results, err := s.UpdateManyIn(ctx, tx, stamp, updates)
	if err != nil || hints == nil {
		return results, err
	}
	var rows hintRows
	for i := range results {
		if results[i].Err == nil {
			rows.add(stamp.AccountID, results[i].Card.ID, *hints)
		}
	}
	rows.write(tx)
	return results, nil
}

// Result is the accepted result of an identification provider.
type Result struct {
	Title                        string
	Set, Number, CatalogID, Game *string
	Variant, Language            *string
	Year                         *int32
	Grade                        *Grade // of the label of a slab; nil if there is none
	Provider                     string
	Confidence                   float64
}

// SaveIdentified stores an accepted result inside a transaction that holds the account's clock. It keeps the card's
// condition and grade, which belong to the copy and not to the printing. A card without a grade gets the result's
// grade.
func (s *Service) SaveIdentified(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardID string,
	r Result) (Card, error) {
	return s.UpdateIn(ctx, tx, stamp, cardID, func(c *Card, now time.Time) ([]events.Data, error) {
		source := SourceAI
		c.Identification = Identification{
			Status: IdentificationDone, Source: &source, Provider: &r.Provider, Confidence: &r.Confidence,
			IdentifiedAt: &now,
			Description: Description{
				Title: &r.Title, Set: r.Set, Number: r.Number, CatalogID: r.CatalogID, Game: r.Game, Year: r.Year,
				Variant: r.Variant, Language: r.Language,
				Condition: c.Identification.Condition, Grade: cmp.Or(c.Identification.Grade, r.Grade),
			},
		}
		return nil, nil
	})
}

// SaveUnidentified records that every provider failed. A card without an identification gets status
// needs_review. An identified card keeps its identification.
func (s *Service) SaveUnidentified(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardID string,
	attempts []events.IdentifyAttempt) (Card, error) {
	return s.UpdateIn(ctx, tx, stamp, cardID, func(c *Card, _ time.Time) ([]events.Data, error) {
		if c.Identification.Title == nil {
			c.Identification.Status = IdentificationFailed
		}
		return []events.Data{events.IdentifyFailed{Card: c.EventCard(), Attempts: attempts}}, nil
	})
}
