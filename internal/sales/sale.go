// Package sales records the sales of cards, with their fees, shipping, cost and refunds, and sums them up.
//
// A Sale is a record of its own: it does not change when its card is edited or deleted. Service records sales that
// happen elsewhere than on a marketplace. Recorder records those that package listings learns from marketplaces.
//
// The package moves no money and converts no currency: a refund records what the shop or the marketplace has paid back.
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
	Refunded  Status = "refunded" // in full
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

// Refund is one refund, in the sale's currency.
type Refund struct {
	Amount int64     `json:"amount"`
	At     time.Time `json:"at"`
	Reason *string   `json:"reason"`
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

// RefundTotal returns the sum of the refunds.
func (s *Sale) RefundTotal() (sum int64) {
	for _, refund := range s.Refunds {
		sum += refund.Amount
	}
	return sum
}

// Net returns what the seller keeps before refunds, tax and the cost of the card. It can be negative.
func (s *Sale) Net() int64 { return s.Gross.Amount + s.ShippingCharged - s.ShippingCost - s.FeeTotal() }

// Profit returns what remains of Net after refunds and the cost of the card, which does not count if it is not known or
// if the card came back. It returns false if the cost is in another currency: then there is no such amount.
func (s *Sale) Profit() (money.Money, bool) {
	profit := s.Amount(s.Net() - s.RefundTotal())
	if s.CostAtSale == nil || s.RestockedAt != nil {
		return profit, true
	}
	profit.Amount -= s.CostAtSale.Amount
	return profit, s.CostAtSale.Currency == profit.Currency
}

// Left returns what is not refunded yet.
func (s *Sale) Left() money.Money { return s.Amount(s.Gross.Amount - s.RefundTotal()) }

// Amount returns an amount in the currency of the sale.
func (s *Sale) Amount(minor int64) money.Money {
	return money.Money{Amount: minor, Currency: s.Gross.Currency}
}

// RefundInput is a request to refund a sale.
type RefundInput struct {
	Amount  *money.Money // the default is all that is left
	Reason  *string
	Restock bool // the card came back
	Match   Match
}

// AfterRefund returns the sale as the refund would leave it, or the error that the refund would have. It changes
// nothing.
func (s Sale) AfterRefund(in RefundInput, now time.Time) (Sale, error) {
	_, _, err := s.refund(in, now)
	return s, err
}

// refund applies a refund. It returns the refunded amount, which is 0 if the sale was refunded in full before and the
// card comes back now, and whether the card comes back now.
func (s *Sale) refund(in RefundInput, now time.Time) (amount int64, restocked bool, err error) {
	if err := checkReason(in.Reason); err != nil {
		return 0, false, err
	}
	left := s.Gross.Amount - s.RefundTotal()
	restocked = in.Restock && s.RestockedAt == nil
	amount = left
	if in.Amount != nil {
		if err := s.sameCurrency("amount", *in.Amount); err != nil {
			return 0, false, err
		}
		amount = in.Amount.Amount
		if amount > left {
			return 0, false, fault.Invalid("amount",
				"must be at most %s, which is what is not refunded yet", s.Amount(left))
		}
		if amount == 0 && !restocked {
			return 0, false, fault.Invalid("amount.amount", "must be more than zero")
		}
	}
	if amount == 0 && !restocked {
		return 0, false, fault.New(fault.SaleRefunded,
			"This sale was refunded in full.")
	}
	if amount > 0 {
		if len(s.Refunds) == MaxRefunds {
			return 0, false, fault.New(fault.SaleRefunded,
				"This sale has %d refunds, which is the maximum.", MaxRefunds)
		}
		s.Refunds = append(s.Refunds[:len(s.Refunds):len(s.Refunds)], Refund{amount, now, in.Reason})
	}
	if s.RefundTotal() == s.Gross.Amount {
		s.Status = Refunded
	}
	if restocked {
		s.RestockedAt = &now
	}
	return amount, restocked, nil
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

func (s *Sale) refunded(amount int64, restocked bool) events.Data {
	return events.SaleRefunded{
		Card: s.eventCard(), SaleID: s.ID, Amount: s.Amount(amount), Refunded: s.Amount(s.RefundTotal()),
		Status: string(s.Status), Restocked: restocked,
	}
}
