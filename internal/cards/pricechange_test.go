package cards_test

import (
	"strings"
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
		{"USD", 1, 50_00, 2, 2},       // 1.5 cents are rounded up
		{"USD", 1, 49_00, 1, 1},       // 1.49 cents are rounded down
		{"USD", 333, 12_50, 375, 399}, // 374.625
		{"USD", 0, 1000_00, 0, 0},
		{"USD", 10, -50_00, 5, 5}, // .99 would be ten times the price
		{"USD", 10, 0, 10, 10},
		{"USD", 60, 0, 60, 99},
		{"USD", 1, -99_00, 0, 0},
		{"USD", 998, -50, 993, 993},    // 9.99 is above the price
		{"USD", 1045, 20, 1047, 1047},  // 9.99 is below the price
		{"USD", 150, -10_00, 135, 135}, // .99 is three times as far
		{"USD", 250, -20_00, 200, 199},
		{"JPY", 40, -99_00, 0, 0},
		{"USD", 1099, 0, 1099, 1099},
		{"USD", 1049, 0, 1049, 1099}, // half way
		{"USD", 1048, 0, 1048, 999},
		{"JPY", 1000, 10_00, 1100, 1100}, // no decimals
		{"KWD", 1000, 10_00, 1100, 1100}, // .990 is below the price
		{"KWD", 1500, -10_00, 1350, 1350},
		{"KWD", 5000, -10_00, 4500, 4990},
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

// For any price and change in any currency, a lower price is never above the old one, a higher one never below it, and
// rounding to .99 moves the price by at most half a unit and by no more than the change.
func TestPriceChange_KeepsDirection(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		by := rapid.Int64Range(cards.MinPriceChange, cards.MaxPriceChange).Draw(t, "by")
		currency := rapid.SampledFrom([]string{"JPY", "USD", "KWD"}).Draw(t, "currency")
		largest := rapid.SampledFrom([]int64{20, 3000, 1_000_000, money.Max}).Draw(t, "largest")
		old := money.Money{Amount: rapid.Int64Range(0, largest).Draw(t, "amount"), Currency: currency}
		exact := cards.PriceChange{Hundredths: by}.Of(old).Amount
		got := cards.PriceChange{Hundredths: by, To99: true}.Of(old).Amount
		for _, price := range []int64{exact, got} {
			if by < 0 && price > old.Amount || by > 0 && price < old.Amount || by == 0 && exact != old.Amount {
				t.Fatalf("%v by %d: got %d, exactly %d", old, by, got, exact)
			}
		}
		unit := map[string]int64{"JPY": 1, "USD": 100, "KWD": 1000}[currency]
		moved := max(got-exact, exact-got)
		if moved != 0 && (currency == "JPY" || (got+unit/100)%unit != 0 || moved > unit/2) {
			t.Fatalf("%v by %d: got %d, exactly %d", old, by, got, exact)
		}
		if by != 0 && moved > max(exact-old.Amount, old.Amount-exact) {
			t.Fatalf("%v by %d: got %d, exactly %d", old, by, got, exact)
		}
	})
}

// A percentage that rounds to 0 keeps its direction too.
func TestChangeBy_SmallPercentages(t *testing.T) {
	t.Parallel()
	price := money.Money{Amount: 60, Currency: "USD"}
	for percent, want := range map[float64]int64{
		-0.004: 60, 0.004: 60, -0.0049999: 60, 1e-300: 60, 0: 99, -0.01: 60, 40: 99,
	} {
		if got := cards.ChangeBy(percent, true).Of(price); got.Amount != want {
			t.Errorf("%v by %g %%, rounded to .99: got %d, want %d", price, percent, got.Amount, want)
		}
	}
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
	price = usd(1)
	lower := cards.PriceChange{Hundredths: -99_00}
	if err := lower.Apply(&card, money.Money{}, time.Now()); !fault.Is(err, fault.InvalidRequest) ||
		!strings.Contains(err.Error(), "0.01 USD") || card.Pricing.AskingPrice.Amount != 1 {
		t.Errorf("below one cent: %v and %v, want invalid_request and the price before", err, card.Pricing.AskingPrice)
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
