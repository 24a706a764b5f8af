package cardlist

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
)

func TestParseColumns(t *testing.T) {
	t.Parallel()
	standard := "status condition price cost margin location updated"
	for query, want := range map[string]string{ // the names, or the beginning of the message
		"":                            standard,
		"columns=":                    standard,
		"columns=sku":                 "sku",
		"columns=updated,set":         "set updated",
		"columns=updated&columns=set": "set updated",
		"columns=set,set":             "set",
		"columns=set,colour":          "columns: must be some of set, number, game",
		"columns=,":                   "columns: must be some of set, number, game",
		"columns=SKU":                 "columns: must be some of set, number, game",
		"columns=" + url.QueryEscape(columnNames()): "columns: must be some of set", // spaces
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		columns, err := parseColumns(withOneValue(values, "columns"))
		var got []string
		for _, c := range columns {
			got = append(got, c.Name)
		}
		text := strings.Join(got, " ")
		if f, failed := fault.As(err); failed {
			text = f.Message[:min(len(f.Message), len(want))]
		}
		if text != want {
			t.Errorf("%q: got %q, want %q", query, text, want)
		}
	}
	for _, name := range defaultColumns {
		if !strings.Contains(columnNames(), name) {
			t.Errorf("the default column %q does not exist", name)
		}
	}
}

// Each column shows its field of a card. The template shows those without a text.
func TestCardsPage_Cells(t *testing.T) {
	t.Parallel()
	text := func(s string) *string { return &s }
	at := time.Date(2026, 5, 12, 9, 0, 0, 0, time.UTC)
	card := listedCard{batches: map[string]string{"bat_1": "Fair"}, Card: &cards.Card{
		ID: "card_1", Status: cards.Priced, CreatedAt: at, UpdatedAt: at.Add(time.Hour),
		Pricing: cards.Pricing{
			AskingPrice: &money.Money{Amount: 1500, Currency: "USD"}, Cost: &money.Money{Amount: 1000, Currency: "USD"},
			FloorPrice: &money.Money{Amount: 1200, Currency: "USD"},
		},
		Location: text("Box 4"), SKU: text("S-1"), ExternalID: text("E-1"), BatchID: text("bat_1"),
		Listing: &cards.ListingRef{ID: "lst_1", Status: cards.ListingLive},
		Identification: cards.Identification{Description: cards.Description{
			Set: text("Base"), Number: text("4/102"), Game: text("pokemon"), Language: text("en"),
			Condition: text("NM"), Grade: &cards.Grade{Company: "PSA", Value: "10"},
		}},
	}}
	p := cardsPage{Columns: cardColumns, Query: url.Values{"status": {"priced"}}}
	row := p.row(card, p.origin()+"7", "")
	got := map[string]string{}
	for i, c := range row.Cells {
		got[cardColumns[i].Name] = strings.TrimSpace(c.Text + " " + string(c.Status) + c.Time + c.Address)
	}
	want := map[string]string{
		"set": "Base", "number": "4/102", "game": "Pokémon", "language": "en", "status": "priced priced",
		"condition": "PSA 10", "grade": "PSA 10", "price": "$15.00", "cost": "$10.00", "margin": "+50\u00a0%",
		"floor":    "$12.00",
		"location": "Box 4", "batch": "Fair /batches/bat_1", "sku": "S-1", "external_id": "E-1",
		"listing": "live /listings/lst_1", "created": "12 May 2026 09:00 UTC 2026-05-12T09:00:00Z",
		"updated": "12 May 2026 10:00 UTC 2026-05-12T10:00:00Z",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
	if row.Below != "" {
		t.Errorf("below the title beside columns for set and number: got %q", row.Below)
	}
	if want := "/cards/card_1?from=status%3Dpriced&row=7"; row.Address != want {
		t.Errorf("address: got %q, want %q", row.Address, want)
	}
	if got := (&cardsPage{}).below(card); got != "Base 4/102" {
		t.Errorf("below the title: got %q, want the set and the number", got)
	}
	empty := p.row(listedCard{Card: &cards.Card{}}, "", "")
	for i, c := range empty.Cells {
		if c.Address != "" || c.Text != "" && c.Text != "–" && c.Time == "" {
			t.Errorf("column %s of an empty card: got %+v", cardColumns[i].Name, c)
		}
	}
}

func TestSortHead(t *testing.T) {
	t.Parallel()
	price := cardColumns[slices.IndexFunc(cardColumns, func(c column) bool { return c.Name == "price" })]
	for query, want := range map[string]list.Head{
		"":                                  {Address: "/cards?sort=-price"},
		"sort=-price":                       {Address: "/cards?sort=price", Order: "descending"},
		"sort=price":                        {Address: "/cards?sort=-price", Order: "ascending"},
		"sort=title&cursor=x&columns=price": {Address: "/cards?columns=price&sort=-price"},
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		want.Label, want.Figure = "Asking price", true
		if diff := cmp.Diff(want, price.Head("/cards", values)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", query, diff)
		}
	}
}
