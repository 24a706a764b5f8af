package cards

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
)

// EndedSales returns the sales whose cards came back, each with another sale by which its card is sold, or nil.
type EndedSales func(
	ctx context.Context, tx *postgres.Tx, accountID string, saleIDs []string,
) (map[string]*string, error)

// RestoreManyIn brings cards back that the job deleted, inside a transaction that holds the account's clock. A card has
// its identifier, its photos and its history again, the next version and a time of its own, so that a poll by
// updated_since returns it; its entry leaves the list of deletions in the same transaction.
//
// A card that exists already counts as restored. One whose external id or SKU was taken since the deletion, or whose
// batch is complete, stays deleted and has the error. The cards must differ.
func (s *Service) RestoreManyIn(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, jobID string, cardIDs []string, ended EndedSales,
) ([]ItemResult, error) {
	ids := make([]string, len(cardIDs))
	for i, text := range cardIDs {
		ids[i], _ = id.Parse(id.Card, text)
	}
	kept, err := findKept(ctx, tx, stamp.AccountID, jobID, ids)
	if err != nil {
		return nil, fmt.Errorf("load deleted cards: %w", err)
	}
	present, err := findMany(ctx, tx, stamp.AccountID, ids)
	if err != nil {
		return nil, err
	}
	refused, err := s.checkRestorable(ctx, tx, stamp.AccountID, ids, kept)
	if err != nil {
		return nil, fmt.Errorf("check deleted cards: %w", err)
	}
	var restored []*keptCard
	for i, cardID := range ids {
		if card := kept[cardID]; card != nil && refused[cardID] == nil {
			card.restoredAt = stamp.Offset(i).At
			restored = append(restored, card)
		}
	}
	if len(restored) > 0 {
		if err := s.restore(ctx, tx, stamp, restored, ended); err != nil {
			return nil, fmt.Errorf("restore cards: %w", err)
		}
	}
	return restoreResults(ids, kept, present, refused), nil
}

// restoreResults returns the results of a restore, card by card.
func restoreResults(
	ids []string, kept map[string]*keptCard, present map[string]Card, refused map[string]error,
) []ItemResult {
	results := make([]ItemResult, len(ids))
	for i, cardID := range ids {
		card, exists := present[cardID]
		switch {
		case kept[cardID] != nil:
			results[i] = ItemResult{Card: kept[cardID].Card, Err: refused[cardID]}
		case exists:
			results[i].Before, results[i].Card = card, card // an undo before has brought it back
		default:
			results[i].Err = fault.New(fault.CardNotFound, "This card was erased, or another job has deleted it again.")
		}
	}
	return results
}

// checkRestorable returns the errors of the cards that cannot come back, by identifier.
func (s *Service) checkRestorable(
	ctx context.Context, tx *postgres.Tx, accountID string, ids []string, kept map[string]*keptCard,
) (map[string]error, error) {
	var batches, externalIDs, skus []string
	for _, card := range kept {
		batches = appendValue(batches, card.BatchID)
		externalIDs, skus = appendValue(externalIDs, card.ExternalID), appendValue(skus, card.SKU)
	}
	closed := map[string]error{}
	var err error
	if len(batches) > 0 {
		slices.Sort(batches)
		if closed, err = s.batches.Closed(ctx, tx, accountID, slices.Compact(batches)); err != nil {
			return nil, err
		}
	}
	owners, err := s.FindByExternalID(ctx, tx, accountID, externalIDs)
	if err != nil {
		return nil, err
	}
	external := map[string]string{}
	for value, card := range owners {
		external[value] = card.ID
	}
	taken, err := takenSKUs(ctx, tx, accountID, skus, kept)
	if err != nil {
		return nil, err
	}
	refused := map[string]error{}
	for _, cardID := range ids {
		card := kept[cardID]
		switch {
		case card == nil:
		case card.ExternalID != nil && external[*card.ExternalID] != "":
			refused[cardID] = externalIDTaken(external[*card.ExternalID])
		case card.SKU != nil && taken[*card.SKU].At.After(card.deletedAt):
			refused[cardID] = skuTaken(taken[*card.SKU].CardID)
		case card.BatchID != nil && closed[*card.BatchID] != nil:
			refused[cardID] = closed[*card.BatchID]
		case card.ExternalID != nil: // the next card with the same one is refused
			external[*card.ExternalID] = cardID
		}
	}
	return refused, nil
}

// appendValue appends the value of a pointer, unless it is nil.
func appendValue(list []string, value *string) []string {
	if value == nil {
		return list
	}
	return append(list, *value)
}

func skuTaken(cardID string) error {
	message := "The card " + cardID + " has this sku since the deletion."
	return fault.New(fault.SKUTaken, "%s", message).WithDetails(fault.Detail{Field: "sku", Message: message})
}

// skuTaker is the card that got a SKU last, and when.
type skuTaker struct {
	SKU    string    `db:"sku"`
	CardID string    `db:"id"`
	At     time.Time `db:"at"`
}

// takenSKUs returns which card got each of the SKUs last since the first deletion of the kept cards: a card that was
// created since, or whose SKU was changed. Cards that had the SKU before do not take it, because cards can share one.
func takenSKUs(
	ctx context.Context, tx *postgres.Tx, accountID string, skus []string, kept map[string]*keptCard,
) (map[string]skuTaker, error) {
	taken := map[string]skuTaker{}
	if len(skus) == 0 {
		return taken, nil
	}
	var first time.Time
	for _, card := range kept {
		if first.IsZero() || card.deletedAt.Before(first) {
			first = card.deletedAt
		}
	}
	var rows []skuTaker
	err := tx.Select(ctx, &rows, `
		SELECT c.sku, c.id, coalesce(h.at, c.created_at) AS at FROM cards AS c
		LEFT JOIN card_history AS h ON h.account_id = c.account_id AND h.card_id = c.id AND h.at > $3
			AND h.changes LIKE '%"field":"sku"%'
		WHERE c.account_id = $1 AND c.sku = ANY($2) AND c.updated_at > $3 AND (c.created_at > $3 OR h.at IS NOT NULL)`,
		accountID, pq.Array(skus), first)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if row.At.After(taken[row.SKU].At) {
			taken[row.SKU] = row
		}
	}
	return taken, nil
}

// restore gives the cards their next versions and writes their rows.
func (s *Service) restore(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, kept []*keptCard, ended EndedSales,
) error {
	returned, err := endedSalesOf(ctx, tx, stamp.AccountID, kept, ended)
	if err != nil {
		return err
	}
	actor := caller.ActorFrom(ctx)
	steps, before := make([]*step, len(kept)), make([]*Card, len(kept))
	for i, card := range kept {
		counted := card.Card
		before[i] = &counted
		steps[i] = card.comeBack(returned)
		steps[i].actor = actor
	}
	if err := s.write(ctx, tx, stamp, steps); err != nil {
		return err
	}
	countDeleted(tx, stamp.AccountID, before) // which counted until now; write counts the cards
	moveBack(tx, stamp.AccountID, kept)
	return nil
}

// comeBack gives the card its next version, and returns the step that inserts it. A sale that was returned since the
// deletion no longer holds the card; the step has the changes that follow from that.
func (k *keptCard) comeBack(returned map[string]*string) *step {
	before, at := k.Card, k.restoredAt
	if k.SaleID != nil {
		if other, ok := returned[*k.SaleID]; ok {
			k.Return(*k.SaleID, other)
		}
	}
	happened, changed := finalize(&before, &k.Card, at)
	k.Version, k.UpdatedAt = before.Version+1, at // also without changes
	st := &step{
		cardID: k.ID, after: k.Card, at: at, changed: changed,
		happened: append([]events.Data{events.CardRestored{Card: k.EventCard()}}, happened...),
		// it was in the queue
		identify: k.Identification.Status == IdentificationPending && !k.AutoIdentify,
	}
	for _, photo := range k.fetches {
		st.fetches = append(st.fetches, fetch{photo.PhotoID, k.ID, photo.URL})
	}
	return st
}

// endedSalesOf returns what ended returns for the sales by which the cards are sold.
func endedSalesOf(
	ctx context.Context, tx *postgres.Tx, accountID string, kept []*keptCard, ended EndedSales,
) (map[string]*string, error) {
	var sales []string
	for _, card := range kept {
		sales = appendValue(sales, card.SaleID)
	}
	if len(sales) == 0 {
		return nil, nil
	}
	return ended(ctx, tx, accountID, sales)
}

// moveBack moves the history of restored cards back and deletes the rows of their deletions.
func moveBack(tx *postgres.Tx, accountID string, kept []*keptCard) {
	ids := make(pq.StringArray, len(kept))
	first, last := kept[0].deletedAt, kept[0].deletedAt
	for i, card := range kept {
		ids[i] = card.ID
		if card.deletedAt.Before(first) {
			first = card.deletedAt
		}
		if card.deletedAt.After(last) {
			last = card.deletedAt
		}
	}
	tx.Defer(`INSERT INTO card_history (`+historyColumns+`)
		SELECT `+historyColumns+` FROM deleted_card_history WHERE account_id = $1 AND card_id = ANY($2)`,
		accountID, ids)
	deleteFrom(tx, accountID, ids, "deleted_cards", "deleted_card_history")
	tx.Defer(`
		DELETE FROM card_deletions
		WHERE account_id = $1 AND card_id = ANY($2) AND deleted_at >= $3 AND deleted_at <= $4`,
		accountID, ids, first, last)
}
