package cards

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/quota"
	"github.com/cardvault/cardvault/internal/worker"
)

const (
	// recountInterval is the time between two accounts that a process recounts. It bounds the load.
	recountInterval = 10 * time.Second
	// recountAge is the time between two recounts of an account.
	recountAge = 24 * time.Hour
	// recountPause is the time after a visit of all accounts in which none is looked for.
	recountPause = time.Hour
	// recountPage is the number of cards that are read at once. A million cards take about 10 s.
	recountPage = 1000
	// recountTimeout limits the recount of an account.
	recountTimeout = 10 * time.Minute
)

// RecountUpkeep returns the loop that compares the counters of quotas with the cards, one account after the other, and
// corrects them. They differ after processes of a version that counts nothing have changed cards. Several processes can
// run the loop.
func (s *Service) RecountUpkeep(sizes PhotoSizes) *worker.Periodic {
	var after string
	pausedUntil := time.Now().Add(countDelay)
	return worker.NewPeriodic("card recounts", recountInterval, func(ctx context.Context) (bool, error) {
		if time.Now().Before(pausedUntil) {
			return false, nil
		}
		ctx, cancel := context.WithTimeout(ctx, recountTimeout)
		defer cancel()
		var err error
		if after, err = s.recountNext(ctx, sizes, after); after == "" && err == nil {
			pausedUntil = time.Now().Add(recountPause)
		}
		return false, err
	})
}

// recountNext recounts the next account after the given one that is due, and returns it, or "" after the last.
func (s *Service) recountNext(ctx context.Context, sizes PhotoSizes, after string) (string, error) {
	var accounts []string
	err := s.db.Select(ctx, &accounts, `
		SELECT account_id FROM account_clock
		WHERE account_id > $1 AND counted_to = $2
		  AND (recounted_at IS NULL OR recounted_at < now() - $3 * interval '1 microsecond')
		ORDER BY account_id LIMIT 1`, after, clock.CountedAll, recountAge.Microseconds())
	if err != nil {
		return after, fmt.Errorf("find an account to recount: %w", err)
	}
	if len(accounts) == 0 {
		return "", nil
	}
	_, err = s.Recount(ctx, sizes, accounts[0])
	return accounts[0], err
}

// counters are the counters of an account, as a snapshot shows them.
type counters struct {
	quota.Usage
	CountedTo   string     `db:"counted_to"`
	RecountedAt *time.Time `db:"recounted_at"`
}

// Recount corrects the counters of an account whose cards are all counted, and returns what it added. It compares the
// counters with the cards of the same moment. Changes since that moment are in both, so the difference holds later too.
// It blocks no writer while it reads. Then it stores the sizes of photos whose size is not stored, and counts them too.
func (s *Service) Recount(
	ctx context.Context, sizes PhotoSizes, accountID string,
) (missing quota.Usage, err error) {
	var kept counters
	var unsized []Card
	err = s.db.Snapshot(ctx, func(q *postgres.Snapshot) error {
		err := q.Get(ctx, &kept, `
			SELECT cards, card_bytes, photos, photo_bytes, counted_to, recounted_at
			FROM account_clock WHERE account_id = $1`, accountID)
		if err != nil || kept.CountedTo != clock.CountedAll {
			return err
		}
		var actual quota.Usage
		actual, unsized, err = usageOf(ctx, q, accountID)
		missing = actual.Minus(kept.Usage)
		return err
	})
	if errors.Is(err, sql.ErrNoRows) || err == nil && kept.CountedTo != clock.CountedAll {
		return quota.Usage{}, nil
	}
	if err == nil {
		missing, err = s.storeRecount(ctx, accountID, kept.RecountedAt, missing)
	}
	for chunk := range slices.Chunk(unsized, countChunk) {
		if err == nil {
			err = s.countSizes(ctx, sizes, accountID, chunk)
		}
	}
	if err != nil && !fault.Is(err, fault.AccountNotFound) {
		return quota.Usage{}, fmt.Errorf("recount cards: %w", err)
	}
	return missing, nil
}

// countSizes stores and counts the sizes of the cards' photos whose size is not stored.
func (s *Service) countSizes(ctx context.Context, sizes PhotoSizes, accountID string, list []Card) error {
	known, err := photoSizes(ctx, sizes, accountID, list)
	if err != nil {
		return err
	}
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].ID
	}
	return s.clock.Write(ctx, s.db, accountID, func(tx *postgres.Tx, _ clock.Stamp) error {
		present, err := findMany(ctx, tx, accountID, ids)
		if err != nil {
			return err
		}
		var more quota.Usage
		for _, card := range present {
			before := card.usage()
			if err := card.storeSizes(tx, known); err != nil {
				return err
			}
			more = more.Plus(card.usage().Minus(before))
		}
		clock.Count(tx, accountID, more)
		return nil
	})
}

// storeRecount adds what is missing to the account's counters, unless another process has recounted the account since.
func (s *Service) storeRecount(
	ctx context.Context, accountID string, before *time.Time, missing quota.Usage,
) (added quota.Usage, err error) {
	err = s.clock.Write(ctx, s.db, accountID, func(tx *postgres.Tx, _ clock.Stamp) error {
		result, err := tx.Exec(ctx, `
			UPDATE account_clock SET recounted_at = now(), cards = cards + $3, card_bytes = card_bytes + $4,
				photos = photos + $5, photo_bytes = photo_bytes + $6
			WHERE account_id = $1 AND recounted_at IS NOT DISTINCT FROM $2`,
			accountID, before, missing.Cards, missing.CardBytes, missing.Photos, missing.PhotoBytes)
		if err != nil {
			return err
		}
		changed, err := result.RowsAffected()
		added = quota.Usage{}
		if changed == 1 {
			added = missing
		}
		return err
	})
	if err == nil && added != (quota.Usage{}) {
		slog.WarnContext(ctx, "the counters of an account's quotas were corrected", "account_id", accountID,
			"cards", added.Cards, "card_bytes", added.CardBytes, "photos", added.Photos,
			"photo_bytes", added.PhotoBytes)
	}
	return added, err
}

// maxUnsized is the number of cards whose photos get their sizes in a recount.
const maxUnsized = 1000

// usageOf counts all cards of an account and its deleted cards that can come back. It also returns the first cards that
// have photos without a size.
func usageOf(
	ctx context.Context, q postgres.Querier, accountID string,
) (sum quota.Usage, unsized []Card, err error) {
	for after := ""; ; {
		page, err := query(ctx, q, recountPage, `
			SELECT `+columns+` FROM cards WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
			accountID, after, recountPage)
		if err != nil {
			return sum, nil, err
		}
		for i := range page {
			sum = sum.Plus(page[i].usage())
			if len(unsized) < maxUnsized && page[i].hasUnsized() {
				unsized = append(unsized, page[i])
			}
		}
		if len(page) < recountPage {
			break
		}
		after = page[len(page)-1].ID
	}
	kept, err := keptUsage(ctx, q, accountID, "", clock.CountedAll)
	return sum.Plus(kept), unsized, err
}

// hasUnsized reports whether the size of a photo of the card is not stored.
func (c *Card) hasUnsized() bool {
	return slices.ContainsFunc(c.ReadyPhotos(), func(p Photo) bool { return p.Size == 0 })
}
