package cards_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/collation"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
)

// sorted walks a list page by page and returns the titles of its cards.
func (i inventory) sorted(t testing.TB, f cards.Filter) (ids []string) {
	t.Helper()
	for request := (paging.Request{Limit: 3}); ; {
		found, err := i.cards.List(t.Context(), i.account, f, request)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range found.Data {
			ids = append(ids, c.ID)
		}
		if found.NextCursor == nil {
			return ids
		}
		request.Cursor = *found.NextCursor
	}
}

// text draws a text that cards can have, or no value.
func text(t *rapid.T, name string) cards.Field[string] {
	if !rapid.Bool().Draw(t, name+"?") {
		return cards.Field[string]{}
	}
	long := strings.Repeat("Very long. ", 9)
	texts := []string{"Ember", "ember", "Émile", "Zinc", "漢字", "Box 2/Row 10", "Box 2 b", "Box 10", long, long + "x"}
	return cards.Set(rapid.SampledFrom(texts).Draw(t, name))
}

// price draws an asking price, or no value.
func price(t *rapid.T) cards.Field[money.Money] {
	currency := rapid.SampledFrom([]string{"", "USD", "JPY"}).Draw(t, "currency")
	if currency == "" {
		return cards.Field[money.Money]{}
	}
	return cards.Set(money.Money{Amount: rapid.Int64Range(0, 20).Draw(t, "amount"), Currency: currency})
}

// value returns the text, or "".
func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// keys are the texts by which cards are sorted.
var keys = map[string]func(cards.Card) string{
	"created_at": func(c cards.Card) string { return c.CreatedAt.Format(time.RFC3339Nano) },
	"updated_at": func(c cards.Card) string { return c.UpdatedAt.Format("2006-01-02T15:04:05.000000") },
	"title":      func(c cards.Card) string { return string(collation.Key(value(c.Identification.Title))) },
	"location": func(c cards.Card) string {
		if c.Location == nil {
			return ""
		}
		return string(collation.PathKey(*c.Location))
	},
	"price": func(c cards.Card) string {
		if p := c.Pricing.AskingPrice; p != nil {
			return fmt.Sprintf("%s %020d", p.Currency, p.Amount)
		}
		return ""
	},
}

// A list in any order has every card once, in order, also after cards have changed.
func TestList_Sort(t *testing.T) {
	t.Parallel()
	i := setup(t)
	rapid.Check(t, func(rt *rapid.T) {
		draw := func() cards.Patch {
			return cards.Patch{Title: text(rt, "title"), Location: text(rt, "location"), AskingPrice: price(rt)}
		}
		card := i.create(t, cards.Draft{Patch: draw()})
		if rapid.Bool().Draw(rt, "changed") {
			i.update(t, card.ID, draw())
		}
	})
	found := i.sorted(t, cards.Filter{})
	all := make([]cards.Card, len(found))
	for n, cardID := range found {
		all[n] = i.get(t, cardID)
	}
	for name, key := range keys {
		for _, sign := range []string{"", "-"} {
			t.Run(sign+name, func(t *testing.T) {
				slices.SortFunc(all, func(a, b cards.Card) int {
					order := cmp.Or(cmp.Compare(key(a), key(b)), cmp.Compare(a.ID, b.ID))
					if sign == "-" {
						return -order
					}
					return order
				})
				want := make([]string, len(all))
				for n, c := range all {
					want[n] = c.ID
				}
				if diff := gocmp.Diff(want, i.sorted(t, cards.Filter{Sort: sign + name})); diff != "" {
					t.Errorf("cards (-want +got):\n%s", diff)
				}
			})
		}
	}
}

func TestList_SortByPriceWithinCurrency(t *testing.T) {
	t.Parallel()
	i := setup(t)
	var want []string
	for amount := range int64(5) {
		yen := cards.Set(money.Money{Amount: amount, Currency: "JPY"})
		i.create(t, cards.Draft{Patch: cards.Patch{AskingPrice: yen}})
		card := i.create(t, cards.Draft{Patch: cards.Patch{AskingPrice: cards.Set(usd(amount))}})
		if amount >= 1 && amount <= 3 {
			want = append(want, card.ID)
		}
	}
	least, most := int64(1), int64(3)
	got := i.sorted(t, cards.Filter{Sort: "price", MinPrice: &least, MaxPrice: &most}) // in the account's currency
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("cards (-want +got):\n%s", diff)
	}
}

func TestList_SortIsChecked(t *testing.T) {
	t.Parallel()
	i := setup(t)
	since := fromTheStart
	for _, f := range []cards.Filter{{Sort: "colour"}, {Sort: "--price"}, {Sort: "price", UpdatedSince: &since}} {
		_, err := i.cards.List(t.Context(), i.account, f, paging.Request{})
		if !fault.Is(err, fault.InvalidRequest) {
			t.Errorf("List by %s = %v, want invalid_request", f.Sort, err)
		}
	}
	f := cards.Filter{Sort: "updated_at", UpdatedSince: &since}
	if _, err := i.cards.List(t.Context(), i.account, f, paging.Request{}); err != nil {
		t.Errorf("List by updated_at with updated_since = %v, want no error", err)
	}
}

// q finds a card by each of the texts, and by words of several of them.
func TestList_SearchedTexts(t *testing.T) {
	t.Parallel()
	i := setup(t)
	i.create(t, cards.Draft{Patch: cards.Patch{Title: cards.Set("Tide Crab")}})
	want := i.create(t, cards.Draft{Patch: cards.Patch{
		Title: cards.Set("Ember Fox"), Set: cards.Set("Dawn of Cinders"), Number: cards.Set("54/167"),
		SKU: cards.Set("EF-0054"), ExternalID: cards.Set("shop:7781"),
	}}).ID
	for _, words := range []string{"ember", "cinders", "54/167", "ef-0054", "SHOP:77", "fox dawn 54", "a o 7 ember"} {
		if got := i.sorted(t, cards.Filter{Query: &words}); !slices.Equal(got, []string{want}) {
			t.Errorf("q=%s finds %v, want %s", words, got, want)
		}
	}
	i.update(t, want, cards.Patch{SKU: cards.Set("OTHER")})
	before := "ef-0054"
	if got := i.sorted(t, cards.Filter{Query: &before}); len(got) != 0 {
		t.Errorf("q with the SKU of before finds %v, want none", got)
	}
}
