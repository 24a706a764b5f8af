package cards

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// Delete deletes a card with its history and its background work, and returns it, so that the caller can remove the
// images of its photos. Its listings stay. It fails with card_listed while a listing is under way, with batch_complete
// if its batch is complete, and with version_mismatch if match returns false.
func (s *Service) Delete(ctx context.Context, accountID, cardID string, match Match) (deleted Card, err error) {
	cardID, ok := id.Parse(id.Card, cardID)
	if !ok {
		return Card{}, NotFound()
	}
	err = s.clock.Write(ctx, s.db, accountID, func(tx *postgres.Tx, stamp clock.Stamp) error {
		results, err := s.deleteIn(ctx, tx, stamp, []string{cardID}, match, "")
		if err != nil {
			return err
		}
		deleted = results[0].Card
		return results[0].Err
	})
	return deleted, err
}

// DeleteManyIn is Delete for many cards inside a transaction that holds the account's clock. The number of statements
// depends on the number of batches only. A card that cannot be deleted stays. The cards must differ. They are kept for
// RestoreManyIn, with the job that deletes them, until EraseIn.
func (s *Service) DeleteManyIn(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, jobID string, cardIDs []string,
) ([]ItemResult, error) {
	return s.deleteIn(ctx, tx, stamp, cardIDs, nil, jobID)
}

// deleteIn deletes cards. It keeps them for the job, unless jobID is "".
func (s *Service) deleteIn(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardIDs []string, match Match, jobID string,
) ([]ItemResult, error) {
	found, err := s.FindMany(ctx, tx, stamp.AccountID, cardIDs)
	if err != nil {
		return nil, err
	}
	results := make([]ItemResult, len(cardIDs))
	for i, text := range cardIDs {
		cardID, _ := id.Parse(id.Card, text)
		if card, ok := found[cardID]; ok {
			results[i] = ItemResult{Card: card, Err: card.checkDeletable(match), Before: card}
		} else {
			results[i].Err = NotFound()
		}
	}
	if err := s.takeOut(ctx, tx, stamp, results); err != nil {
		return nil, fmt.Errorf("delete cards: %w", err)
	}
	var deleted []*Card
	for i := range results {
		if results[i].Err == nil {
			deleted = append(deleted, &results[i].Card)
		}
	}
	if len(deleted) == 0 {
		return results, nil
	}
	if jobID != "" {
		if err := keep(ctx, tx, stamp, jobID, deleted); err != nil {
			return nil, fmt.Errorf("keep deleted cards: %w", err)
		}
	}
	return results, s.delete(ctx, tx, stamp, deleted, jobID != "")
}

// checkDeletable returns the error of the rule that forbids deleting the card.
func (c *Card) checkDeletable(match Match) error {
	if err := match.Check(c.Version); err != nil {
		return err
	}
	if c.UnderWay() {
		return fault.New(fault.CardListed,
			"This card has a listing under way; end the listing before deleting the card.")
	}
	return nil
}

// takeOut takes the cards out of their batches. It sets the error of each card whose batch is complete.
func (s *Service) takeOut(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, results []ItemResult) error {
	deltas := map[string]int{}
	for i := range results {
		if batchID := results[i].Card.BatchID; results[i].Err == nil && batchID != nil {
			deltas[*batchID]--
		}
	}
	if len(deltas) == 0 {
		return nil
	}
	closed, err := s.batches.Closed(ctx, tx, stamp.AccountID, slices.Sorted(maps.Keys(deltas)))
	if err != nil {
		return err
	}
	for i := range results {
		batchID := results[i].Card.BatchID
		if results[i].Err == nil && batchID != nil && closed[*batchID] != nil {
			results[i].Err = closed[*batchID]
			delete(deltas, *batchID)
		}
	}
	return s.batches.Adjust(ctx, tx, stamp, deltas)
}

// delete deletes cards of one account. Each deletion has a time of its own. kept says whether the cards can come back.
func (s *Service) delete(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cards []*Card, kept bool) error {
	deleteRows(tx, stamp.AccountID, cards, kept)
	var accounts, times, ids pq.StringArray
	happened := make([]events.Dated, len(cards))
	for i, card := range cards {
		at := stamp.Offset(i).At
		accounts, ids = append(accounts, stamp.AccountID), append(ids, card.ID)
		times = append(times, timestamp.Format(at))
		happened[i] = events.Dated{At: at, Data: events.CardDeleted{Card: card.EventCard()}}
	}
	tx.DeferRows(`
		INSERT INTO card_deletions (account_id, deleted_at, card_id)
		SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::text[])`, accounts, times, ids)
	stamp.ExtendTo(tx, stamp.Offset(len(cards)-1).At)
	return s.events.RecordDated(ctx, tx, stamp, happened)
}

// keptTables have rows that a deleted card needs when it comes back. They are read only together with the card.
var keptTables = []string{"card_candidates", "identification_hints"}

// deleteRows deletes cards and everything that refers to them except their listings, with the transaction's deferred
// statements. If the cards are kept, their history moves to deleted_card_history.
func deleteRows(tx *postgres.Tx, accountID string, cards []*Card, kept bool) {
	var ids, photoIDs pq.StringArray
	for _, card := range cards {
		ids = append(ids, card.ID)
		for _, p := range card.Photos {
			photoIDs = append(photoIDs, p.ID)
		}
	}
	if !kept { // kept cards count until they are erased
		countDeleted(tx, accountID, cards)
	}
	tx.Defer(`DELETE FROM cards WHERE account_id = $1 AND id = ANY($2)`, accountID, ids)
	if kept {
		tx.Defer(`INSERT INTO deleted_card_history (`+historyColumns+`)
			SELECT `+historyColumns+` FROM card_history WHERE account_id = $1 AND card_id = ANY($2)`, accountID, ids)
	} else {
		deleteFrom(tx, accountID, ids, keptTables...)
	}
	deleteFrom(tx, accountID, ids, "card_changes", "card_prices", "card_search", "card_history", "identifications",
		"fingerprint_work", "learned_fingerprints")
	if len(photoIDs) > 0 {
		tx.Defer(`DELETE FROM photo_fetches WHERE account_id = $1 AND photo_id = ANY($2)`, accountID, photoIDs)
	}
}

// deleteFrom deletes the rows of cards from tables with the transaction's deferred statements.
func deleteFrom(tx *postgres.Tx, accountID string, cardIDs pq.StringArray, tables ...string) {
	for _, table := range tables {
		tx.Defer(`DELETE FROM `+table+` WHERE account_id = $1 AND card_id = ANY($2)`, accountID, cardIDs)
	}
}

// Deletion is a card that was deleted.
type Deletion struct {
	CardID    string    `db:"card_id"`
	DeletedAt time.Time `db:"deleted_at"`
}

// Deletions returns a page of the cards that were deleted, newest first or, with since, oldest first. since is
// inclusive. Deletions are kept for DeletionRetention.
func (s *Service) Deletions(
	ctx context.Context, accountID string, since *time.Time, p paging.Request,
) (paging.Page[Deletion], error) {
	var none paging.Page[Deletion]
	scope := "card deletions " + accountID
	if since != nil {
		scope += " since " + timestamp.Format(*since)
	}
	after, err := s.cursors.Start(scope, p)
	if err != nil {
		return none, err
	}
	list := paging.List{
		Columns: "card_id, deleted_at", Table: "card_deletions", Sort: paging.ByTime("deleted_at"),
		ID: "card_id", Account: accountID, Since: since,
	}
	var rows []struct {
		Deletion
		paging.Scanned
	}
	if err := paging.Select(ctx, s.db, &rows, list, after, p.Size()); err != nil {
		return none, fmt.Errorf("list deletions: %w", err)
	}
	var read paging.Read[Deletion]
	for _, r := range rows {
		read.Add(r.Deletion, r.Scanned)
	}
	return paging.Cut(s.cursors, scope, read, p.Size(), func(d Deletion) paging.Position {
		return paging.Position{At: d.DeletedAt, ID: d.CardID}
	}), nil
}
