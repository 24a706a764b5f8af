package listings

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
)

// follow makes the polls read the orders of the account after its last listing was sold.
func (s *Service) follow(ctx context.Context, tx *postgres.Tx, l Listing) error {
	_, err := tx.Exec(ctx, `
		UPDATE marketplace_polls SET last_sale_at = now() WHERE account_id = $1 AND marketplace = $2`,
		l.AccountID, l.Marketplace)
	if err != nil {
		return fmt.Errorf("follow listing: %w", err)
	}
	return nil
}

// followOrders brings the recorded sales up to what the marketplace says about their orders, each in its own
// transaction.
func (w *Worker) followOrders(ctx context.Context, j job, sales map[string]marketplaces.Status) error {
	orders := map[string]Order{}
	for listingID, sale := range sales {
		if o := sale.Order; o != nil {
			orders[listingID] = Order{
				Shipping: o.Shipping, Fee: o.Fee, Refunded: o.Refunded, Cancelled: o.Cancelled,
			}
		}
	}
	if len(orders) == 0 {
		return nil
	}
	behind, err := w.cfg.Sales.Behind(ctx, w.db, j.AccountID, orders)
	if err != nil {
		return fmt.Errorf("follow orders: %w", err)
	}
	var failed []error
	for _, listingID := range behind {
		if err := w.followOrder(ctx, j.AccountID, listingID, orders[listingID]); err != nil {
			failed = append(failed, fmt.Errorf("follow orders of %s: %w", listingID, err))
		}
	}
	return errors.Join(failed...)
}

func (w *Worker) followOrder(ctx context.Context, accountID, listingID string, order Order) error {
	ctx, cancel := context.WithTimeout(ctx, queue.StoreTime)
	defer cancel()
	return w.clock.Write(ctx, w.db, accountID, func(tx *postgres.Tx, stamp clock.Stamp) error {
		return w.cfg.Sales.Follow(ctx, tx, stamp, listingID, order)
	})
}

// checkNow makes the next status check of an open listing due.
func (w *Worker) checkNow(ctx context.Context, tx *postgres.Tx, l Listing) error {
	if !l.UnderWay() {
		return nil
	}
	return w.work.EnqueueUnclaimed(ctx, tx, l.AccountID, l.ID)
}

// recordLateSale records the sale of a listing whose order became visible after the listing had ended. If the card is
// listed again, that listing is taken down. A card that was deleted meanwhile is left alone.
func (w *Worker) recordLateSale(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, path []Listing) error {
	l := path[0]
	found, err := w.cards.FindMany(ctx, tx, l.AccountID, []string{l.CardID})
	if err != nil {
		return err
	}
	card, ok := found[l.CardID]
	if !ok {
		slog.WarnContext(ctx, "a card was sold after it was deleted", "account_id", l.AccountID, "listing_id", l.ID)
		return nil
	}
	if !card.UnderWay() {
		return w.advance(ctx, tx, stamp, path)
	}
	if err := w.Withdraw(ctx, tx, stamp, card.Listing.ID); err != nil {
		return err
	}
	if stamp, err = w.clock.Lock(ctx, tx, l.AccountID); err != nil {
		return err
	}
	other, err := find(ctx, tx, l.AccountID, card.Listing.ID)
	if err != nil {
		return err
	}
	return w.advanceAs(ctx, tx, stamp, path, func(Listing) *cards.ListingRef { return other.ref() })
}
