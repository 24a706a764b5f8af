package sales

import (
	"context"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Recorder records the sales that package listings learns from marketplaces, and follows their orders.
type Recorder struct {
	events *events.Recorder
	cards  Cards
}

// NewRecorder returns a Recorder.
func NewRecorder(recorder *events.Recorder, inventory Cards) Recorder {
	return Recorder{recorder, inventory}
}

// OrderState is what a marketplace says about the order of a sale, in the sale's currency.
type OrderState = struct {
	Shipping  int64  // what the buyer paid for delivery
	Fee       *int64 // of the marketplace; nil while it is not known
	Refunded  int64  // of the price and the delivery
	Cancelled bool
}

// MarketplaceFee is the kind of the fee that a marketplace reports with an order.
const MarketplaceFee = "marketplace"

// The reasons of refunds that a marketplace reported.
const (
	refundedThere  = "Refunded at the marketplace."
	cancelledThere = "The order was cancelled at the marketplace."
)

// Record records the sale of the card through a listing with the transaction's deferred statements, marks the card as
// sold, and returns the events of the sale.
func (Recorder) Record(tx *postgres.Tx, stamp clock.Stamp, c *cards.Card, sold struct {
	ID             string
	Marketplace    string
	Price          money.Money
	SoldAt         time.Time
	BuyerReference *string
	Shipping       int64
	Fee            *int64
}) []events.Data {
	sale := newSale(c, stamp, sold.Marketplace, sold.Price, sold.SoldAt)
	sale.ListingID, sale.BuyerReference, sale.OrderReference = &sold.ID, sold.BuyerReference, sold.BuyerReference
	sale.ShippingCharged = sold.Shipping
	sale.setMarketplaceFee(sold.Fee)
	insert(tx, &sale)
	c.Sell(sale.ID)
	return []events.Data{sale.created()}
}

// setMarketplaceFee replaces the fee of the marketplace, unless it is not known.
func (s *Sale) setMarketplaceFee(fee *int64) {
	if fee == nil {
		return
	}
	fees := []Fee{}
	if *fee > 0 {
		fees = append(fees, Fee{MarketplaceFee, *fee})
	}
	for _, other := range s.Fees {
		if other.Kind != MarketplaceFee && len(fees) < MaxFees {
			fees = append(fees, other)
		}
	}
	s.Fees = fees
}

// follow applies an order. It returns the amount that was refunded since, whether the card comes back now, and whether
// the sale changed. Refunds that were recorded here before count, so a refund that is entered here and paid at the
// marketplace counts once. What is refunded beyond the price is of the delivery.
func (s *Sale) follow(o OrderState, now time.Time) (amount int64, restocked, changed bool) {
	reason := refundedThere
	if o.Cancelled {
		o.Refunded, reason = s.Gross.Amount+o.Shipping, cancelledThere
	}
	amount = max(min(o.Refunded, s.Gross.Amount)-s.RefundTotal(), 0)
	if amount > 0 && len(s.Refunds) == MaxRefunds {
		amount = 0
	}
	if amount > 0 {
		s.Refunds = append(s.Refunds[:len(s.Refunds):len(s.Refunds)], Refund{amount, now, &reason})
	}
	full := s.RefundTotal() == s.Gross.Amount
	restocked = s.RestockedAt == nil && (o.Cancelled || amount > 0 && full)
	if restocked {
		s.RestockedAt = &now
	}
	if amount > 0 || restocked {
		if full {
			s.Status = Refunded
		}
		s.ShippingCharged = min(s.ShippingCharged, max(o.Shipping-max(o.Refunded-s.Gross.Amount, 0), 0))
		s.setMarketplaceFee(o.Fee)
		return amount, restocked, true
	}
	// The fee is not known when the order is new. Later the seller may have entered another.
	if s.Version == 1 && len(s.Fees) == 0 && o.Fee != nil && *o.Fee > 0 {
		s.setMarketplaceFee(o.Fee)
		return 0, false, true
	}
	return 0, false, false
}

// Behind returns the listings whose sales Follow would change. orders are by listing.
func (Recorder) Behind(
	ctx context.Context, q postgres.Querier, accountID string, orders map[string]OrderState,
) (behind []string, err error) {
	found, err := ofListings(ctx, q, accountID, orders)
	if err != nil {
		return nil, err
	}
	for i := range found {
		listingID := *found[i].ListingID
		if _, _, changed := found[i].follow(orders[listingID], time.Time{}); changed {
			behind = append(behind, listingID)
		}
	}
	return behind, nil
}

// Follow brings the sale of a listing up to what the marketplace says about its order, inside a transaction that holds
// the account's clock. If the order was cancelled or refunded in full, the card comes back, unless it was deleted.
func (r Recorder) Follow(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, listingID string, order OrderState,
) error {
	found, err := ofListings(ctx, tx, stamp.AccountID, map[string]OrderState{listingID: order})
	if err != nil || len(found) == 0 {
		return err
	}
	sale := &found[0]
	amount, restocked, changed := sale.follow(order, stamp.At)
	if !changed {
		return nil
	}
	sale.Version, sale.UpdatedAt = sale.Version+1, stamp.At
	if err := update(tx, sale); err != nil {
		return err
	}
	var happened []events.Data
	if amount > 0 {
		happened = append(happened, sale.refunded(amount, restocked))
	}
	if restocked {
		err := putBack(ctx, tx, stamp, r.cards, sale, happened)
		if !fault.Is(err, fault.CardNotFound) {
			return err
		}
	}
	return r.events.Record(ctx, tx, stamp, happened...)
}

// putBack marks the card of a sale as no longer sold, if no other sale of it remains.
func putBack(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, inventory Cards, sale *Sale, happened []events.Data,
) error {
	other, err := otherSale(ctx, tx, sale)
	if err != nil {
		return err
	}
	_, err = inventory.UpdateIn(ctx, tx, stamp, sale.CardID, func(c *cards.Card, _ time.Time) ([]events.Data, error) {
		c.Return(sale.ID, other)
		return happened, nil
	})
	return err
}
