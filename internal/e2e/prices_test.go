package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/demo"
)

// priceResult is an item of the response to POST /price-lookup with card_ids.
type priceResult struct {
	itemResult
	Estimate json.RawMessage
}

// lookUp looks up the prices of cards and returns the result of each.
func (c *client) lookUp(cardIDs ...string) (results []priceResult, r response) {
	c.t.Helper()
	var list listOf[priceResult]
	r = c.do("POST", "/price-lookup", `{"card_ids":["`+strings.Join(cardIDs, `","`)+`"]}`)
	r.want(c.t, http.StatusOK, &list)
	return list.Data, r
}

func pricesOf(results []priceResult) string {
	items := make([]itemResult, len(results))
	for i, r := range results {
		items[i] = r.itemResult
	}
	return codes(items)
}

func TestPriceLookup_Many(t *testing.T) {
	t.Parallel()
	s := start(t)
	installDemo(t, s)
	c := s.client(t, false)
	name := demo.Drawings()[3].Art.Name
	known := c.create(`{"identification":{"title":"` + name + `"}}`).ID
	blank := c.create(`{}`).ID
	priceless := c.create(`{"identification":{"title":"No such card anywhere"}}`).ID
	got, first := c.lookUp(strings.ToUpper(known), unknownCard, blank, priceless)
	want := "200, 404 card_not_found, 409 card_not_identified, 422 no_price_found"
	if pricesOf(got) != want {
		t.Fatalf("got %s, want %s", pricesOf(got), want)
	}
	one := c.do("POST", "/price-lookup", `{"card_id":"`+known+`"}`).want(t, http.StatusOK, nil)
	if single := strings.TrimSpace(string(one.body)); string(got[0].Estimate) != single {
		t.Errorf("estimate: got %s, want that of the card alone: %s", got[0].Estimate, single)
	}
	for i, cardID := range []string{strings.ToUpper(known), unknownCard, blank, priceless} {
		if got[i].ID != cardID || i > 0 && string(got[i].Estimate) != "null" {
			t.Errorf("result %d: got %s with %s, want %s", i, got[i].ID, got[i].Estimate, cardID)
		}
	}
	if left, before := remaining(t, one), remaining(t, first); left != before-1 {
		t.Errorf("remaining requests: got %d and then %d, want one less, as for one card", before, left)
	}
}

// TestJobs_PriceChangeOfEstimates prices cards by their estimates. Those without one are refused, as by the look-up.
func TestJobs_PriceChangeOfEstimates(t *testing.T) {
	t.Parallel()
	s := start(t)
	installDemo(t, s)
	c := s.client(t, false)
	known := c.create(`{"identification":{"title":"` + demo.Drawings()[3].Art.Name + `"}}`).ID
	blank := c.create(`{}`).ID
	var estimate struct{ Price struct{ Amount int64 } }
	c.do("POST", "/price-lookup", `{"card_id":"`+known+`"}`).want(t, http.StatusOK, &estimate)
	done, refused := c.run(`{"kind":"update","card_ids":["` + known + `","` + blank + `"],
		"price_change":{"of":"estimate","percent":50}}`)
	if done.Done != 1 || len(refused) != 1 || refused[blank] != "card_not_identified" {
		t.Errorf("got %+v and %+v, want one card priced and one refused", done, refused)
	}
	want := (estimate.Price.Amount*3 + 1) / 2
	if got := c.get(known).Pricing.AskingPrice; got == nil || got.Amount != want {
		t.Errorf("asking price: got %+v, want %d", got, want)
	}
}

// TestJobs_PriceChangeKeepsPricesAboveZero lowers prices of less than a unit: none rises to .99, and none becomes 0.
func TestJobs_PriceChangeKeepsPricesAboveZero(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	for _, tc := range []struct {
		currency             string
		price, percent, want int64
	}{
		{"USD", 10, -50, 5}, {"USD", 0, -50, 0}, {"USD", 1, -99, 1}, {"JPY", 40, -99, 40}, {"KWD", 1500, -10, 1350},
	} {
		cardID := c.create(fmt.Sprintf(`{"identification":{"title":"Ten"},
			"pricing":{"asking_price":{"amount":%d,"currency":"%s"}}}`, tc.price, tc.currency)).ID
		done, refused := c.run(fmt.Sprintf(`{"kind":"update","card_ids":["%s"],
			"price_change":{"percent":%d,"round_to_99":true}}`, cardID, tc.percent))
		if kept := tc.want == tc.price; kept != (refused[cardID] == "invalid_request") || kept == (done.Done == 1) {
			t.Errorf("%+v: %d done, refused %v; want a refusal of a price that cannot change", tc, done.Done, refused)
		}
		if got := c.get(cardID).Pricing.AskingPrice; got == nil || got.Amount != tc.want {
			t.Errorf("%+v: got %+v", tc, got)
		}
	}
}

// remaining returns the requests that the limit still allows.
func remaining(t testing.TB, r response) int {
	t.Helper()
	n, err := strconv.Atoi(r.header.Get("X-RateLimit-Remaining"))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestPriceLookup_FiftyCards sends the largest request. It counts once against the limit of the class ai.
func TestPriceLookup_FiftyCards(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	var made listOf[card]
	cards := `{"cards":[{"identification":{"title":"x"},"copies":50}]}`
	c.do("POST", "/cards", cards).want(t, http.StatusCreated, &made)
	ids := make([]string, len(made.Data))
	for i := range made.Data {
		ids[i] = made.Data[i].ID
	}
	results, r := c.lookUp(ids...)
	if len(results) != 50 || results[49].ID != ids[49] || results[49].code() != "no_price_found" {
		t.Errorf("got %d results, the last %+v, want 50", len(results), results[len(results)-1])
	}
	_, again := c.lookUp(ids...)
	if remaining(t, r)-remaining(t, again) != 1 {
		t.Errorf("remaining requests: got %d and then %d, want one less", remaining(t, r), remaining(t, again))
	}
}

// TestPriceLookup_ForeignIdentifiers looks up another account's card together with an own one.
func TestPriceLookup_ForeignIdentifiers(t *testing.T) {
	t.Parallel()
	s := start(t)
	installDemo(t, s)
	draft := `{"identification":{"title":"` + demo.Drawings()[3].Art.Name + `"}}`
	theirs := s.client(t, false).create(draft).ID
	c := s.client(t, false)
	mine := c.create(draft).ID
	before := s.snapshot(t)
	foreign, _ := c.lookUp(theirs, mine)
	unknown, _ := c.lookUp(unknownCard, mine)
	if pricesOf(foreign) != "404 card_not_found, 200" || pricesOf(unknown) != pricesOf(foreign) {
		t.Errorf("got %s, and %s for an unknown card, want card_not_found for both",
			pricesOf(foreign), pricesOf(unknown))
	}
	s.unchanged(t, before)
}
