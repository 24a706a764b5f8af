package cards

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/quota"
)

// Every change of a card is a step, and apply is the only function that carries steps out: PATCH of one card by group
// commit, PATCH of many, imports, jobs, listings and sales. New and restored cards take the same way from check and
// effects on.

// step is the change of one card and what follows from it.
type step struct {
	cardID string
	actor  caller.Actor
	update UpdateFunc

	before, after Card // before is zero for a card that is not stored yet
	at            time.Time
	preceding     []events.Data // the events of update
	happened      []events.Data // the events of the card
	changed       []Change
	identify      bool          // whether the card is queued for identification
	fetches       []fetch       // the photos of a card that is not stored yet
	hints         catalog.Hints // kept with a card that is not stored yet
	err           error         // why nothing changes
}

// isNew reports whether the step inserts the card.
func (st *step) isNew() bool { return st.before.ID == "" }

// run applies the update to a card that the transaction has read. It replaces the result of an earlier run.
func (st *step) run(before Card, at time.Time) {
	*st = step{cardID: st.cardID, actor: st.actor, update: st.update, before: before, after: before, at: at}
	if st.preceding, st.err = st.update(&st.after, at); st.err != nil {
		return
	}
	st.identify = st.after.startIdentification()
	if st.happened, st.changed = finalize(&st.before, &st.after, at); len(st.changed) > 0 {
		st.happened = append(st.happened, cardUpdated(&st.after, st.changed))
	}
}

// apply carries out the steps that ran, which are of one account, inside a transaction that holds the account's clock.
// If a rule forbids a step, apply sets the step's error; it makes the other changes. The number of statements does not
// depend on the number of steps, except that it depends on the number of batches.
func (s *Service) apply(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, steps []*step, floors floorCheck,
) error {
	if err := s.check(ctx, tx, stamp, steps, floors); err != nil {
		return err
	}
	return s.write(ctx, tx, stamp, steps)
}

// write makes the changes of the steps that no rule forbids.
func (s *Service) write(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, steps []*step) error {
	e := newEffects(stamp, len(steps))
	for _, st := range steps {
		if st.err != nil {
			continue
		}
		if err := e.add(st); err != nil {
			return err
		}
	}
	return e.write(ctx, s, tx)
}

// check sets the errors of steps that a rule of the account forbids: a floor price, a quota, a complete batch, or
// another card's external id. Each step sees the changes of the steps before it. It returns errors that are no faults.
func (s *Service) check(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, steps []*step, floors floorCheck,
) error {
	closed, err := s.closedBatches(ctx, tx, stamp.AccountID, steps)
	if err != nil {
		return err
	}
	external, err := externalIDsOf(ctx, tx, stamp.AccountID, steps)
	if err != nil {
		return err
	}
	var more quota.Usage // of the steps so far
	for _, st := range steps {
		total := more
		if st.err == nil {
			st.err = floors.check(ctx, tx, &st.before, &st.after)
		}
		if st.err == nil {
			total = more.Plus(st.after.usage().Minus(st.before.usage()))
			st.err = st.checkQuota(tx, stamp, total)
		}
		if st.err == nil {
			st.err = st.checkMove(closed)
		}
		if st.err == nil {
			st.err = external.take(st)
		}
		if st.err == nil {
			more = total
		} else if _, refused := fault.As(st.err); !refused {
			return st.err
		}
	}
	return external.release(ctx, tx, stamp.AccountID)
}

// closedBatches returns why cards cannot move into or out of the batches of the steps, by batch.
func (s *Service) closedBatches(
	ctx context.Context, tx *postgres.Tx, accountID string, steps []*step,
) (map[string]error, error) {
	moves := map[string]int{}
	for _, st := range steps {
		if st.err == nil && !st.isNew() {
			countMove(moves, st.before.BatchID, st.after.BatchID)
		}
	}
	if len(moves) == 0 {
		return nil, nil
	}
	return s.batches.Closed(ctx, tx, accountID, slices.Sorted(maps.Keys(moves)))
}

// checkMove returns an error if the step moves the card into or out of a batch that is closed.
func (st *step) checkMove(closed map[string]error) error {
	if len(closed) == 0 {
		return nil
	}
	move := map[string]int{}
	countMove(move, st.before.BatchID, st.after.BatchID)
	for _, batchID := range slices.Sorted(maps.Keys(move)) {
		if closed[batchID] != nil {
			return closed[batchID]
		}
	}
	return nil
}

// externalIDs are the external ids that steps set, with the cards that have them.
type externalIDs struct {
	owners   map[string]string // cards by external id
	released []string          // cards whose external id another step sets
}

// externalIDsOf reads the owners of the external ids that steps set. The transaction holds the account's clock, so no
// other transaction sets them at the same time.
func externalIDsOf(
	ctx context.Context, tx *postgres.Tx, accountID string, steps []*step,
) (*externalIDs, error) {
	var wanted []string
	for _, st := range steps {
		if _, after := st.externalIDs(); after != "" && !st.isNew() {
			wanted = append(wanted, after)
		}
	}
	ids := &externalIDs{owners: make(map[string]string, len(wanted))}
	if len(wanted) == 0 {
		return ids, nil
	}
	var taken []struct {
		ID         string `db:"id"`
		ExternalID string `db:"external_id"`
	}
	err := tx.Select(ctx, &taken, `SELECT id, external_id FROM cards WHERE account_id = $1 AND external_id = ANY($2)`,
		accountID, pq.Array(wanted))
	if err != nil {
		return nil, fmt.Errorf("read the owners of external ids: %w", err)
	}
	for _, card := range taken {
		ids.owners[card.ExternalID] = card.ID
	}
	return ids, nil
}

// externalIDs returns the external id before the step and after it, or "" twice if the step does not change it.
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

// take gives a card the external id that its step sets, or returns external_id_taken.
func (ids *externalIDs) take(st *step) error {
	before, after := st.externalIDs()
	if owner := ids.owners[after]; owner != "" {
		return externalIDTaken(owner)
	}
	if before != "" && ids.owners[before] == st.before.ID {
		delete(ids.owners, before)
		ids.released = append(ids.released, st.before.ID)
	}
	if after != "" {
		ids.owners[after] = st.before.ID
	}
	return nil
}

// release clears the external ids that pass from card to card, because the rows of the steps are written in any order.
func (ids *externalIDs) release(ctx context.Context, tx *postgres.Tx, accountID string) error {
	if len(ids.released) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, `UPDATE cards SET external_id = NULL WHERE account_id = $1 AND id = ANY($2)`,
		accountID, pq.Array(ids.released))
	if err != nil {
		return fmt.Errorf("release external ids: %w", err)
	}
	return nil
}
