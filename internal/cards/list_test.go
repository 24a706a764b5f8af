package cards_test

import (
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
)

func TestList_Filters(t *testing.T) {
	t.Parallel()
	i := setup(t)
	text := func(s string) *string { return &s }
	number := func(n int64) *int64 { return &n }
	made, err := i.cards.Create(t.Context(), i.account, []cards.Draft{
		{Patch: cards.Patch{
			SKU: cards.Set("a"), Title: cards.Set("Ember Fox"), Set: cards.Set("Dawn"), Game: cards.Set("other"),
			Number: cards.Set("1/9"), Condition: cards.Set("NM"), AskingPrice: cards.Set(usd(500)),
			Location: cards.Set("Room A/Shelf 2"), ExternalID: cards.Set("shop-1"), CatalogID: cards.Set("ember-1"),
			Language: cards.Set("en"), Grade: cards.Set(cards.Grade{Company: "PSA", Value: "9.5"}),
		}},
		{Patch: cards.Patch{
			SKU: cards.Set("b"), Title: cards.Set("Frost Fox 100%_\\"), AskingPrice: cards.Set(usd(900)),
			Location: cards.Set("Room A/Shelf 21"),
		}, Stored: []cards.Photo{{ID: "pho_1", Role: cards.RoleFront, Status: cards.PhotoReady}}},
		{Patch: cards.Patch{SKU: cards.Set("c"), Location: cards.Set("Room A/Shelf 2/Box 4")}},
		{Patch: cards.Patch{
			SKU: cards.Set("d"), Location: cards.Set("Room A"),
			AskingPrice: cards.Set(money.Money{Amount: 900, Currency: "JPY"}),
		}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	yes, no, priced := true, false, []cards.Status{cards.Priced}
	for name, tc := range map[string]struct {
		filter cards.Filter
		want   string
	}{
		"all":               {cards.Filter{}, "dcba"},
		"one status":        {cards.Filter{Statuses: []cards.Status{cards.Priced}}, "ba"},
		"two statuses":      {cards.Filter{Statuses: []cards.Status{cards.Priced, cards.Imported}}, "dcba"},
		"location":          {cards.Filter{Location: text("Room A/Shelf 2")}, "ca"},
		"outer location":    {cards.Filter{Location: text("Room A")}, "dcba"},
		"unknown location":  {cards.Filter{Location: text("Room")}, ""},
		"set":               {cards.Filter{Set: text("Dawn")}, "a"},
		"game":              {cards.Filter{Game: text("other")}, "a"},
		"number":            {cards.Filter{Number: text("1/9")}, "a"},
		"condition":         {cards.Filter{Condition: text("NM")}, "a"},
		"no identification": {cards.Filter{Identification: text("none")}, "dc"},
		"pending":           {cards.Filter{Identification: text("pending")}, ""},
		"sku":               {cards.Filter{SKU: text("b")}, "b"},
		"min price":         {cards.Filter{MinPrice: number(501)}, "b"},
		"max price":         {cards.Filter{MaxPrice: number(500)}, "a"},
		"currency":          {cards.Filter{Currency: text("JPY")}, "d"},
		"yen":               {cards.Filter{Currency: text("JPY"), MaxPrice: number(900)}, "d"},
		"external id":       {cards.Filter{ExternalID: text("shop-1")}, "a"},
		"no external id":    {cards.Filter{ExternalID: text("shop-2")}, ""},
		"ids":               {cards.Filter{IDs: []string{made[0].ID, made[2].ID, "x"}}, "ca"},
		"ids and status":    {cards.Filter{IDs: []string{made[0].ID, made[2].ID}, Statuses: priced}, "a"},
		"catalog id":        {cards.Filter{CatalogID: text("ember-1")}, "a"},
		"language":          {cards.Filter{Language: text("en")}, "a"},
		"grade":             {cards.Filter{Grade: text("PSA 9.5")}, "a"},
		"company":           {cards.Filter{Grade: text("PSA")}, "a"},
		"other grade":       {cards.Filter{Grade: text("PSA 9")}, ""},
		"ungraded":          {cards.Filter{Grade: text("none")}, "dcb"},
		"photo":             {cards.Filter{HasPhoto: &yes}, "b"},
		"no photo":          {cards.Filter{HasPhoto: &no}, "dca"},
		"word":              {cards.Filter{Query: text("FOX")}, "ba"},
		"words":             {cards.Filter{Query: text("fox emb")}, "a"},
		"LIKE characters":   {cards.Filter{Query: text(`100%_\`)}, "b"},
		"percent":           {cards.Filter{Query: text("e%x")}, ""},
		"quote":             {cards.Filter{Query: text("'; --")}, ""},
		"unknown batch":     {cards.Filter{Batch: text("bat_01k5w0q2m7t9c3r5v8x0z1b4d6")}, ""},
		"since tomorrow":    {cards.Filter{UpdatedSince: tomorrow()}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, err := i.cards.List(t.Context(), i.account, tc.filter, paging.Request{})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, c := range found.Data {
				got += *c.SKU
			}
			if got != tc.want {
				t.Errorf("SKUs %q, want %q", got, tc.want)
			}
		})
	}
}

func tomorrow() *time.Time {
	at := time.Now().Add(24 * time.Hour)
	return &at
}

func TestList_PagesHaveNoGapOrOverlap(t *testing.T) {
	t.Parallel()
	i, ctx := setup(t), t.Context()
	if _, err := i.cards.Create(ctx, i.account, make([]cards.Draft, 23), nil); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	request := paging.Request{Limit: 5}
	for pages := 1; ; pages++ {
		found, err := i.cards.List(ctx, i.account, cards.Filter{}, request)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range found.Data {
			if seen[c.ID] {
				t.Fatalf("%s is on two pages", c.ID)
			}
			seen[c.ID] = true
		}
		if found.NextCursor == nil {
			if pages != 5 || len(seen) != 23 {
				t.Fatalf("%d cards on %d pages, want 23 on 5", len(seen), pages)
			}
			break
		}
		request.Cursor = *found.NextCursor
	}
	other := onMachine(t, i.db, clock.System, "")
	for name, list := range map[string]func() error{
		"another account": func() error {
			_, err := other.cards.List(ctx, other.account, cards.Filter{}, request)
			return err
		},
		"another filter": func() error {
			_, err := i.cards.List(ctx, i.account, cards.Filter{Statuses: []cards.Status{cards.Sold}}, request)
			return err
		},
	} {
		if err := list(); !fault.Is(err, fault.InvalidCursor) {
			t.Errorf("cursor in the list of %s: %v, want invalid_cursor", name, err)
		}
	}
}

// A job of an earlier version may have stored a blank search. It selects no card.
func TestFilter_BlankQuerySelectsNothing(t *testing.T) {
	t.Parallel()
	inv := setup(t)
	inv.create(t, cards.Draft{})
	for _, text := range []string{"", " ", "\u00a0\u3000"} {
		filter := cards.Filter{Query: &text}
		found, next, err := inv.cards.Walk(t.Context(), inv.account, filter, cards.Until(time.Now().Add(time.Hour)))
		if err != nil || len(found) > 0 || next != nil {
			t.Errorf("%q: got %v, %v, %v, want no card", text, found, next, err)
		}
		_, err = inv.cards.List(t.Context(), inv.account, filter, paging.Request{})
		if !fault.Is(err, fault.InvalidRequest) {
			t.Errorf("List by %q: got %v, want it refused", text, err)
		}
	}
}
