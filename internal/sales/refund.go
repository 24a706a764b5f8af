package sales

import (
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
)

// RefundInput is a request to refund a sale. Amount and Parts exclude each other. Without both, the refund is all
// that the buyer has not got back yet.
type RefundInput struct {
	// Amount is refunded from the price first, then from the shipping, then from the tax.
	Amount  *money.Money
	Parts   *PartsInput
	Reason  *string
	Restock bool // the card came back
	Match   Match
}

// PartsInput are the parts of a refund with their currency. Nil is 0.
type PartsInput struct{ Item, Shipping, Tax, Fees *money.Money }

// AfterRefund returns the sale as the refund would leave it, or the error that the refund would have. It changes
// nothing.
func (s Sale) AfterRefund(in RefundInput, now time.Time) (Sale, error) {
	_, _, err := s.refund(in, now)
	return s, err
}

// refund applies a refund. It returns the refund, which is nil if nothing was left and the card comes back now, and
// whether the card comes back now.
func (s *Sale) refund(in RefundInput, now time.Time) (r *Refund, restocked bool, err error) {
	if err := s.checkNotVoided(); err != nil {
		return nil, false, err
	}
	if err := checkReason(in.Reason); err != nil {
		return nil, false, err
	}
	parts, err := in.parts(s)
	if err != nil {
		return nil, false, err
	}
	restocked = in.Restock && s.RestockedAt == nil
	free := s.Gross.Amount == 0 && s.Status == Completed // its refund has no amount
	if parts != (Parts{}) || free {
		if len(s.Refunds) == MaxRefunds {
			return nil, false, fault.New(fault.SaleRefunded,
				"This sale has %d refunds, which is the maximum.", MaxRefunds)
		}
		r = &Refund{parts, now, in.Reason}
		s.Refunds = append(s.Refunds[:len(s.Refunds):len(s.Refunds)], *r)
		s.updateStatus()
	} else if err := s.checkNothing(in, restocked); err != nil {
		return nil, false, err
	}
	if restocked {
		s.RestockedAt = &now
	}
	return r, restocked, nil
}

// checkNothing returns an error for a refund of nothing, unless the card comes back with it.
func (s *Sale) checkNothing(in RefundInput, restocked bool) error {
	switch {
	case restocked:
		return nil
	case in.Parts != nil:
		return fault.Invalid("parts", "must have an amount of more than zero")
	case in.Amount != nil:
		return fault.Invalid("amount.amount", "must be more than zero")
	}
	return fault.New(fault.SaleRefunded, "This sale was refunded in full.")
}

// updateStatus sets the status that follows from the refunds.
func (s *Sale) updateStatus() {
	s.Status = Completed
	if len(s.Refunds) > 0 && s.Returned().Item == s.Gross.Amount {
		s.Status = Refunded
	}
}

// parts returns the parts of the refund. No part may exceed the amount that is left of it.
func (in RefundInput) parts(s *Sale) (Parts, error) {
	left := s.Left()
	switch {
	case in.Parts != nil && in.Amount != nil:
		return Parts{}, fault.Invalid("parts",
			"cannot be combined with amount, which is the sum of item, shipping and tax")
	case in.Parts != nil:
		return in.Parts.of(s, left)
	case in.Amount == nil:
		parts := left.fill(money.Max) // everything that the buyer paid
		return parts, s.checkTotal("amount", parts)
	}
	if err := s.sameCurrency("amount", *in.Amount); err != nil {
		return Parts{}, err
	}
	parts := left.fill(in.Amount.Amount)
	if parts.Total() < in.Amount.Amount {
		return Parts{}, fault.Invalid("amount", "must be at most %s, which is what is not refunded yet",
			s.Amount(max(left.Total(), 0)))
	}
	return parts, s.checkTotal("amount", parts)
}

// fill divides an amount: as much as possible is of the item, then of the shipping, then of the tax.
func (p Parts) fill(amount int64) (parts Parts) {
	for _, part := range []struct{ left, dst *int64 }{
		{&p.Item, &parts.Item}, {&p.Shipping, &parts.Shipping}, {&p.Tax, &parts.Tax},
	} {
		*part.dst = max(min(amount, *part.left), 0)
		amount -= *part.dst
	}
	return parts
}

// of returns the parts as amounts of the sale.
func (in PartsInput) of(s *Sale, left Parts) (parts Parts, err error) {
	for _, part := range []struct {
		field string
		value *money.Money
		left  int64
		dst   *int64
	}{
		{"parts.item", in.Item, left.Item, &parts.Item},
		{"parts.shipping", in.Shipping, left.Shipping, &parts.Shipping},
		{"parts.tax", in.Tax, left.Tax, &parts.Tax}, {"parts.fees", in.Fees, left.Fees, &parts.Fees},
	} {
		if part.value == nil {
			continue
		}
		if err := s.sameCurrency(part.field, *part.value); err != nil {
			return Parts{}, err
		}
		if part.value.Amount > max(part.left, 0) {
			return Parts{}, fault.Invalid(part.field, "must be at most %s, which is what is not refunded yet",
				s.Amount(max(part.left, 0)))
		}
		*part.dst = part.value.Amount
	}
	return parts, s.checkTotal("parts", parts)
}

// checkTotal returns an error for field if the refunds of the sale would exceed the largest amount.
func (s *Sale) checkTotal(field string, parts Parts) error {
	if total := s.RefundTotal(); total+parts.Total() > money.Max {
		return fault.Invalid(field, "must be at most %s, because refunds amount to at most %s in total",
			s.Amount(money.Max-total), s.Amount(money.Max))
	}
	return nil
}
