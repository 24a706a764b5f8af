package cards

import (
	"context"
	"errors"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

// MaxImport is the maximum number of cards of one Import, including copies.
const MaxImport = 500

// OnConflict says what Import does with a draft whose external id an existing card has.
type OnConflict string

// The ways to handle a conflict.
const (
	RefuseConflict OnConflict = "error" // Import fails with external_id_taken
	SkipConflict   OnConflict = "skip"
	UpdateConflict OnConflict = "update" // the draft's patch is applied; its photos are not
)

// Outcome is what Import did with a draft.
type Outcome string

// The outcomes.
const (
	OutcomeCreated Outcome = "created"
	OutcomeUpdated Outcome = "updated"
	OutcomeSkipped Outcome = "skipped" // the card exists and was not changed
)

// ImportedCard is a card after an Import.
type ImportedCard struct {
	Card    Card
	Outcome Outcome
}

// Import creates the cards, or updates or skips those that exist, in one transaction. It returns the cards in the order
// of the drafts, each with its copies. It calls hook in the same transaction. An error that concerns one draft is an
// *ItemError.
func (s *Service) Import(ctx context.Context, accountID string, list []Draft, on OnConflict,
	hook postgres.TxHook) (imported []ImportedCard, err error) {
	drafts, origins, err := withCopies(list)
	if err != nil {
		return nil, err
	}
	err = s.clock.WriteWithHook(ctx, s.db, accountID, hook, func(tx *postgres.Tx, stamp clock.Stamp) error {
		imported, err = s.importIn(ctx, tx, stamp, drafts, on)
		return err
	})
	var item *ItemError
	if errors.As(err, &item) {
		return nil, &ItemError{Index: origins[item.Index], Err: item.Err}
	}
	return imported, err
}

// withCopies repeats each draft as often as its Copies say, and returns the index in list by draft.
func withCopies(list []Draft) (drafts []Draft, origins []int, err error) {
	total := 0
	for i, n := range list {
		if n.Copies > 1 && n.ExternalID.value != nil {
			return nil, nil, &ItemError{Index: i, Err: fault.Invalid("copies",
				"must be 1 for a card with an external_id, because no two cards have the same one")}
		}
		if total += max(n.Copies, 1); total > MaxImport {
			continue
		}
		for range max(n.Copies, 1) {
			drafts, origins = append(drafts, n), append(origins, i)
		}
	}
	if total > MaxImport {
		return nil, nil, fault.Invalid("cards",
			"must be at most %d cards with their copies; they are %d", MaxImport, total)
	}
	return drafts, origins, nil
}

// importIn is Import inside a transaction that holds the account's clock. New cards come first in the order of changes.
func (s *Service) importIn(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, drafts []Draft,
	on OnConflict) ([]ImportedCard, error) {
	existing, err := s.findExternalIDs(ctx, tx, stamp.AccountID, drafts)
	if err != nil {
		return nil, err
	}
	imported := make([]ImportedCard, len(drafts))
	var added []Draft
	var places, updates []int // indexes of drafts
	for i, n := range drafts {
		card, exists := existing[n.externalID()]
		switch {
		case !exists:
			added, places = append(added, n), append(places, i)
		case on == SkipConflict:
			imported[i] = ImportedCard{card, OutcomeSkipped}
		case on == UpdateConflict:
			imported[i], updates = ImportedCard{card, OutcomeSkipped}, append(updates, i)
		default:
			return nil, &ItemError{Index: i, Err: externalIDTaken(card.ID)}
		}
	}
	if len(added) > 0 {
		made, err := s.insertNew(ctx, tx, stamp, added)
		var item *ItemError
		switch {
		case errors.As(err, &item):
			return nil, &ItemError{Index: places[item.Index], Err: item.Err}
		case err != nil:
			return nil, err
		}
		for i, place := range places {
			imported[place] = ImportedCard{made[i], OutcomeCreated}
		}
	}
	return imported, s.updateImported(ctx, tx, stamp.Offset(len(added)), drafts, imported, updates)
}

// updateImported applies the changes of drafts to existing cards. The updates come after the new cards in the order of
// changes.
func (s *Service) updateImported(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, drafts []Draft,
	imported []ImportedCard, places []int) error {
	if len(places) == 0 {
		return nil
	}
	updates := make([]ItemUpdate, len(places))
	for n, i := range places {
		updates[n] = ItemUpdate{imported[i].Card.ID, func(c *Card, now time.Time) ([]events.Data, error) {
			return nil, drafts[i].Changes(c).Apply(c, now)
		}}
	}
	results, err := s.UpdateManyIn(ctx, tx, stamp, updates)
	if err != nil {
		return err
	}
	for n, i := range places {
		if results[n].Err != nil {
			return &ItemError{Index: i, Err: results[n].Err}
		}
		if before := imported[i].Card; results[n].Card.Version != before.Version {
			imported[i] = ImportedCard{results[n].Card, OutcomeUpdated}
		}
	}
	return nil
}

// externalID returns the draft's external id, or "" if it has none.
func (n Draft) externalID() string {
	if n.ExternalID.value == nil {
		return ""
	}
	return *n.ExternalID.value
}

// findExternalIDs returns the existing cards with the external ids of drafts, by external id. It fails if two drafts
// have the same one.
func (s *Service) findExternalIDs(ctx context.Context, q postgres.Querier, accountID string, drafts []Draft) (
	map[string]Card, error) {
	first := map[string]int{}
	var wanted []string
	for i, n := range drafts {
		external := n.externalID()
		if external == "" {
			continue
		}
		if other, repeated := first[external]; repeated {
			return nil, &ItemError{Index: i, Err: fault.Invalid("external_id",
				"must not be the same as that of cards.%d in this request", other)}
		}
		first[external], wanted = i, append(wanted, external)
	}
	return s.FindByExternalID(ctx, q, accountID, wanted)
}

// externalIDTaken returns the error for an external id that a card of the account has.
func externalIDTaken(cardID string) error {
	message := "The card " + cardID + " has this external_id."
	return fault.New(fault.ExternalIDTaken, "%s", message).
		WithDetails(fault.Detail{Field: "external_id", Message: message})
}
