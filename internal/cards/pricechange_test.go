package cards_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
)

func TestPriceChange_Of(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		currency   string
		amount     int64
		hundredths int64
		cent, to99 int64
	}{
		{"USD", 1000, 10_00, 1100, 1099},
		{"USD", 1000, -5_00, 950, 999},
		{"USD", 1000, -6_00, 940, 899},
		{"USD", 1, 50_00, 2, 99},      // 1.5 cents are rounded up
		{"USD", 1, 49_00, 1, 99},      // 1.49 cents are rounded down
		{"USD", 333, 12_50, 375, 399}, // 374.625
		{"USD", 0, 1000_00, 0, 99},
		{"USD", 1099, 0, 1099, 1099},
		{"USD", 1049, 0, 1049, 1099}, // half way
		{"USD", 1048, 0, 1048, 999},
		{"JPY", 1000, 10_00, 1100, 1100}, // no decimals
		{"KWD", 1000, 10_00, 1100, 990},
		{"KWD", 1000, 60_00, 1600, 1990},
		{"USD", money.Max, -50_00, (money.Max + 1) / 2, 49_999_999_999},
	} {
		price := money.Money{Amount: tc.amount, Currency: tc.currency}
		for to99, want := range map[bool]int64{false: tc.cent, true: tc.to99} {
			change := cards.PriceChange{Hundredths: tc.hundredths, To99: to99}
			if got := change.Of(price); got.Amount != want {
				t.Errorf("%v by %+v: got %d, want %d", price, change, got.Amount, want)
			}
		}
	}
}

// A price that ends in .99 is at most half a unit from the exact one, unless that is less than .99.
func TestPriceChange_To99IsNearest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		by := rapid.Int64Range(cards.MinPriceChange, cards.MaxPriceChange).Draw(t, "by")
		change := cards.PriceChange{Hundredths: by}
		price := money.Money{Amount: rapid.Int64Range(0, money.Max).Draw(t, "amount"), Currency: "USD"}
		exact := change.Of(price).Amount
		change.To99 = true
		got := change.Of(price).Amount
		if got%100 != 99 || exact >= 99 && max(got-exact, exact-got) > 50 {
			t.Fatalf("%v by %d: got %d, exactly %d", price, change.Hundredths, got, exact)
		}
	})
}

func TestPriceChange_Apply(t *testing.T) {
	t.Parallel()
	raise := cards.PriceChange{Hundredths: 10_00}
	var card cards.Card
	if err := raise.Apply(&card, money.Money{}, time.Now()); !fault.Is(err, fault.CardNotPriced) {
		t.Errorf("card without a price: %v, want card_not_priced", err)
	}
	price := usd(money.Max)
	card.Pricing.AskingPrice = &price
	if err := raise.Apply(&card, money.Money{}, time.Now()); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("above the largest price: %v, want invalid_request", err)
	}
	price = usd(500)
	if err := raise.Apply(&card, money.Money{}, time.Now()); err != nil || card.Pricing.AskingPrice.Amount != 550 {
		t.Errorf("got %v, %v, want 550", card.Pricing.AskingPrice, err)
	}
	sale := "sale_1"
	card.SaleID = &sale
	if err := raise.Apply(&card, money.Money{}, time.Now()); !fault.Is(err, fault.CardSold) {
		t.Errorf("sold card: %v, want card_sold", err)
	}
	for hundredths, valid := range map[int64]bool{-99_01: false, -99_00: true, 1000_00: true, 1000_01: false} {
		if err := (cards.PriceChange{Hundredths: hundredths}).Check(); (err == nil) != valid {
			t.Errorf("Check of %d: %v, want valid %v", hundredths, err, valid)
		}
	}
}
