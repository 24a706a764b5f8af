package sales

import (
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/money"
)

// maxAhead is how far in the future a time of sale may be, because clocks differ.
const maxAhead = 24 * time.Hour

// firstTime is the earliest time of a sale or a shipment.
var firstTime = time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC)

// FeeInput is a fee with its currency.
type FeeInput struct {
	Kind   string
	Amount money.Money
}

// SellInput is a request to record a sale. The default of SoldAt is now.
type SellInput struct {
	Channel        string
	Price          money.Money
	SoldAt         *time.Time
	Fees           []FeeInput
	OrderReference *string
}

// newSale returns a completed sale of the card.
func newSale(c *cards.Card, stamp clock.Stamp, channel string, gross money.Money, soldAt time.Time) Sale {
	d := &c.Identification.Description
	return Sale{
		AccountID: stamp.AccountID, ID: id.New(id.Sale, stamp.At), CardID: c.ID, Channel: channel,
		SoldAt: soldAt.UTC().Truncate(time.Microsecond), Gross: gross, Fees: []Fee{}, CostAtSale: c.Pricing.Cost,
		Title: d.Title, Set: d.Set, Number: d.Number, Status: Completed, Refunds: []Refund{},
		Version: 1, CreatedAt: stamp.At, UpdatedAt: stamp.At,
	}
}

// sale returns the sale of the card.
func (in SellInput) sale(c *cards.Card, stamp clock.Stamp) (Sale, error) {
	soldAt := stamp.At
	if in.SoldAt != nil {
		soldAt = *in.SoldAt
	}
	s := newSale(c, stamp, in.Channel, in.Price, soldAt)
	if err := in.Price.Check("price"); err != nil {
		return Sale{}, err
	}
	if err := checkLine("order_reference", in.OrderReference, MaxReference); err != nil {
		return Sale{}, err
	}
	if err := checkTime("sold_at", soldAt, stamp.At); err != nil {
		return Sale{}, err
	}
	s.OrderReference = in.OrderReference
	return s, s.setFees(in.Fees)
}

// checkTime returns an error for field unless at is from 1970 until a day after now.
func checkTime(field string, at, now time.Time) error {
	if at.Before(firstTime) || at.After(now.Add(maxAhead)) {
		return fault.Invalid(field, "must be between 1970 and now")
	}
	return nil
}

// setFees replaces the fees.
func (s *Sale) setFees(fees []FeeInput) error {
	if len(fees) > MaxFees {
		return fault.Invalid("fees", "must contain at most %d fees", MaxFees)
	}
	s.Fees = make([]Fee, len(fees))
	for i, fee := range fees {
		if err := checkKind(i, fee.Kind); err != nil {
			return err
		}
		if err := s.sameCurrency(fmt.Sprintf("fees.%d.amount", i), fee.Amount); err != nil {
			return err
		}
		s.Fees[i] = Fee{fee.Kind, fee.Amount.Amount}
	}
	return nil
}

// Patch holds the values of a sale that its owner can change. Fields that are nil or not given stay unchanged.
type Patch struct {
	Gross           *money.Money // not of a sale that a marketplace reported, like SoldAt
	SoldAt          *time.Time
	Fees            *[]FeeInput
	ShippingCharged *money.Money
	ShippingCost    *money.Money
	Tax             *money.Money
	Tracking        Field[Tracking]
	ShippedAt       Field[time.Time]
	BuyerReference  Field[string]
}

// Field is an optional value of a Patch. A Value of nil clears it.
type Field[T any] struct {
	Given bool
	Value *T
}

func (f Field[T]) apply(dst **T) {
	if f.Given {
		*dst = f.Value
	}
}

// apply applies the patch to the sale.
func (p Patch) apply(s *Sale, now time.Time) error {
	if err := s.checkNotVoided(); err != nil {
		return err
	}
	if err := p.check(); err != nil {
		return err
	}
	before := *s
	if p.Fees != nil {
		if err := s.setFees(*p.Fees); err != nil {
			return err
		}
	}
	if err := p.applyAmounts(s); err != nil {
		return err
	}
	if err := p.applyTimes(s, now); err != nil {
		return err
	}
	if s.Gross != before.Gross || !s.SoldAt.Equal(before.SoldAt) {
		if err := s.checkOwn("Its price and its date cannot be changed"); err != nil {
			return err
		}
	}
	if s.Gross != before.Gross {
		s.updateStatus()
	}
	p.Tracking.apply(&s.Tracking)
	p.BuyerReference.apply(&s.BuyerReference)
	return s.checkCharged(before.Charged())
}

// applyAmounts stores the amounts of the patch in the sale.
func (p Patch) applyAmounts(s *Sale) error {
	for _, part := range []struct {
		field string
		value *money.Money
		dst   *int64
	}{
		{"gross", p.Gross, &s.Gross.Amount},
		{"shipping_charged", p.ShippingCharged, &s.ShippingCharged},
		{"shipping_cost", p.ShippingCost, &s.ShippingCost},
		{"tax", p.Tax, &s.Tax},
	} {
		if part.value == nil {
			continue
		}
		if err := s.sameCurrency(part.field, *part.value); err != nil {
			return err
		}
		*part.dst = part.value.Amount
	}
	return nil
}

// applyTimes stores the times of the patch in the sale.
func (p Patch) applyTimes(s *Sale, now time.Time) error {
	if p.SoldAt != nil {
		if err := checkTime("sold_at", *p.SoldAt, now); err != nil {
			return err
		}
		s.SoldAt = p.SoldAt.UTC().Truncate(time.Microsecond)
	}
	if at := p.ShippedAt.Value; at != nil {
		if err := checkTime("shipped_at", *at, now); err != nil {
			return err
		}
		utc := at.UTC().Truncate(time.Microsecond)
		p.ShippedAt.Value = &utc
	}
	p.ShippedAt.apply(&s.ShippedAt)
	return nil
}

// checkCharged returns an error if an amount of the sale decreased below the amount that was returned of it.
func (s *Sale) checkCharged(before Parts) error {
	charges, returns := s.Charged(), s.Returned()
	for _, part := range []struct {
		field                     string
		before, charged, returned int64
	}{
		{"gross", before.Item, charges.Item, returns.Item},
		{"shipping_charged", before.Shipping, charges.Shipping, returns.Shipping},
		{"tax", before.Tax, charges.Tax, returns.Tax},
		{"fees", before.Fees, charges.Fees, returns.Fees},
	} {
		if part.charged < part.before && part.charged < part.returned {
			return fault.Invalid(part.field, "must be at least %s, which was returned", s.Amount(part.returned))
		}
	}
	return nil
}
