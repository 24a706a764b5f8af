package cards

import (
	"context"
	"fmt"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/page"
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
		deleted, err = s.DeleteIn(ctx, tx, stamp, cardID, match)
		return err
	})
	return deleted, err
}

// DeleteIn is Delete inside a transaction that holds the account's clock.
func (s *Service) DeleteIn(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardID string, match Match,
) (Card, error) {
	card, err := find(ctx, tx, stamp.AccountID, cardID)
	if err != nil {
		return Card{}, err
	}
	if err := match.check(card.Version); err != nil {
		return Card{}, err
	}
	if card.UnderWay() {
		return Card{}, fault.New(fault.CardListed,
			"This card has a listing under way; end the listing before deleting the card.")
	}
	if card.BatchID != nil {
		if err := s.batches.Adjust(ctx, tx, stamp, map[string]int{*card.BatchID: -1}); err != nil {
			return Card{}, err
		}
	}
	deleteRows(tx, &card)
	tx.DeferRows(`
		INSERT INTO card_deletions (account_id, deleted_at, card_id)
		SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::text[])`,
		pq.StringArray{card.AccountID}, pq.StringArray{timestamp.Format(stamp.At)}, pq.StringArray{card.ID})
	return card, s.events.Record(ctx, tx, stamp, events.CardDeleted{Card: card.EventCard()})
}

// deleteRows deletes the card and everything that refers to it except its listings, with the transaction's deferred
// statements.
func deleteRows(tx *postgres.Tx, card *Card) {
	tx.Defer(`DELETE FROM cards WHERE account_id = $1 AND id = $2`, card.AccountID, card.ID)
	for _, table := range []string{
		"card_changes", "card_prices", "card_search", "card_history", "card_candidates", "identifications",
	} {
		tx.Defer(`DELETE FROM `+table+` WHERE account_id = $1 AND card_id = $2`, card.AccountID, card.ID)
	}
	for _, p := range card.Photos {
		tx.Defer(`DELETE FROM photo_fetches WHERE account_id = $1 AND photo_id = $2`, card.AccountID, p.ID)
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
	ctx context.Context, accountID string, since *time.Time, p page.Request,
) (page.Page[Deletion], error) {
	var none page.Page[Deletion]
	scope := "card deletions " + accountID
	if since != nil {
		scope += " since " + timestamp.Format(*since)
	}
	after, err := s.cursors.Start(scope, p)
	if err != nil {
		return none, err
	}
	list := page.List{
		Columns: "card_id, deleted_at", Table: "card_deletions", Time: "deleted_at", ID: "card_id",
		Account: accountID, Since: since,
	}
	var rows []struct {
		Deletion
		page.Scanned
	}
	if err := page.Select(ctx, s.db, &rows, list, after, p.Size()); err != nil {
		return none, fmt.Errorf("cards.Deletions: %w", err)
	}
	var read page.Read[Deletion]
	for _, r := range rows {
		read.Add(r.Deletion, r.Scanned)
	}
	return page.Cut(s.cursors, scope, read, p.Size(), func(d Deletion) page.Position {
		return page.Position{At: d.DeletedAt, ID: d.CardID}
	}), nil
}
