package sales

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// MaxShipped is the largest number of sales that MarkShipped takes.
const MaxShipped = 200

// Shipment is the sales that a call of MarkShipped has marked as shipped.
type Shipment struct {
	At      time.Time
	SaleIDs []string // sorted
}

// MarkShipped records that the sales were shipped now, in one transaction. Sales that were shipped before stay as they
// are and are not part of the shipment. It fails with sale_not_found, and changes nothing, if the account does not have
// one of the sales.
func (s *Service) MarkShipped(ctx context.Context, accountID string, saleIDs []string) (shipment Shipment, err error) {
	ids, err := shippedIDs(saleIDs)
	if err != nil || len(ids) == 0 {
		return Shipment{}, err
	}
	err = s.clock.Write(ctx, s.db, accountID, func(tx *postgres.Tx, stamp clock.Stamp) error {
		shipment, err = markShipped(ctx, tx, stamp, ids)
		return err
	})
	if err != nil {
		return Shipment{}, fmt.Errorf("mark as shipped: %w", err)
	}
	return shipment, nil
}

// UndoShipped takes the marks of a shipment back, in one transaction. It returns the number of sales that are to be
// shipped again. Sales whose time of shipment was changed since stay as they are.
func (s *Service) UndoShipped(ctx context.Context, accountID string, shipment Shipment) (undone int, err error) {
	ids, err := shippedIDs(shipment.SaleIDs)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	err = s.clock.Write(ctx, s.db, accountID, func(tx *postgres.Tx, stamp clock.Stamp) error {
		count, err := changeShipped(ctx, tx, stamp, ids, &shipment.At, nil)
		undone = len(count)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("mark as not shipped: %w", err)
	}
	return undone, nil
}

// shippedIDs returns the identifiers sorted, each once.
func shippedIDs(saleIDs []string) ([]string, error) {
	if len(saleIDs) > MaxShipped {
		return nil, fault.Invalid("sale", "must name at most %d sales", MaxShipped)
	}
	ids := make([]string, len(saleIDs))
	for i, text := range saleIDs {
		fullID, ok := id.Parse(id.Sale, text)
		if !ok {
			return nil, NotFound()
		}
		ids[i] = fullID
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

func markShipped(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, ids []string) (Shipment, error) {
	var existing int
	err := tx.Get(ctx, &existing, `SELECT count(*) FROM sales WHERE account_id = $1 AND id = ANY($2)`,
		stamp.AccountID, pq.Array(ids))
	if err != nil {
		return Shipment{}, err
	}
	if existing < len(ids) {
		return Shipment{}, NotFound()
	}
	count, err := changeShipped(ctx, tx, stamp, ids, nil, &stamp.At)
	return Shipment{stamp.At, count}, err
}

// changeShipped changes the time of shipment of the sales that have the time from and are not voided, and returns them
// sorted. It gives each sale a time of change of its own, so that a page of changes can end between any two.
func changeShipped(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, ids []string, from, to *time.Time,
) (count []string, err error) {
	times := make(pq.StringArray, len(ids))
	for i := range ids {
		times[i] = timestamp.Format(stamp.Offset(i).At)
	}
	err = tx.Select(ctx, &count, `
		UPDATE sales AS s SET shipped_at = $5, version = s.version + 1, updated_at = n.changed_at
		FROM unnest($2::text[], $3::timestamptz[]) AS n (sale, changed_at)
		WHERE s.account_id = $1 AND s.id = n.sale AND s.shipped_at IS NOT DISTINCT FROM $4 AND s.status <> 'voided'
		RETURNING s.id`,
		stamp.AccountID, pq.Array(ids), times, from, to)
	if err != nil {
		return nil, err
	}
	stamp.ExtendTo(tx, stamp.Offset(len(ids)-1).At)
	slices.Sort(count)
	return count, nil
}
