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

// OrderState is the state of the order of a sale, as its marketplace reports it, in the sale's currency.
type OrderState = struct {
	Shipping  int64  // the buyer's payment for delivery
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

// setMarketplaceFee replaces the marketplace's fee, unless it is unknown. The marketplace reports the fee that it still
// charges, so the part that a refund returned is added again.
func (s *Sale) setMarketplaceFee(amount *int64) {
	if amount == nil {
		return
	}
	fees := []Fee{}
	if fee := *amount + s.Returned().Fees; fee > 0 {
		fees = append(fees, Fee{MarketplaceFee, fee})
	}
	for _, other := range s.Fees {
		if other.Kind != MarketplaceFee && len(fees) < MaxFees {
			fees = append(fees, other)
		}
	}
	s.Fees = fees
}

// follow applies an order. It returns the amounts refunded since the last call, whether the card comes back now, and
// whether the sale changed. A marketplace reports the total of its refunds, so reading an order twice, or an older
// state of it, changes nothing. Refunds that were recorded here before count towards the total, so a refund that is
// entered here and paid at the marketplace counts once. Refunds above the price are refunds of the delivery.
func (s *Sale) follow(o OrderState, now time.Time) (refund Parts, restocked, changed bool) {
	if s.Status == Voided {
		return Parts{}, false, false
	}
	reason := refundedThere
	if o.Cancelled {
		reason = cancelledThere
	}
	refund = s.since(o)
	if refund != (Parts{}) {
		s.addRefund(Refund{refund, now, &reason})
	}
	full := s.Returned().Item == s.Gross.Amount
	restocked = s.RestockedAt == nil && (o.Cancelled || refund.Item > 0 && full)
	if restocked {
		s.RestockedAt = &now
	}
	if refund != (Parts{}) || restocked {
		if full {
			s.Status = Refunded
		}
		s.setMarketplaceFee(o.Fee)
		return refund, restocked, true
	}
	// The fee is not known when the order is new. Later the seller may have entered another.
	if s.Version == 1 && len(s.Fees) == 0 && o.Fee != nil && *o.Fee > 0 {
		s.setMarketplaceFee(o.Fee)
		return Parts{}, false, true
	}
	return Parts{}, false, false
}

// since returns the refunds of the order that the sale has not recorded.
func (s *Sale) since(o OrderState) Parts {
	total := s.Gross.Amount + s.ShippingCharged
	if !o.Cancelled {
		// The part of the delivery by which shipping_charged was lowered here is not charged any more.
		reduction := max(o.Shipping-s.ShippingCharged, 0)
		total = min(o.Refunded, s.Gross.Amount) + max(o.Refunded-s.Gross.Amount-reduction, 0)
	}
	returns, left := s.Returned(), s.Left()
	left.Tax = 0
	return left.fill(min(total-returns.Item-returns.Shipping, money.Max-returns.Total()))
}

// addRefund adds a refund. Once there are MaxRefunds refunds, it adds the amount to the last one, so that the total
// stays right.
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
	list, err := ofListings(ctx, q, accountID, orders)
	if err != nil {
		return nil, err
	}
	for i := range list {
		listingID := *list[i].ListingID
		if _, _, changed := list[i].follow(orders[listingID], time.Time{}); changed {
			behind = append(behind, listingID)
		}
	}
	return behind, nil
}

// Follow updates the sale of a listing from the state of its order at the marketplace, inside a transaction that holds
// the account's clock. If the order was cancelled or refunded in full, the card comes back, unless it was deleted.
func (r Recorder) Follow(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, listingID string, order OrderState,
) error {
	list, err := ofListings(ctx, tx, stamp.AccountID, map[string]OrderState{listingID: order})
	if err != nil || len(list) == 0 {
		return err
	}
	sale := &list[0]
	refund, restocked, changed := sale.follow(order, stamp.At)
	if !changed {
		return nil
	}
	sale.Version, sale.UpdatedAt = sale.Version+1, stamp.At
	if err := update(tx, sale); err != nil {
		return err
	}
	var data []events.Data
	if refund != (Parts{}) {
		data = append(data, sale.refunded(refund, restocked))
	}
	return recordReturn(ctx, tx, stamp, r.cards, r.events, sale, restocked, data...)
}

// recordReturn records events of a sale and, if the card comes back, puts the card back unless it was deleted.
func recordReturn(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, inventory Cards, recorder *events.Recorder,
	sale *Sale, restocked bool, data ...events.Data) error {
	if restocked {
		err := putBack(ctx, tx, stamp, inventory, sale, data)
		if !fault.Is(err, fault.CardNotFound) {
			return err
		}
	}
	return recorder.Record(ctx, tx, stamp, data...)
}

// putBack marks the card of a sale as no longer sold, if no other sale of it remains.
func putBack(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, inventory Cards, sale *Sale, data []events.Data,
) error {
	other, err := otherSale(ctx, tx, sale)
	if err != nil {
		return err
	}
	_, err = inventory.UpdateIn(ctx, tx, stamp, sale.CardID, func(c *cards.Card, _ time.Time) ([]events.Data, error) {
		c.Return(sale.ID, other)
		return data, nil
	})
	return err
}
