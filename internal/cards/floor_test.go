package cards_test

import (
	"fmt"
	"testing"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/postgres"
)

// prices returns a patch of an asking price and a floor price. Amounts below 0 stay unchanged.
func prices(asking, floor int64, currency string) cards.Patch {
	var p cards.Patch
	if asking >= 0 {
		p.AskingPrice = cards.Set(money.Money{Amount: asking, Currency: currency})
	}
	if floor >= 0 {
		p.FloorPrice = cards.Set(money.Money{Amount: floor, Currency: currency})
	}
	return p
}

// TestFloorPrice updates cards whose asking price is 5.00 USD, alone and with many.
func TestFloorPrice(t *testing.T) {
	t.Parallel()
	i := setup(t)
	i.setFloor(t, 200)
	noFloor := cards.Patch{FloorPrice: cards.Clear[money.Money]()}
	for name, tc := range map[string]struct {
		before, patch cards.Patch
		want          fault.Code
	}{
		"above the floor of the account":     {cards.Patch{}, prices(200, -1, "USD"), ""},
		"below the floor of the account":     {cards.Patch{}, prices(199, -1, "USD"), fault.PriceBelowFloor},
		"another currency":                   {cards.Patch{}, prices(1, -1, "EUR"), ""},
		"without a price":                    {cards.Patch{}, cards.Patch{AskingPrice: cards.Clear[money.Money]()}, ""},
		"at the floor of the card":           {prices(-1, 400, "USD"), prices(400, -1, "USD"), ""},
		"below the floor of the card":        {prices(-1, 400, "USD"), prices(399, -1, "USD"), fault.PriceBelowFloor},
		"the card's floor is lower":          {prices(-1, 1, "USD"), prices(1, -1, "USD"), ""},
		"floor and price together":           {prices(-1, 400, "USD"), prices(100, 100, "USD"), ""},
		"floor above the price":              {cards.Patch{}, prices(-1, 501, "USD"), fault.PriceBelowFloor},
		"floor in another currency":          {cards.Patch{}, prices(-1, 1, "EUR"), fault.PriceBelowFloor},
		"price in another currency":          {prices(-1, 400, "USD"), prices(900, -1, "EUR"), fault.PriceBelowFloor},
		"floor cleared, below the account's": {prices(1, 1, "USD"), noFloor, fault.PriceBelowFloor},
		"other fields":                       {cards.Patch{}, cards.Patch{Notes: cards.Set("Binder")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var ids [2]string
			for n := range ids {
				ids[n] = i.create(t, cards.Draft{Patch: prices(500, -1, "USD")}).ID
				if _, err := i.cards.Update(t.Context(), i.account, ids[n], tc.before, nil); err != nil {
					t.Fatal(err)
				}
			}
			_, err := i.cards.Update(t.Context(), i.account, ids[0], tc.patch, nil)
			results, failed := i.cards.UpdateMany(
				t.Context(), i.account, []cards.PatchItem{{CardID: ids[1], Patch: tc.patch}}, false)
			if failed != nil {
				t.Fatal(failed)
			}
			for method, err := range map[string]error{"Update": err, "UpdateMany": results[0].Err} {
				if code(err) != tc.want {
					t.Errorf("%s: got %v, want %q", method, err, tc.want)
				}
			}
		})
	}
}

func TestFloorPrice_OfNewCards(t *testing.T) {
	t.Parallel()
	i := setup(t)
	i.setFloor(t, 200)
	_, err := i.cards.Create(t.Context(), i.account, []cards.Draft{
		{Patch: prices(200, -1, "USD")}, {Patch: prices(199, -1, "USD")},
	}, nil)
	if got := fmt.Sprint(err); !fault.Is(err, fault.PriceBelowFloor) ||
		got != "card 1: price_below_floor: The asking price of 1.99 USD is below 2.00 USD, the floor price of the "+
			"account. Raise the price or lower the floor price." {
		t.Errorf("Create: got %v, want price_below_floor for the second card", err)
	}
	if _, err := i.cards.Create(t.Context(), i.account, []cards.Draft{{Patch: prices(5, 5, "USD")}}, nil); err != nil {
		t.Errorf("Create with a floor price of its own: got %v", err)
	}
}

// TestFloorPrice_SetLater checks that a card that is below the floor price already can be changed, but not listed.
func TestFloorPrice_SetLater(t *testing.T) {
	t.Parallel()
	i := setup(t)
	photo := cards.Photo{ID: "photo_1", Role: cards.RoleFront, Status: cards.PhotoReady}
	card := i.create(t, cards.Draft{Patch: prices(100, -1, "USD"), Stored: []cards.Photo{photo}})
	i.setFloor(t, 200)
	named := cards.Patch{Title: cards.Set("Fox")}
	if _, err := i.cards.Update(t.Context(), i.account, card.ID, named, nil); err != nil {
		t.Errorf("Update of the title: got %v", err)
	}
	c := clock.System
	err := c.Write(t.Context(), i.db, i.account, func(tx *postgres.Tx, stamp clock.Stamp) error {
		ref := cards.ListingRef{ID: "lst_1", Status: cards.ListingPublishing}
		_, err := i.cards.StartListing(t.Context(), tx, stamp, card.ID, ref, nil)
		return err
	})
	if !fault.Is(err, fault.PriceBelowFloor) {
		t.Errorf("StartListing: got %v, want price_below_floor", err)
	}
	// A listing that is live already stays as it is.
	err = c.Write(t.Context(), i.db, i.account, func(tx *postgres.Tx, stamp clock.Stamp) error {
		ref := cards.ListingRef{ID: "lst_1", Status: cards.ListingPublishing}
		price := money.Money{Amount: 200, Currency: "USD"}
		_, err := i.cards.StartListing(t.Context(), tx, stamp, card.ID, ref, &price)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	i.setFloor(t, 300)
	err = c.Write(t.Context(), i.db, i.account, func(tx *postgres.Tx, stamp clock.Stamp) error {
		ref := cards.ListingRef{ID: "lst_1", Status: cards.ListingLive}
		_, err := i.cards.UpdateListing(t.Context(), tx, stamp, card.ID, &ref,
			func(*cards.Card) []events.Data { return nil })
		return err
	})
	if err != nil {
		t.Errorf("UpdateListing: got %v", err)
	}
}

// setFloor sets the floor price of the account, in cents.
func (i inventory) setFloor(t *testing.T, amount int64) {
	t.Helper()
	_, err := accounts.New(i.db, clock.System).Update(t.Context(), i.account, func(c *accounts.Change) {
		c.Preferences.FloorPrice = &money.Money{Amount: amount, Currency: "USD"}
	})
	if err != nil {
		t.Fatal(err)
	}
}
