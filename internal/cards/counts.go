package cards

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/quota"
	"github.com/cardvault/cardvault/internal/worker"
)

const (
	// countChunk is the number of cards that are counted in one transaction.
	countChunk = 200
	// countInterval is the interval at which a process looks for accounts whose cards are not counted.
	countInterval = 10 * time.Second
	// countDelay is how long a process waits before it counts: processes of a version that counts nothing may still
	// be running after an update.
	countDelay = 10 * time.Minute
)

// PhotoSizes tells the sizes of photos that were stored before sizes were.
type PhotoSizes interface {
	// Size returns the size of a photo's image in bytes, or photo_not_found.
	Size(ctx context.Context, accountID string, photo Photo) (int64, error)
}

// CountUpkeep returns the loop that counts the cards of existing accounts for their quotas, a chunk of one account
// after the other. Several processes can run it.
func (s *Service) CountUpkeep(sizes PhotoSizes) *worker.Periodic {
	begun, after := time.Now(), ""
	return worker.NewPeriodic("card counts", countInterval, func(ctx context.Context) (more bool, err error) {
		if time.Since(begun) < countDelay {
			return false, nil
		}
		after, err = s.countNext(ctx, sizes, after)
		return after != "", err
	})
}

// countNext counts a chunk of the next account after the given one, and returns it, or "" after the last.
func (s *Service) countNext(ctx context.Context, sizes PhotoSizes, after string) (string, error) {
	var accounts []string
	err := s.db.Select(ctx, &accounts, `
		SELECT account_id FROM account_clock WHERE account_id > $1 AND counted_to <> $2 ORDER BY account_id LIMIT 1`,
		after, clock.CountedAll)
	if err != nil {
		return "", fmt.Errorf("find accounts to count: %w", err)
	}
	if len(accounts) == 0 {
		return "", nil
	}
	return accounts[0], s.CountChunk(ctx, sizes, accounts[0])
}

// CountChunk counts the next cards of an account. It looks the sizes of their photos up before it locks the account's
// clock.
func (s *Service) CountChunk(ctx context.Context, sizes PhotoSizes, accountID string) error {
	var countedTo string
	err := s.db.Get(ctx, &countedTo, `SELECT counted_to FROM account_clock WHERE account_id = $1`, accountID)
	if err != nil {
		return fmt.Errorf("count cards: %w", err)
	}
	found, err := uncounted(ctx, s.db, accountID, countedTo)
	if err != nil {
		return err
	}
	known, err := photoSizes(ctx, sizes, accountID, found)
	if err != nil {
		return err
	}
	err = s.clock.Write(ctx, s.db, accountID, func(tx *postgres.Tx, stamp clock.Stamp) error {
		if clock.CountedTo(tx, accountID) != countedTo { // by another process
			return nil
		}
		return countIn(ctx, tx, stamp, countedTo, known)
	})
	if err != nil && !fault.Is(err, fault.AccountNotFound) {
		return fmt.Errorf("count cards: %w", err)
	}
	return nil
}

// uncounted returns the next cards of an account that are not counted.
func uncounted(ctx context.Context, q postgres.Querier, accountID, countedTo string) ([]Card, error) {
	found, err := query(ctx, q, countChunk, `
		SELECT `+columns+` FROM cards WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
		accountID, countedTo, countChunk)
	if err != nil {
		return nil, fmt.Errorf("read cards to count: %w", err)
	}
	return found, nil
}

// photoSizes returns the sizes of the photos whose size is not stored, by photo.
func photoSizes(ctx context.Context, sizes PhotoSizes, accountID string, list []Card) (map[string]int64, error) {
	known := map[string]int64{}
	for i := range list {
		for _, photo := range list[i].ReadyPhotos() {
			if photo.Size > 0 {
				continue
			}
			size, err := sizes.Size(ctx, accountID, photo)
			if err != nil && !fault.Is(err, fault.PhotoNotFound) {
				return nil, fmt.Errorf("read the size of a photo: %w", err)
			}
			known[photo.ID] = size
		}
	}
	return known, nil
}

// countIn counts the next cards in a transaction that holds the account's clock, and stores the sizes of their photos.
func countIn(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, countedTo string, sizes map[string]int64) error {
	found, err := uncounted(ctx, tx, stamp.AccountID, countedTo)
	if err != nil {
		return err
	}
	var sum quota.Usage
	for i := range found {
		if err := found[i].storeSizes(tx, sizes); err != nil {
			return err
		}
		sum = sum.Plus(found[i].usage())
	}
	last := clock.CountedAll
	if len(found) == countChunk {
		last = found[len(found)-1].ID
	}
	kept, err := keptUsage(ctx, tx, stamp.AccountID, countedTo, last)
	if err != nil {
		return err
	}
	return stamp.CountTo(ctx, tx, last, sum.Plus(kept))
}

// storeSizes stores the sizes of the card's photos whose size is not stored, by photo.
func (c *Card) storeSizes(tx *postgres.Tx, sizes map[string]int64) error {
	changed := false
	for i := range c.Photos {
		if size := sizes[c.Photos[i].ID]; size > 0 && c.Photos[i].Size == 0 {
			c.Photos[i].Size, changed = size, true
		}
	}
	if !changed {
		return nil
	}
	photos, err := json.Marshal(c.Photos)
	if err != nil {
		return err
	}
	tx.Defer(`UPDATE cards SET photos = $3 WHERE account_id = $1 AND id = $2`, c.AccountID, c.ID, postgres.JSON(photos))
	return nil
}

// keptUsage returns what the account's deleted cards count that can come back, after one card and up to another.
func keptUsage(
	ctx context.Context, q postgres.Querier, accountID, after, last string,
) (sum quota.Usage, err error) {
	for {
		var rows []deletedRow
		err = q.Select(ctx, &rows, `
			SELECT card_id, deleted_at, card, photos FROM deleted_cards
			WHERE account_id = $1 AND card_id > $2 AND card_id <= $3 ORDER BY card_id LIMIT $4`,
			accountID, after, last, countChunk)
		if err != nil {
			return sum, err
		}
		for i := range rows {
			card, err := rows[i].card()
			if err != nil {
				return sum, err
			}
			sum, after = sum.Plus(card.usage()), rows[i].CardID
		}
		if len(rows) < countChunk {
			return sum, nil
		}
	}
}
