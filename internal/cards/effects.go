package cards

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/postgres"
)

// effects collects the rows, the background work and the events that follow from the steps of one account.
type effects struct {
	stamp               clock.Stamp
	steps               []*step // in the order of their events
	last                time.Time
	added               []Card
	befores, afters     []Card // of the cards whose rows change
	moves               map[string]int
	history             historyRows
	hints               hintRows
	fetches             []fetch
	identify, confirmed []string
	repriced            []Repricing
}

func newEffects(stamp clock.Stamp, steps int) *effects {
	return &effects{stamp: stamp, steps: make([]*step, 0, steps), moves: map[string]int{}}
}

// add adds what follows from a step.
func (e *effects) add(st *step) error {
	e.steps, e.last = append(e.steps, st), st.at
	countMove(e.moves, st.before.BatchID, st.after.BatchID)
	switch {
	case st.isNew():
		e.added = append(e.added, st.after)
	case len(st.changed) > 0 || !reflect.DeepEqual(st.before, st.after):
		e.befores, e.afters = append(e.befores, st.before), append(e.afters, st.after)
	}
	if st.isNew() || len(st.changed) > 0 {
		if err := e.history.add(&st.after, st.actor, st.changed); err != nil {
			return err
		}
	}
	e.fetches = append(e.fetches, st.fetches...)
	if !st.hints.IsZero() {
		e.hints.add(e.stamp.AccountID, st.after.ID, st.hints)
	}
	if st.identify {
		e.identify = append(e.identify, st.after.ID)
	}
	if st.before.Confirmation() != st.after.Confirmation() {
		e.confirmed = append(e.confirmed, st.after.ID)
	}
	if p, ok := repricing(&st.before, &st.after, st.at); ok {
		e.repriced = append(e.repriced, p)
	}
	return nil
}

// write stores the effects with the account's clock. Most statements are deferred.
func (e *effects) write(ctx context.Context, s *Service, tx *postgres.Tx) error {
	if len(e.steps) == 0 {
		return nil
	}
	maps.DeleteFunc(e.moves, func(_ string, delta int) bool { return delta == 0 })
	if err := s.batches.Adjust(ctx, tx, e.stamp, e.moves); err != nil {
		return err
	}
	if err := e.writeRows(ctx, tx); err != nil {
		return fmt.Errorf("store cards: %w", err)
	}
	e.stamp.ExtendTo(tx, e.last)
	if err := e.enqueue(ctx, s, tx); err != nil {
		return err
	}
	revised, err := s.reprice(ctx, tx, e.stamp, e.repriced)
	if err != nil {
		return err
	}
	return s.events.RecordDated(ctx, tx, e.stamp, e.events(revised))
}

// writeRows writes the rows of the cards.
func (e *effects) writeRows(ctx context.Context, tx *postgres.Tx) error {
	if err := insert(ctx, tx, e.added); err != nil {
		return err
	}
	if err := updateRows(ctx, tx, e.stamp.AccountID, e.befores, e.afters); err != nil {
		return err
	}
	e.history.write(tx)
	e.hints.write(tx)
	return nil
}

// enqueue queues the background work.
func (e *effects) enqueue(ctx context.Context, s *Service, tx *postgres.Tx) error {
	accountID := e.stamp.AccountID
	if len(e.fetches) > 0 {
		if err := s.fetches.Mark(ctx, tx, accountID); err != nil {
			return err
		}
		if err := insertFetches(ctx, tx, accountID, e.fetches); err != nil {
			return fmt.Errorf("enqueue photos to fetch: %w", err)
		}
	}
	if len(e.identify) > 0 {
		if err := s.identify.Enqueue(ctx, tx, accountID, e.identify...); err != nil {
			return err
		}
	}
	return s.learn(ctx, tx, accountID, e.confirmed...)
}

// events returns the events of the steps in their order. Within a step, the events of the update come first, then the
// event of a listing with a new price, then the events of the card. revised has the events of listings by listing.
func (e *effects) events(revised map[string]events.Data) []events.Dated {
	var all []events.Dated
	for _, st := range e.steps {
		add := func(list ...events.Data) {
			for _, data := range list {
				all = append(all, events.Dated{At: st.at, Data: data})
			}
		}
		add(st.preceding...)
		if ref := st.after.Listing; ref != nil && revised[ref.ID] != nil {
			add(revised[ref.ID])
		}
		add(st.happened...)
	}
	return all
}

// countMove adds the move of one card between batches to the deltas.
func countMove(deltas map[string]int, from, to *string) {
	if from != nil && to != nil && *from == *to {
		return
	}
	if from != nil {
		deltas[*from]--
	}
	if to != nil {
		deltas[*to]++
	}
}
