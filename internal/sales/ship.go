package sales

import (
	"context"
	"fmt"
	"slices"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// MaxShipped is the largest number of sales that MarkShipped takes.
const MaxShipped = 200

// MarkShipped records that the sales were shipped now, in one transaction. Sales that were shipped before stay as they
// are. It fails with sale_not_found, and changes nothing, if the account does not have one of the sales.
func (s *Service) MarkShipped(ctx context.Context, accountID string, saleIDs []string) error {
	if len(saleIDs) > MaxShipped {
		return fault.Invalid("sale", "must name at most %d sales", MaxShipped)
	}
	ids := make([]string, len(saleIDs))
	for i, text := range saleIDs {
		parsed, ok := id.Parse(id.Sale, text)
		if !ok {
			return NotFound()
		}
		ids[i] = parsed
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if len(ids) == 0 {
		return nil
	}
	err := s.clock.Write(ctx, s.db, accountID, func(tx *postgres.Tx, stamp clock.Stamp) error {
		return markShipped(ctx, tx, stamp, ids)
	})
	if err != nil {
		return fmt.Errorf("sales.MarkShipped: %w", err)
	}
	return nil
}

// markShipped gives each sale a time of change of its own, so that a page of changes can end between any two.
func markShipped(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, ids []string) error {
	var known int
	err := tx.Get(ctx, &known, `SELECT count(*) FROM sales WHERE account_id = $1 AND id = ANY($2)`,
		stamp.AccountID, pq.Array(ids))
	if err != nil {
		return err
	}
	if known < len(ids) {
		return NotFound()
	}
	times := make(pq.StringArray, len(ids))
	for i := range ids {
		times[i] = timestamp.Format(stamp.Offset(i).At)
	}
	_, err = tx.Exec(ctx, `
		UPDATE sales AS s SET shipped_at = $4, version = s.version + 1, updated_at = n.changed_at
		FROM unnest($2::text[], $3::timestamptz[]) AS n (sale, changed_at)
		WHERE s.account_id = $1 AND s.id = n.sale AND s.shipped_at IS NULL`,
		stamp.AccountID, pq.Array(ids), times, stamp.At)
	if err != nil {
		return err
	}
	stamp.ExtendTo(tx, stamp.Offset(len(ids)-1).At)
	return nil
}
