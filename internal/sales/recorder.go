package sales

import (
	"context"
	"slices"
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

// setMarketplaceFee replaces the fee of the marketplace, unless it is not known. The marketplace reports what it still
// charges, so a part that a refund returned counts to the fee.
func (s *Sale) setMarketplaceFee(charged *int64) {
	if charged == nil {
		return
	}
	fees := []Fee{}
	if fee := *charged + s.Returned().Fees; fee > 0 {
		fees = append(fees, Fee{MarketplaceFee, fee})
	}
	for _, other := range s.Fees {
		if other.Kind != MarketplaceFee && len(fees) < MaxFees {
			fees = append(fees, other)
		}
	}
	s.Fees = fees
}

// follow applies an order. It returns what was refunded since, whether the card comes back now, and whether the sale
// changed. A marketplace reports the total of its refunds, so reading an order twice, or an older state of it, changes
// nothing. Refunds that were recorded here before count to the total, so a refund that is entered here and paid at the
// marketplace counts once. What exceeds the price is of the delivery.
func (s *Sale) follow(o OrderState, now time.Time) (refunded Parts, restocked, changed bool) {
	if s.Status == Voided {
		return Parts{}, false, false
	}
	reason := refundedThere
	if o.Cancelled {
		reason = cancelledThere
	}
	refunded = s.since(o)
	if refunded != (Parts{}) {
		s.addRefund(Refund{refunded, now, &reason})
	}
	full := s.Returned().Item == s.Gross.Amount
	restocked = s.RestockedAt == nil && (o.Cancelled || refunded.Item > 0 && full)
	if restocked {
		s.RestockedAt = &now
	}
	if refunded != (Parts{}) || restocked {
		if full {
			s.Status = Refunded
		}
		s.setMarketplaceFee(o.Fee)
		return refunded, restocked, true
	}
	// The fee is not known when the order is new. Later the seller may have entered another.
	if s.Version == 1 && len(s.Fees) == 0 && o.Fee != nil && *o.Fee > 0 {
		s.setMarketplaceFee(o.Fee)
		return Parts{}, false, true
	}
	return Parts{}, false, false
}

// since returns what the order has refunded beyond the refunds of the sale.
func (s *Sale) since(o OrderState) Parts {
	total := s.Gross.Amount + s.ShippingCharged
	if !o.Cancelled {
		// The part of the delivery by which shipping_charged was lowered here is not charged any more.
		lowered := max(o.Shipping-s.ShippingCharged, 0)
		total = min(o.Refunded, s.Gross.Amount) + max(o.Refunded-s.Gross.Amount-lowered, 0)
	}
	returned, left := s.Returned(), s.Left()
	left.Tax = 0
	return left.fill(min(total-returned.Item-returned.Shipping, money.Max-returned.Total()))
}

// addRefund adds a refund. The last of MaxRefunds refunds takes up what follows, so that the total stays right.
func (s *Sale) addRefund(r Refund) {
	s.Refunds = slices.Clone(s.Refunds)
	if last := len(s.Refunds) - 1; last+1 == MaxRefunds {
		s.Refunds[last].Parts = s.Refunds[last].Plus(r.Parts)
		return
	}
	s.Refunds = append(s.Refunds, r)
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
	refunded, restocked, changed := sale.follow(order, stamp.At)
	if !changed {
		return nil
	}
	sale.Version, sale.UpdatedAt = sale.Version+1, stamp.At
	if err := update(tx, sale); err != nil {
		return err
	}
	var happened []events.Data
	if refunded != (Parts{}) {
		happened = append(happened, sale.refunded(refunded, restocked))
	}
	return recordReturn(ctx, tx, stamp, r.cards, r.events, sale, restocked, happened...)
}

// recordReturn records events of a sale and, if the card comes back, puts the card back unless it was deleted.
func recordReturn(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, inventory Cards, recorder *events.Recorder,
	sale *Sale, restocked bool, happened ...events.Data) error {
	if restocked {
		err := putBack(ctx, tx, stamp, inventory, sale, happened)
		if !fault.Is(err, fault.CardNotFound) {
			return err
		}
	}
	return recorder.Record(ctx, tx, stamp, happened...)
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
