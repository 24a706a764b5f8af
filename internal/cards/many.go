package cards

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/quota"
)

// PatchItem is the update of one card in a call of UpdateMany.
type PatchItem struct {
	CardID string
	Patch  Patch
	// Version is the version that the card must have. Nil allows any.
	Version *int64
}

// ItemUpdate is the update of one card in a write of many cards.
type ItemUpdate struct {
	CardID string
	Update UpdateFunc
}

// ItemResult is the updated card or the fault of its update.
type ItemResult struct {
	Card   Card
	Err    error
	Before Card // the card before its update
}

// UpdateMany applies the patches in one transaction and returns their results in the given order. A patch that fails
// changes nothing. If atomic is true, the first failure is returned as an *ItemError and nothing changes. The cards
// must differ.
func (s *Service) UpdateMany(
	ctx context.Context, accountID string, items []PatchItem, atomic bool,
) (results []ItemResult, err error) {
	ids, patches := make([]string, len(items)), make([]*Patch, len(items))
	for i := range items {
		ids[i], patches[i] = items[i].CardID, &items[i].Patch
	}
	if i := Repeated(ids); i >= 0 {
		return nil, &ItemError{i, fault.Invalid("id", "must differ from the identifiers before it")}
	}
	faults, err := s.FillEach(ctx, patches)
	if err != nil {
		return nil, fmt.Errorf("cards.UpdateMany: %w", err)
	}
	updates := make([]ItemUpdate, len(items))
	for i, item := range items {
		updates[i] = ItemUpdate{item.CardID, func(c *Card, now time.Time) ([]events.Data, error) {
			if err := matchVersion(item.Version).Check(c.Version); err != nil {
				return nil, err
			}
			if faults != nil && faults[i] != nil {
				return nil, faults[i]
			}
			return nil, item.Patch.Apply(c, now)
		}}
	}
	err = s.clock.Write(ctx, s.db, accountID, func(tx *postgres.Tx, stamp clock.Stamp) error {
		results, err = s.UpdateManyIn(ctx, tx, stamp, updates)
		if err == nil && atomic {
			err = FirstError(results, func(r ItemResult) error { return r.Err })
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return results, nil
}

func matchVersion(version *int64) Match {
	if version == nil {
		return nil
	}
	return func(v int64) bool { return v == *version }
}

// Repeated returns the index of the first identifier that stands in the list before, in any case of letters, or -1.
func Repeated(ids []string) int {
	seen := make(map[string]bool, len(ids))
	for i, text := range ids {
		text = strings.ToLower(text)
		if seen[text] {
			return i
		}
		seen[text] = true
	}
	return -1
}

// FirstError returns the error of the first result that failed as an *ItemError, or nil.
func FirstError[T any](results []T, errorOf func(T) error) error {
	for i := range results {
		if err := errorOf(results[i]); err != nil {
			return &ItemError{Index: i, Err: err}
		}
	}
	return nil
}

// UpdateManyIn updates cards inside a transaction that holds the account's clock. The number of statements does not
// depend on the number of cards. The results have the order of the updates; one that fails with a fault changes
// nothing. The cards must differ. Each has a time of its own, so that a poll by updated_since does not return all of
// them again.
func (s *Service) UpdateManyIn(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, updates []ItemUpdate,
) ([]ItemResult, error) {
	ids := make([]string, len(updates))
	for i, u := range updates {
		ids[i], _ = id.Parse(id.Card, u.CardID) // a malformed identifier matches nothing
	}
	found, err := findMany(ctx, tx, stamp.AccountID, ids)
	if err != nil {
		return nil, err
	}
	steps := make([]step, len(updates))
	for i, u := range updates {
		before, ok := found[ids[i]]
		if !ok {
			steps[i].err = NotFound()
			continue
		}
		steps[i] = newStep(before, u.Update, stamp.Offset(i).At)
	}
	if err := checkFloors(ctx, tx, stamp.AccountID, steps); err != nil {
		return nil, err
	}
	if err := s.checkMoves(ctx, tx, stamp.AccountID, steps); err != nil {
		return nil, err
	}
	if err := checkExternalIDs(ctx, tx, stamp.AccountID, steps); err != nil {
		return nil, err
	}
	checkQuotas(ctx, tx, stamp, steps)
	if err := s.write(ctx, tx, stamp, steps); err != nil {
		return nil, fmt.Errorf("cards.UpdateManyIn: %w", err)
	}
	results := make([]ItemResult, len(steps))
	for i, st := range steps {
		results[i] = ItemResult{Card: st.after, Err: st.err, Before: st.before}
	}
	return results, nil
}

// step is the update of one card and what follows from it.
type step struct {
	before, after Card
	at            time.Time
	happened      []events.Data
	changed       []Change
	identify      bool
	err           error
}

// newStep applies the update to the card.
func newStep(before Card, update UpdateFunc, at time.Time) step {
	st := step{before: before, after: before, at: at}
	preceding, err := update(&st.after, at)
	if err != nil {
		return step{err: err}
	}
	st.identify = st.after.startIdentification()
	happened, changed, err := finalize(before, &st.after, at)
	if err != nil {
		return step{err: err}
	}
	st.happened, st.changed = append(preceding, happened...), changed
	if len(changed) > 0 {
		st.happened = append(st.happened, cardUpdated(&st.after, changed))
	}
	return st
}

// checkMoves sets the error of each update that moves a card into or out of a batch that is complete or unknown.
func (s *Service) checkMoves(ctx context.Context, tx *postgres.Tx, accountID string, steps []step) error {
	moves := map[string]int{}
	for _, st := range steps {
		countMove(moves, st.before.BatchID, st.after.BatchID)
	}
	if len(moves) == 0 {
		return nil
	}
	closed, err := s.batches.Closed(ctx, tx, accountID, slices.Sorted(maps.Keys(moves)))
	if err != nil || len(closed) == 0 {
		return err
	}
	for i, st := range steps {
		move := map[string]int{}
		countMove(move, st.before.BatchID, st.after.BatchID)
		for _, batchID := range slices.Sorted(maps.Keys(move)) {
			if closed[batchID] != nil {
				steps[i] = step{err: closed[batchID]}
				break
			}
		}
	}
	return nil
}

// checkExternalIDs sets the error of each update that sets the external id that another card has, after the updates
// before it. It clears the external ids that pass from card to card, because the updates are stored in any order.
func checkExternalIDs(ctx context.Context, tx *postgres.Tx, accountID string, steps []step) error {
	var wanted []string
	for i := range steps {
		if _, external := steps[i].externalIDs(); external != "" {
			wanted = append(wanted, external)
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	var taken []struct {
		ID         string `db:"id"`
		ExternalID string `db:"external_id"`
	}
	err := tx.Select(ctx, &taken, `SELECT id, external_id FROM cards WHERE account_id = $1 AND external_id = ANY($2)`,
		accountID, pq.Array(wanted))
	if err != nil {
		return fmt.Errorf("cards.checkExternalIDs: %w", err)
	}
	owners := make(map[string]string, len(taken))
	for _, card := range taken {
		owners[card.ExternalID] = card.ID
	}
	var released []string
	for i := range steps {
		before, after := steps[i].externalIDs()
		if owner := owners[after]; owner != "" {
			steps[i] = step{err: externalIDTaken(owner)}
			continue
		}
		if before != "" && owners[before] == steps[i].before.ID {
			delete(owners, before)
			released = append(released, steps[i].before.ID)
		}
		if after != "" {
			owners[after] = steps[i].before.ID
		}
	}
	if len(released) == 0 {
		return nil
	}
	_, err = tx.Exec(ctx, `UPDATE cards SET external_id = NULL WHERE account_id = $1 AND id = ANY($2)`,
		accountID, pq.Array(released))
	if err != nil {
		return fmt.Errorf("cards.checkExternalIDs: %w", err)
	}
	return nil
}

// checkQuotas sets the error of each update that adds more than the quotas of the account allow, after the updates
// before it.
func checkQuotas(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, steps []step) {
	var sum quota.Usage
	for i := range steps {
		st := &steps[i]
		if st.err != nil {
			continue
		}
		more := sum.Plus(st.after.usage().Minus(st.before.usage()))
		if err := checkQuota(tx, stamp, caller.ActorFrom(ctx), &st.before, &st.after, more); err != nil {
			steps[i] = step{err: err}
			continue
		}
		sum = more
	}
}

// externalIDs returns the external id before the update and after it, or "" for each where the update does not change
// it or the card has none.
func (st *step) externalIDs() (before, after string) {
	b, a := st.before.ExternalID, st.after.ExternalID
	if st.err != nil || a == b || a != nil && b != nil && *a == *b {
		return "", ""
	}
	if b != nil {
		before = *b
	}
	if a != nil {
		after = *a
	}
	return before, after
}

// write stores the updates that succeeded, with their history, events and counts.
func (s *Service) write(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, steps []step) error {
	var befores, afters []Card
	var identify, confirmed []string
	var repriced []Repricing
	var history historyRows
	deltas := map[string]int{}
	for i := range steps {
		st := &steps[i]
		if st.err != nil {
			if _, ok := fault.As(st.err); !ok {
				return st.err
			}
			continue
		}
		countMove(deltas, st.before.BatchID, st.after.BatchID)
		if !reflect.DeepEqual(st.before, st.after) {
			befores, afters = append(befores, st.before), append(afters, st.after)
		}
		if len(st.changed) > 0 {
			if err := history.add(&st.after, caller.ActorFrom(ctx), st.changed); err != nil {
				return err
			}
		}
		if st.identify {
			identify = append(identify, st.after.ID)
		}
		if confirmationChanged(&st.before, &st.after) {
			confirmed = append(confirmed, st.after.ID)
		}
		if p, ok := repricing(&st.before, &st.after, st.at); ok {
			repriced = append(repriced, p)
		}
	}
	maps.DeleteFunc(deltas, func(_ string, delta int) bool { return delta == 0 })
	if err := s.batches.Adjust(ctx, tx, stamp, deltas); err != nil {
		return err
	}
	if err := updateRows(ctx, tx, stamp.AccountID, befores, afters); err != nil {
		return err
	}
	history.write(tx)
	stamp.ExtendTo(tx, stamp.Offset(len(steps)-1).At)
	if len(identify) > 0 {
		if err := s.identify.Enqueue(ctx, tx, stamp.AccountID, identify...); err != nil {
			return err
		}
	}
	if err := s.learn(ctx, tx, stamp.AccountID, confirmed...); err != nil {
		return err
	}
	revised, err := s.reprice(ctx, tx, stamp, repriced)
	if err != nil {
		return err
	}
	return s.events.RecordDated(ctx, tx, stamp, eventsOf(steps, revised))
}

// eventsOf returns the events of the updates that succeeded. revised has the events of revised listings by listing id.
// They precede those of their cards.
func eventsOf(steps []step, revised map[string]events.Data) (happened []events.Dated) {
	for i := range steps {
		st := &steps[i]
		if st.err != nil {
			continue
		}
		if ref := st.after.Listing; ref != nil && revised[ref.ID] != nil {
			happened = append(happened, events.Dated{At: st.at, Data: revised[ref.ID]})
		}
		for _, data := range st.happened {
			happened = append(happened, events.Dated{At: st.at, Data: data})
		}
	}
	return happened
}
