package cards

import (
	"context"
	"fmt"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/postgres"
)

// floorCheck refuses asking prices below the floor price of the card or, without one, of the account. It reads the
// account's floor price at most once, and only if it needs it.
type floorCheck struct {
	accountID string
	account   accounts.FloorPrice
	read      bool // whether account is set
}

// check returns price_below_floor if an update prices or lists a card below its floor price. Other updates of a card
// that has been below a floor price since before it was set are allowed.
func (f *floorCheck) check(ctx context.Context, q postgres.Querier, before, after *Card) error {
	if after.Pricing.AskingPrice == nil || !pricesOrLists(before, after) {
		return nil
	}
	if own := after.Pricing.FloorPrice; own != nil {
		return checkFloor(*after.Pricing.AskingPrice, *own, "this card")
	}
	if !f.read {
		if err := q.Get(ctx, &f.account, `SELECT `+accounts.FloorPriceOf("$1"), f.accountID); err != nil {
			return fmt.Errorf("load floor price: %w", err)
		}
		f.read = true
	}
	floor := f.account.Amount
	if floor == nil || floor.Currency != after.Pricing.AskingPrice.Currency {
		return nil
	}
	return checkFloor(*after.Pricing.AskingPrice, *floor, "the account")
}

// pricesOrLists reports whether an update changes the asking price or the floor price, or starts a listing.
func pricesOrLists(before, after *Card) bool {
	starts := after.UnderWay() && (before.Listing == nil || before.Listing.ID != after.Listing.ID)
	return starts || !equal(before.Pricing.AskingPrice, after.Pricing.AskingPrice) ||
		!equal(before.Pricing.FloorPrice, after.Pricing.FloorPrice)
}

// checkFloor returns an error unless the price is in the currency of the floor price and at least as high.
func checkFloor(price, floor money.Money, owner string) error {
	if price.Currency != floor.Currency {
		return fault.New(fault.PriceBelowFloor,
			"The asking price of %s cannot be compared with %s, the floor price of %s. Give both in one currency.",
			price, floor, owner)
	}
	if price.Amount < floor.Amount {
		return fault.New(fault.PriceBelowFloor,
			"The asking price of %s is below %s, the floor price of %s. Raise the price or lower the floor price.",
			price, floor, owner)
	}
	return nil
}
