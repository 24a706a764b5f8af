package listings

import (
	"context"
	"fmt"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
)

// GivenUp is the end reason of a listing whose seller has lost the access to the marketplace, and the failure code if
// the listing was not live yet.
const GivenUp = "given_up"

// GiveUp ends the account's listings on a marketplace for good without calling it, and returns their number. It is for
// a seller who cannot be connected again. Workers end the listings. Those that are live there stay so; a sale that is
// reported later is recorded.
func (s *Service) GiveUp(ctx context.Context, accountID, marketplace string) (total int, err error) {
	for n := withdrawnAtOnce; n == withdrawnAtOnce; total += n {
		err := s.clock.Write(ctx, s.db, accountID, func(tx *postgres.Tx, stamp clock.Stamp) (err error) {
			n, err = s.giveUpSome(ctx, tx, stamp, marketplace)
			return err
		})
		if err != nil {
			return 0, fmt.Errorf("give up listings: %w", err)
		}
	}
	return total, nil
}

// giveUpSome requests the end of up to withdrawnAtOnce listings and returns their number. It voids the claims of
// workers that handle them.
func (s *Service) giveUpSome(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, marketplace string,
) (int, error) {
	var rows []row
	err := tx.Select(ctx, &rows, `
		SELECT `+columns+` FROM listings
		WHERE account_id = $1 AND marketplace = $2 AND status IN ('publishing', 'live', 'ending')
			AND end_reason IS DISTINCT FROM $3
		ORDER BY id LIMIT $4`, stamp.AccountID, marketplace, GivenUp, withdrawnAtOnce)
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	ids := make([]string, len(rows))
	var live []string
	for i, r := range rows {
		ids[i] = r.ID
		if r.listing().Status == Live {
			live = append(live, r.ID)
		}
	}
	if len(live) > 0 {
		if _, err := s.EndManyIn(ctx, tx, stamp, live); err != nil {
			return 0, err
		}
	}
	_, err = tx.Exec(ctx, `UPDATE listings SET end_reason = $3 WHERE account_id = $1 AND id = ANY($2)`,
		stamp.AccountID, pq.Array(ids), GivenUp)
	if err != nil {
		return 0, err
	}
	return len(ids), s.work.Enqueue(ctx, tx, stamp.AccountID, ids...)
}

// giveUp ends a listing that was given up.
func (w *Worker) giveUp(ctx context.Context, j job) error {
	return w.storeResult(ctx, j, func(l Listing, now time.Time) []Listing {
		switch l.Status {
		case Publishing:
			return []Listing{l.failed(GivenUp, "The listing was given up before it was live. Publish the card again.")}
		case Live, Ending:
			return []Listing{l.ended(GivenUp, now)}
		}
		return nil
	})
}

// CountOpen returns the number of the account's listings on a marketplace that are publishing, live or ending.
func (s *Service) CountOpen(ctx context.Context, accountID, marketplace string) (n int, err error) {
	err = s.db.Get(ctx, &n, `
		SELECT count(*) FROM listings
		WHERE account_id = $1 AND marketplace = $2 AND status IN ('publishing', 'live', 'ending')`,
		accountID, marketplace)
	if err != nil {
		return 0, fmt.Errorf("count open listings: %w", err)
	}
	return n, nil
}
