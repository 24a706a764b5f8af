package cards

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
)

// A card that a job deletes moves to the table deleted_cards, and its history to deleted_card_history. So nothing that
// reads cards has to know about deleted ones. RestoreManyIn moves the card back, EraseIn deletes it for good. Rows that
// are only read together with the card stay where they are: card_candidates, identification_hints.

// historyColumns are the columns of card_history and of deleted_card_history.
const historyColumns = "account_id, card_id, at, version, actor_type, actor_id, changes"

// keptFetch is a photo that was to be fetched when its card was deleted.
type keptFetch struct {
	PhotoID string `json:"photo_id"`
	URL     string `json:"url"`
}

// keep stores what brings cards back that a job deletes. It runs before the rows of the cards are deleted.
func keep(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, jobID string, cards []*Card) error {
	waiting, err := waitingFetches(ctx, tx, stamp.AccountID, cards)
	if err != nil {
		return err
	}
	var failed error
	columns := []string{"account_id", "card_id", "job_id", "deleted_at", "card", "photos", "fetches"}
	err = tx.InsertRows(ctx, "deleted_cards", columns, func(yield func([]any) bool) {
		for i, card := range cards {
			row, err := keptRow(card, waiting)
			if err != nil {
				failed = err
				return
			}
			if !yield(append([]any{card.AccountID, card.ID, jobID, stamp.Offset(i).At}, row...)) {
				return
			}
		}
	})
	if failed != nil {
		return failed
	}
	return err
}

// keptRow returns the columns card, photos and fetches of a deleted card.
func keptRow(card *Card, waiting map[string]keptFetch) ([]any, error) {
	fetches := []keptFetch{}
	for _, photo := range card.Photos {
		if fetch, ok := waiting[photo.ID]; ok {
			fetches = append(fetches, fetch)
		}
	}
	photos := card.Photos
	if photos == nil {
		photos = []Photo{}
	}
	bare := *card
	bare.Photos = nil
	row := make([]any, 3)
	for i, value := range []any{bare, photos, fetches} {
		text, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		row[i] = postgres.JSON(text)
	}
	return row, nil
}

// waitingFetches returns the photos of the cards that are to be fetched, by identifier.
func waitingFetches(
	ctx context.Context, tx *postgres.Tx, accountID string, cards []*Card,
) (map[string]keptFetch, error) {
	var pending []string
	for _, card := range cards {
		for _, photo := range card.Photos {
			if photo.Status == PhotoPending {
				pending = append(pending, photo.ID)
			}
		}
	}
	if len(pending) == 0 {
		return nil, nil
	}
	var rows []struct {
		PhotoID string `db:"photo_id"`
		URL     string `db:"url"`
	}
	err := tx.Select(ctx, &rows, `SELECT photo_id, url FROM photo_fetches WHERE account_id = $1 AND photo_id = ANY($2)`,
		accountID, pq.Array(pending))
	if err != nil {
		return nil, err
	}
	waiting := make(map[string]keptFetch, len(rows))
	for _, row := range rows {
		waiting[row.PhotoID] = keptFetch(row)
	}
	return waiting, nil
}

// keptCard is a deleted card that can come back.
type keptCard struct {
	Card
	deletedAt  time.Time
	restoredAt time.Time // if it comes back
	fetches    []keptFetch
}

// findKept returns the cards that a job keeps, by identifier.
func findKept(
	ctx context.Context, tx *postgres.Tx, accountID, jobID string, ids []string,
) (map[string]*keptCard, error) {
	var rows []struct {
		deletedRow
		Fetches []byte `db:"fetches"`
	}
	err := tx.Select(ctx, &rows, `
		SELECT card_id, deleted_at, card, photos, fetches FROM deleted_cards
		WHERE account_id = $1 AND job_id = $2 AND card_id = ANY($3)`, accountID, jobID, pq.Array(ids))
	if err != nil {
		return nil, err
	}
	found := make(map[string]*keptCard, len(rows))
	for _, row := range rows {
		kept := keptCard{deletedAt: row.DeletedAt}
		if kept.Card, err = row.card(); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(row.Fetches, &kept.fetches); err != nil {
			return nil, err
		}
		found[row.CardID] = &kept
	}
	return found, nil
}

// deletedRow is a row of deleted_cards.
type deletedRow struct {
	Deletion
	Card   []byte `db:"card"`
	Photos []byte `db:"photos"`
}

// card returns the deleted card.
func (r *deletedRow) card() (c Card, err error) {
	if err := json.Unmarshal(r.Card, &c); err != nil || string(r.Photos) == "[]" {
		return c, err
	}
	return c, json.Unmarshal(r.Photos, &c.Photos)
}

// EraseIn deletes up to limit cards that a job keeps for good, inside a transaction that holds the account's clock. It
// returns how many, and their photos, whose images the caller removes after the commit.
func (s *Service) EraseIn(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, jobID string, limit int,
) (erased int, photos []Photo, err error) {
	var rows []deletedRow
	err = tx.Select(ctx, &rows, `
		SELECT card_id, deleted_at, card, photos FROM deleted_cards WHERE account_id = $1 AND job_id = $2
		ORDER BY card_id LIMIT $3`, stamp.AccountID, jobID, limit)
	if err != nil {
		return 0, nil, fmt.Errorf("erase deleted cards: %w", err)
	}
	ids, cards := make(pq.StringArray, len(rows)), make([]*Card, len(rows))
	for i := range rows {
		card, err := rows[i].card()
		if err != nil {
			return 0, nil, fmt.Errorf("erase deleted cards: %w", err)
		}
		ids[i], cards[i] = rows[i].CardID, &card
		photos = append(photos, card.Photos...)
	}
	countDeleted(tx, stamp.AccountID, cards)
	if len(ids) > 0 {
		deleteFrom(tx, stamp.AccountID, ids, "deleted_cards", "deleted_card_history")
		deleteFrom(tx, stamp.AccountID, ids, keptTables...)
	}
	return len(ids), photos, nil
}
