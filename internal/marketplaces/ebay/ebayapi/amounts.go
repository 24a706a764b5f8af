package ebayapi

import (
	"cmp"
	"fmt"

	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/money"
)

// lineAmounts are the amounts of a line item.
type lineAmounts struct {
	price money.Money
	marketplaces.Order
}

// orderAmounts returns the amounts by line item. The marketplace charges its fee for the whole order, so a line item
// has a share of it in proportion to its price.
func orderAmounts(order wire.Order) ([]lineAmounts, error) {
	lines := make([]lineAmounts, len(order.LineItems))
	prices := make([]int64, len(lines))
	for i, item := range order.LineItems {
		line := &lines[i]
		paid := item.LineItemCost
		if item.DiscountedLineItemCost != nil {
			paid = *item.DiscountedLineItemCost
		}
		var err error
		if line.price, err = money.Parse(paid.Value, paid.Currency); err != nil {
			return nil, fmt.Errorf("price: %w", err)
		}
		if line.Shipping, err = minor(item.DeliveryCost.ShippingCost, line.price.Currency); err != nil {
			return nil, fmt.Errorf("delivery: %w", err)
		}
		line.Cancelled = order.CancelStatus.CancelState == wire.Cancelled
		prices[i] = line.price.Amount
	}
	if err := addRefunds(order, lines); err != nil {
		return nil, fmt.Errorf("refund: %w", err)
	}
	if order.TotalMarketplaceFee == nil || len(lines) == 0 {
		return lines, nil
	}
	fee, err := minor(*order.TotalMarketplaceFee, lines[0].price.Currency)
	if err != nil {
		return nil, fmt.Errorf("fee: %w", err)
	}
	for i, share := range shares(fee, prices) {
		lines[i].Fee = &share
	}
	return lines, nil
}

// addRefunds sets the completed refunds by line item. The order lists all refunds with their states; a line item lists
// the refunds for it alone. The order's other refunds are for the whole order. They are divided in proportion to the
// amounts left of the line items.
func addRefunds(order wire.Order, lines []lineAmounts) error {
	if len(lines) == 0 {
		return nil
	}
	rest, err := completed(order.PaymentSummary.Refunds, nil, lines[0].price.Currency)
	if err != nil {
		return err
	}
	states := map[string]string{}
	for _, r := range order.PaymentSummary.Refunds {
		if r.RefundID != "" {
			states[r.RefundID] = r.RefundStatus
		}
	}
	left := make([]int64, len(lines))
	for i := range lines {
		line := &lines[i]
		if len(lines) > 1 {
			line.Refunded, err = completed(order.LineItems[i].Refunds, states, line.price.Currency)
			if err != nil {
				return err
			}
		}
		rest -= line.Refunded
		left[i] = max(line.price.Amount+line.Shipping-line.Refunded, 0)
	}
	for i, share := range shares(max(rest, 0), left) {
		lines[i].Refunded += share
	}
	return nil
}

// completed returns the sum of the completed refunds. states are by identifier, for refunds without a state.
func completed(refunds []wire.Refund, states map[string]string, currency string) (sum int64, err error) {
	for _, r := range refunds {
		if state := cmp.Or(r.RefundStatus, states[r.RefundID]); state != "" && state != wire.Refunded {
			continue
		}
		amount, err := minor(r.Amount, currency)
		if err != nil {
			return 0, err
		}
		sum += amount
	}
	return sum, nil
}

// minor returns an amount in minor units, 0 if the marketplace sent none. It must have the currency.
func minor(a wire.Amount, currency string) (int64, error) {
	if a.Value == "" {
		return 0, nil
	}
	if a.Currency != currency {
		return 0, fmt.Errorf("an amount in %s in an order in %s", a.Currency, currency)
	}
	parsed, err := money.Parse(a.Value, a.Currency)
	return parsed.Amount, err
}

// shares divides a total in proportion to weights. The shares add up to the total.
func shares(total int64, weights []int64) []int64 {
	var sum, before, given int64
	for _, weight := range weights {
		sum += weight
	}
	divided := make([]int64, len(weights))
	for i, weight := range weights {
		before += weight
		upTo := total
		if sum > 0 && i < len(weights)-1 {
			upTo = total * before / sum
		}
		divided[i], given = upTo-given, upTo
	}
	return divided
}
