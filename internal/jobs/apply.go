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

// apply changes cards with the actor of the job's request. It returns the error of each, and the photos of those that
// it has deleted.
func (s *Service) apply(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, p *plan, cardIDs []string, e *estimates,
) (outcomes []error, removed []cards.Photo, err error) {
	ctx = caller.WithActor(ctx, p.actor())
	switch p.Kind {
	case Publish:
		outcomes, err = s.listings.PublishCardsIn(ctx, tx, stamp, cardIDs, *p.Marketplace)
	case End:
		outcomes, err = s.listings.EndCardsIn(ctx, tx, stamp, cardIDs)
	case Archive:
		outcomes, err = s.listings.ArchiveCardsIn(ctx, tx, stamp, cardIDs)
	case Identify:
		outcomes, err = s.identify(ctx, tx, stamp, p, cardIDs)
	case Delete:
		return s.delete(ctx, tx, stamp, cardIDs)
	default:
		outcomes, err = s.patch(ctx, tx, stamp, p, cardIDs, e)
	}
	return outcomes, nil, err
}

// identify queues cards for identification.
func (s *Service) identify(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, p *plan, cardIDs []string,
) ([]error, error) {
	var hints *catalog.Hints
	if p.Hints != nil {
		if err := json.Unmarshal([]byte(*p.Hints), &hints); err != nil {
			return nil, fmt.Errorf("jobs.identify: %w", err)
		}
	}
	return errorsOf(s.cards.EnqueueIdentifications(ctx, tx, stamp, cardIDs, hints))
}

// patch applies the change of a job of kind Update.
func (s *Service) patch(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, p *plan, cardIDs []string, e *estimates,
) ([]error, error) {
	change, err := p.change(e)
	if err != nil {
		return nil, fmt.Errorf("jobs.patch: %w", err)
	}
	apply := func(c *cards.Card, now time.Time) ([]events.Data, error) { return nil, change(c, now) }
	updates := make([]cards.ItemUpdate, len(cardIDs))
	for i, cardID := range cardIDs {
		updates[i] = cards.ItemUpdate{CardID: cardID, Update: apply}
	}
	return errorsOf(s.cards.UpdateManyIn(ctx, tx, stamp, updates))
}

// change returns what a job of kind Update does with each card. The estimates are nil unless it needs them.
func (p *plan) change(e *estimates) (func(c *cards.Card, now time.Time) error, error) {
	priced, err := p.priceChange()
	switch {
	case err != nil:
		return nil, err
	case priced != nil && priced.OfEstimate:
		return e.setter(*priced), nil
	case priced != nil:
		return func(c *cards.Card, now time.Time) error { return priced.Apply(c, money.Money{}, now) }, nil
	}
	var patch cards.Patch
	err = json.Unmarshal([]byte(*p.Patch), &patch)
	return patch.Apply, err
}

// delete deletes cards.
func (s *Service) delete(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardIDs []string,
) (outcomes []error, removed []cards.Photo, err error) {
	results, err := s.cards.DeleteManyIn(ctx, tx, stamp, cardIDs)
	for i := range results {
		if results[i].Err == nil {
			removed = append(removed, results[i].Card.Photos...)
		}
	}
	outcomes, err = errorsOf(results, err)
	return outcomes, removed, err
}

func errorsOf(results []cards.ItemResult, err error) ([]error, error) {
	if err != nil {
		return nil, err
	}
	outcomes := make([]error, len(results))
	for i := range results {
		outcomes[i] = results[i].Err
	}
	return outcomes, nil
}
