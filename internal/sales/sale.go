// Package sales records the sales of cards, with their fees, shipping, cost and refunds, and sums them up.
//
// A Sale is a record of its own: it does not change when its card is edited or deleted. Service records sales outside
// marketplaces. Recorder records sales that package listings learns from marketplaces.
//
// The package moves no money and converts no currency: a refund records an amount that the shop or the marketplace has
// paid back.
package sales

import (
	"time"

	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// Status is the state of a sale.
type Status string

// The statuses.
const (
	Completed Status = "completed"
	Refunded  Status = "refunded" // the price was returned in full
	Voided    Status = "voided"   // recorded by mistake: counts in no report
)

// The bounds of a sale (openapi/v1.yaml, Sale).
const (
	MaxFees    = 20
	MaxRefunds = 100
)

// Sale is one sale of a card. All amounts except CostAtSale have the currency of Gross. Optional values are nil.
type Sale struct {
	AccountID       string
	ID              string
	CardID          string
	ListingID       *string
	Channel         string
	OrderReference  *string
	SoldAt          time.Time
	Gross           money.Money
	ShippingCharged int64
	ShippingCost    int64
	Tax             int64
	Fees            []Fee
	CostAtSale      *money.Money
	Title           *string // of the card when it was sold, like Set and Number
	Set             *string
	Number          *string
	BuyerReference  *string
	Status          Status
	Refunds         []Refund   // oldest first
	RestockedAt     *time.Time // when the card came back
	VoidedAt        *time.Time
	ShippedAt       *time.Time
	Tracking        *Tracking
	Version         int64
	CreatedAt       time.Time
	UpdatedAt       time.Time
}

// Fee is a fee that the seller paid, in the sale's currency.
type Fee struct {
	Kind   string `json:"kind"`
	Amount int64  `json:"amount"`
}

// Parts are the parts of a payment or a refund, in the sale's currency.
type Parts struct {
	Item     int64
	Shipping int64
	Tax      int64
	// Fees is the amount that a marketplace charged the seller or returned to the seller. It is not part of the total.
	Fees int64
}

// Total returns the amount that the buyer paid or got back.
func (p Parts) Total() int64 { return p.Item + p.Shipping + p.Tax }

// Plus returns the sums of the parts.
func (p Parts) Plus(o Parts) Parts {
	return Parts{p.Item + o.Item, p.Shipping + o.Shipping, p.Tax + o.Tax, p.Fees + o.Fees}
}

// Minus returns the differences of the parts.
func (p Parts) Minus(o Parts) Parts { return p.Plus(Parts{-o.Item, -o.Shipping, -o.Tax, -o.Fees}) }

// Refund is one refund, in the sale's currency.
type Refund struct {
	Parts
	At     time.Time
	Reason *string
}

// Tracking is how the card was sent.
type Tracking struct{ Carrier, Number string }

// NotFound returns the error for a sale that the account does not have.
func NotFound() error { return fault.NotFound(fault.SaleNotFound) }

// FeeTotal returns the sum of the fees.
func (s *Sale) FeeTotal() (sum int64) {
	for _, fee := range s.Fees {
		sum += fee.Amount
	}
	return sum
}

// RefundTotal returns the amount that the buyer got back.
func (s *Sale) RefundTotal() int64 { return s.Returned().Total() }

// Charged returns the buyer's payment and the fees.
func (s *Sale) Charged() Parts { return Parts{s.Gross.Amount, s.ShippingCharged, s.Tax, s.FeeTotal()} }

// Returned returns the sums of the refunds.
func (s *Sale) Returned() (sum Parts) {
	for _, refund := range s.Refunds {
		sum = sum.Plus(refund.Parts)
	}
	return sum
}

// Left returns the amounts that are not refunded yet.
func (s *Sale) Left() Parts { return s.Charged().Minus(s.Returned()) }

// Net returns the seller's income before refunds, tax and the cost of the card. It can be negative.
func (s *Sale) Net() int64 { return s.Gross.Amount + s.ShippingCharged - s.ShippingCost - s.FeeTotal() }

// Profit returns Net minus refunds and the cost of the card. The cost does not count if it is unknown or if the card
// came back. Tax is not part of the profit, and a voided sale has none. Profit returns false if the cost is in another
// currency, because the amounts cannot be subtracted.
func (s *Sale) Profit() (money.Money, bool) {
	if s.Status == Voided {
		return s.Amount(0), true
	}
	returns := s.Returned()
	profit := s.Amount(s.Net() - returns.Item - returns.Shipping + returns.Fees)
	if s.CostAtSale == nil || s.RestockedAt != nil {
		return profit, true
	}
	profit.Amount -= s.CostAtSale.Amount
	return profit, s.CostAtSale.Currency == profit.Currency
}

// Amount returns an amount in the currency of the sale.
func (s *Sale) Amount(minor int64) money.Money {
	return money.Money{Amount: minor, Currency: s.Gross.Currency}
}

// sameCurrency returns an error for field unless the amount is valid and has the sale's currency.
func (s *Sale) sameCurrency(field string, m money.Money) error {
	if err := m.Check(field); err != nil {
		return err
	}
	if m.Currency != s.Gross.Currency {
		return fault.Invalid(field+".currency", "must be %s, the currency of the sale's price", s.Gross.Currency)
	}
	return nil
}

// eventCard returns the sold card as events show it.
func (s *Sale) eventCard() events.Card {
	text := func(v *string) string {
		if v == nil {
			return ""
		}
		return *v
	}
	return events.Card{CardID: s.CardID, Title: text(s.Title), Set: text(s.Set), Number: text(s.Number)}
}

func (s *Sale) created() events.Data {
	return events.SaleCreated{
		Card: s.eventCard(), SaleID: s.ID, ListingID: s.ListingID, Channel: s.Channel, Gross: s.Gross,
		SoldAt: timestamp.Of(s.SoldAt),
	}
}

func (s *Sale) refunded(amount Parts, restocked bool) events.Data {
	return events.SaleRefunded{
		Card: s.eventCard(), SaleID: s.ID, Amount: s.Amount(amount.Total()), Refunded: s.Amount(s.RefundTotal()),
		Status: string(s.Status), Restocked: restocked,
	}
}

func (s *Sale) voided(restocked bool) events.Data {
	return events.SaleVoided{
		Card: s.eventCard(), SaleID: s.ID, Channel: s.Channel, Gross: s.Gross, SoldAt: timestamp.Of(s.SoldAt),
		VoidedAt: timestamp.Of(*s.VoidedAt), Restocked: restocked,
	}
}
