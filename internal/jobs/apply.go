package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/postgres"
)

// applied is the effect of a transaction of a job on its cards.
type applied struct {
	outcomes []error  // by card
	same     int      // cards that needed no change
	edits    []edited // changes that can be undone
}

// apply changes cards with the actor of the job's request.
func (s *Service) apply(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, p *plan, next taken, e *estimates,
) (done applied, err error) {
	ctx = caller.WithActor(ctx, p.actor())
	cardIDs := next.cardIDs
	switch p.Kind {
	case Publish:
		done.outcomes, err = s.listings.PublishCardsIn(ctx, tx, stamp, cardIDs, *p.Marketplace)
	case End:
		done.outcomes, err = s.listings.EndCardsIn(ctx, tx, stamp, cardIDs)
	case Archive:
		results, err := s.listings.ArchiveCardsIn(ctx, tx, stamp, cardIDs)
		done, err = undoable(results, err)
		done.same = alreadyArchived(results)
		return done, err
	case Identify:
		done.outcomes, err = s.identify(ctx, tx, stamp, p, cardIDs)
	case Delete:
		return s.delete(ctx, tx, stamp, p.ID, cardIDs)
	case Restore:
		return s.restore(ctx, tx, stamp, *p.Undoes, cardIDs)
	default:
		changes, err := p.changes(next, e)
		if err != nil {
			return applied{}, fmt.Errorf("apply job: %w", err)
		}
		return undoable(s.cards.UpdateManyIn(ctx, tx, stamp, changes))
	}
	return done, err
}

// undoable returns the results with the changes that can be undone.
func undoable(results []cards.ItemResult, err error) (applied, error) {
	if err != nil {
		return applied{}, err
	}
	return applied{outcomes: errorsOf(results), edits: editsOf(results), same: unchanged(results)}, nil
}

// identify queues cards for identification.
func (s *Service) identify(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, p *plan, cardIDs []string,
) ([]error, error) {
	var hints *catalog.Hints
	if p.Hints != nil {
		if err := json.Unmarshal([]byte(*p.Hints), &hints); err != nil {
			return nil, fmt.Errorf("queue identifications: %w", err)
		}
	}
	results, err := s.cards.EnqueueIdentifications(ctx, tx, stamp, cardIDs, hints)
	return errorsOf(results), err
}

// changes returns the updates of a job of kind Update.
func (p *plan) changes(next taken, e *estimates) ([]cards.ItemUpdate, error) {
	updates := make([]cards.ItemUpdate, len(next.cardIDs))
	if p.Undoes != nil {
		for i, edit := range next.edits {
			updates[i] = cards.ItemUpdate{CardID: next.cardIDs[i], Update: updateOf(edit.Undo)}
		}
		return updates, nil
	}
	change, err := p.change(e)
	for i, cardID := range next.cardIDs {
		updates[i] = cards.ItemUpdate{CardID: cardID, Update: updateOf(change)}
	}
	return updates, err
}

// updateOf returns the update that makes a change without events of its own.
func updateOf(change func(c *cards.Card, now time.Time) error) cards.UpdateFunc {
	return func(c *cards.Card, now time.Time) ([]events.Data, error) { return nil, change(c, now) }
}

// change returns the change that a job of kind Update makes to a card. The estimates are nil unless it needs them.
func (p *plan) change(e *estimates) (func(c *cards.Card, now time.Time) error, error) {
	priceChange, err := p.priceChange()
	switch {
	case err != nil:
		return nil, err
	case priceChange != nil && priceChange.OfEstimate:
		return e.setter(*priceChange), nil
	case priceChange != nil:
		return func(c *cards.Card, now time.Time) error { return priceChange.Apply(c, money.Money{}, now) }, nil
	}
	var patch cards.Patch
	err = json.Unmarshal([]byte(*p.Patch), &patch)
	return patch.Apply, err
}

// delete deletes cards, which are kept for the undo of the job.
func (s *Service) delete(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, jobID string, cardIDs []string,
) (applied, error) {
	results, err := s.cards.DeleteManyIn(ctx, tx, stamp, jobID, cardIDs)
	done := applied{outcomes: errorsOf(results)}
	for i := range results {
		if results[i].Err == nil {
			done.edits = append(done.edits, edited{results[i].Card.ID, keptMark})
		}
	}
	return done, err
}

// restore brings cards back that a job has deleted.
func (s *Service) restore(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, jobID string, cardIDs []string,
) (applied, error) {
	results, err := s.cards.RestoreManyIn(ctx, tx, stamp, jobID, cardIDs, s.sales.Ended)
	return applied{outcomes: errorsOf(results), same: unchanged(results)}, err
}

// unchanged returns the number of cards that already were as the job would have made them.
func unchanged(results []cards.ItemResult) (n int) {
	for i := range results {
		r := &results[i]
		if r.Err == nil && r.Before.ID != "" && r.Before.Version == r.Card.Version {
			n++
		}
	}
	return n
}

// alreadyArchived returns the number of cards that were archived before. A listed card that is not yet archived counts
// as changed: its listing ends first.
func alreadyArchived(results []cards.ItemResult) (n int) {
	for i := range results {
		if results[i].Err == nil && results[i].Before.Archived {
			n++
		}
	}
	return n
}

// errorsOf returns the errors of results.
func errorsOf(results []cards.ItemResult) []error {
	outcomes := make([]error, len(results))
	for i := range results {
		outcomes[i] = results[i].Err
	}
	return outcomes
}
