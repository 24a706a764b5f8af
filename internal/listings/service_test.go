package listings

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
)

func TestPublish_DefaultsToCardValues(t *testing.T) {
	t.Parallel()
	s, ctx := setup(t), t.Context()
	l := s.publish()
	want := Listing{
		AccountID: s.account, ID: l.ID, CardID: l.CardID, Marketplace: "sandbox", Status: Publishing,
		Title: "Dawn of Cinders Ember Fox 54/167 NM", Price: money.Money{Amount: 1250, Currency: "USD"},
		Revision: Revision{Status: RevisionNone},
		Version:  1, CreatedAt: l.CreatedAt, UpdatedAt: l.CreatedAt,
	}
	if diff := cmp.Diff(want, l); diff != "" {
		t.Fatalf("Publish (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(l, s.want(l, Publishing)); diff != "" {
		t.Fatalf("stored listing (-returned +stored):\n%s", diff)
	}
	price, name, title := money.Money{Amount: 5, Currency: "EUR"}, "ebay", " Fox "
	in := PublishInput{Marketplace: &name, Price: &price, Title: &title}
	l, err := s.Publish(ctx, s.account, strings.ToUpper(s.card().ID), in, false, nil)
	if err != nil || l.Price != price || l.Marketplace != "ebay" || l.Title != "Fox" {
		t.Fatalf("Publish with all options: got %+v, %v", l, err)
	}
	if card := s.cardOf(l); *card.Pricing.AskingPrice != price {
		t.Errorf("asking price: got %v, want that of the listing", *card.Pricing.AskingPrice)
	}
	l, err = s.Publish(ctx, s.account, s.card().ID, PublishInput{}, false, nil)
	if err != nil || l.Marketplace != "ebay" {
		t.Fatalf("Publish without options: got %+v, %v, want the default marketplace ebay", l, err)
	}
}

func TestPublish_InvalidInput(t *testing.T) {
	t.Parallel()
	s := setup(t)
	card := s.card()
	ebay, other, blank, long := "ebay", "other", " ", strings.Repeat("x", 81)
	priced := func(amount int64, currency string) PublishInput {
		return PublishInput{Price: &money.Money{Amount: amount, Currency: currency}}
	}
	for name, tc := range map[string]struct {
		card string
		in   PublishInput
		code fault.Code
	}{
		"malformed card":             {"card_x", PublishInput{}, fault.CardNotFound},
		"unknown card":               {id.New(id.Card, time.Now()), PublishInput{}, fault.CardNotFound},
		"ebay for a sandbox account": {card.ID, PublishInput{Marketplace: &ebay}, fault.InvalidRequest},
		"no such marketplace":        {card.ID, PublishInput{Marketplace: &other}, fault.InvalidRequest},
		"negative price":             {card.ID, priced(-1, "USD"), fault.InvalidRequest},
		"price of zero":              {card.ID, priced(0, "USD"), fault.InvalidRequest},
		"no currency":                {card.ID, priced(1, ""), fault.InvalidRequest},
		"blank title":                {card.ID, PublishInput{Title: &blank}, fault.InvalidRequest},
		"title of 81 characters":     {card.ID, PublishInput{Title: &long}, fault.InvalidRequest},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := s.Publish(t.Context(), s.account, tc.card, tc.in, true, nil)
			if !fault.Is(err, tc.code) || l != (Listing{}) {
				t.Errorf("Publish: got %+v, %v, want %s", l, err, tc.code)
			}
		})
	}
	if n := s.waiting(); n != 0 {
		t.Errorf("rows of work: got %d, want none", n)
	}
}

func TestService_Marketplaces(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for _, tc := range []struct {
		name       string
		sandbox    bool
		connection Connection
		want       []string
	}{
		{"an account", false, nil, []string{"sandbox", "ebay"}},
		{"a sandbox account", true, connection{used: true}, []string{"sandbox"}},
		{"a connected account", false, connection{used: true},
			[]string{"ebay", "sandbox"}},
		{"an account that is not connected", false, connection{}, []string{"sandbox"}},
	} {
		s.cfg.Default = "sandbox"
		s.cfg.Markets["ebay"] = Market{Seller: s.seller, Connection: tc.connection}
		got, err := s.Marketplaces(t.Context(), s.account, tc.sandbox)
		if diff := cmp.Diff(tc.want, got); diff != "" || err != nil {
			t.Errorf("of %s: %v (-want +got):\n%s", tc.name, err, diff)
		}
		first, err := s.DefaultMarketplace(t.Context(), s.account, tc.sandbox)
		if err != nil || first != tc.want[0] {
			t.Errorf("default of %s: got %s, %v, want %s", tc.name, first, err, tc.want[0])
		}
	}
}

// connection is a Connection in a fixed state.
type connection struct {
	used  bool
	ready error
}

func (c connection) Used(context.Context, string) (bool, error) { return c.used, nil }
func (c connection) Ready(context.Context, string) error        { return c.ready }

func TestPublish_NotConnected(t *testing.T) {
	t.Parallel()
	s, ebay := setup(t), "ebay"
	problem := fault.Invalid("marketplace", "connect the account")
	s.cfg.Default = "sandbox"
	s.cfg.Markets[ebay] = Market{Seller: s.seller, Connection: connection{true, problem}}
	for name, asked := range map[string]*string{"named": &ebay, "by default": nil} {
		_, err := s.Publish(t.Context(), s.account, s.card().ID, PublishInput{Marketplace: asked}, false, nil)
		if !fault.Is(err, fault.InvalidRequest) {
			t.Errorf("Publish on a marketplace %s that is not ready: got %v, want the problem", name, err)
		}
	}
	if n := s.waiting(); n != 0 {
		t.Errorf("rows of work: got %d, want none", n)
	}
	there := "sandbox"
	l, err := s.Publish(t.Context(), s.account, s.card().ID, PublishInput{Marketplace: &there}, false, nil)
	if err != nil || l.Marketplace != there {
		t.Errorf("Publish on another marketplace = %+v, %v", l, err)
	}
}

func TestPublish_CardThatCannotBeListed(t *testing.T) {
	t.Parallel()
	s, ctx := setup(t), t.Context()
	price := cards.Set(money.Money{Amount: 1, Currency: "USD"})
	bare, err := s.cards.Create(ctx, s.account, []cards.Draft{
		{},
		{Patch: cards.Patch{Title: cards.Set("Ember Fox")}},
		{Patch: cards.Patch{Title: cards.Set("Ember Fox"), AskingPrice: price}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	free, archived, yes := s.card(), s.card(), true
	for card, patch := range map[string]cards.Patch{
		free.ID: {AskingPrice: cards.Set(money.Money{Currency: "USD"})}, archived.ID: {Archived: &yes},
	} {
		if _, err := s.cards.Update(ctx, s.account, card, patch, nil); err != nil {
			t.Fatal(err)
		}
	}
	sold := s.live()
	s.visit(sold, "buy")
	s.poll()
	for name, tc := range map[string]struct {
		card string
		code fault.Code
	}{
		"not identified": {bare[0].ID, fault.CardNotIdentified},
		"not priced":     {bare[1].ID, fault.CardNotPriced},
		"no photo":       {bare[2].ID, fault.CardHasNoPhoto},
		"price of zero":  {free.ID, fault.CardNotPriced},
		"archived":       {archived.ID, fault.CardArchived},
		"sold":           {sold.CardID, fault.CardSold},
		"listed":         {s.live().CardID, fault.CardAlreadyListed},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.Publish(ctx, s.account, tc.card, PublishInput{}, true, nil)
			if !fault.Is(err, tc.code) {
				t.Errorf("Publish: got %v, want %s", err, tc.code)
			}
		})
	}
}

// The price of the request makes a card without an asking price a priced one.
func TestPublish_PricesCard(t *testing.T) {
	t.Parallel()
	s := setup(t)
	card := s.card()
	none := cards.Patch{AskingPrice: cards.Clear[money.Money]()}
	if _, err := s.cards.Update(t.Context(), s.account, card.ID, none, nil); err != nil {
		t.Fatal(err)
	}
	price := money.Money{Amount: 990, Currency: "EUR"}
	l, err := s.Publish(t.Context(), s.account, card.ID, PublishInput{Price: &price}, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	l = s.processed(l, Live)
	card = s.cardOf(l)
	if l.Price != price || *card.Pricing.AskingPrice != price || *card.Pricing.PricedAt != l.CreatedAt {
		t.Errorf("got a listing at %v of a card at %+v, want %v", l.Price, card.Pricing, price)
	}
	s.wantEvents(card.ID, "priced→identified", "identified→priced", "listing.published", "priced→listed")
}

// Many concurrent requests create one listing, and the others get an error.
func TestPublish_ConcurrentRequestsCreateOneListing(t *testing.T) {
	t.Parallel()
	s, card := setup(t), cards.Card{}
	card = s.card()
	const clicks = 8
	errs := make([]error, clicks)
	var wait sync.WaitGroup
	for i := range clicks {
		wait.Go(func() { _, errs[i] = s.Publish(t.Context(), s.account, card.ID, PublishInput{}, true, nil) })
	}
	wait.Wait()
	accepted := 0
	for _, err := range errs {
		switch {
		case err == nil:
			accepted++
		case !fault.Is(err, fault.CardAlreadyListed):
			t.Error(err)
		}
	}
	s.processDue()
	if accepted != 1 || s.atMarket("live") != 1 {
		t.Errorf("got %d accepted requests and %d live listings, want 1 of each", accepted, s.atMarket("live"))
	}
}

func TestEnd(t *testing.T) {
	t.Parallel()
	s, ctx := setup(t), t.Context()
	waiting := s.publish()
	if _, err := s.End(ctx, s.account, waiting.ID, nil); !fault.Is(err, fault.ListingNotLive) {
		t.Errorf("End of a listing that is publishing: got %v, want listing_not_live", err)
	}
	l := s.processed(waiting, Live)
	first, err := s.End(ctx, s.account, strings.ToUpper(l.ID), nil)
	if err != nil || first.Status != Ending || first.Version != l.Version+1 {
		t.Fatalf("End: got %+v, %v, want it ending in version %d", first, err, l.Version+1)
	}
	again, err := s.End(ctx, s.account, l.ID, nil)
	if err != nil || again.Status != Ending || again.Version != first.Version {
		t.Errorf("second End: got %+v, %v, want it unchanged", again, err)
	}
	s.processed(l, Ended)
	if _, err := s.End(ctx, s.account, l.ID, nil); !fault.Is(err, fault.ListingNotLive) {
		t.Errorf("End of a listing that has ended: got %v, want listing_not_live", err)
	}
	for _, unknown := range []string{"lst_x", id.New(id.Listing, time.Now())} {
		if _, err := s.End(ctx, s.account, unknown, nil); !fault.Is(err, fault.ListingNotFound) {
			t.Errorf("End(%s): got %v, want listing_not_found", unknown, err)
		}
	}
	if _, err := s.Get(ctx, "acc_another", l.ID); !fault.Is(err, fault.ListingNotFound) {
		t.Errorf("Get of another account's listing: got %v, want listing_not_found", err)
	}
}

func TestList_PagesAndFilters(t *testing.T) {
	t.Parallel()
	s, ctx := setup(t), t.Context()
	var newest []string
	for range 5 {
		newest = append([]string{s.publish().ID}, newest...)
	}
	s.processDue()
	ebay := "ebay"
	elsewhere, err := s.Publish(ctx, s.account, s.card().ID, PublishInput{Marketplace: &ebay}, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	newest = append([]string{elsewhere.ID}, newest...)
	third, err := s.Get(ctx, s.account, newest[3])
	if err != nil {
		t.Fatal(err)
	}
	byChange, nowhere := s.pages(Filter{UpdatedSince: &time.Time{}}, 50), "card_x"
	for name, tc := range map[string]struct {
		f    Filter
		want []string
	}{
		"all":         {Filter{}, newest},
		"status":      {Filter{Statuses: []Status{Publishing, Failed}}, newest[:1]},
		"live":        {Filter{Statuses: []Status{Live}}, newest[1:]},
		"marketplace": {Filter{Marketplace: &ebay}, newest[:1]},
		"card":        {Filter{Card: &third.CardID}, newest[3:4]},
		"no card":     {Filter{Card: &nowhere}, nil},
		"since":       {Filter{UpdatedSince: &third.UpdatedAt}, byChange[slices.Index(byChange, third.ID):]},
	} {
		for _, size := range []int{1, 2, 50} {
			t.Run(fmt.Sprintf("%s in pages of %d", name, size), func(t *testing.T) {
				if diff := cmp.Diff(tc.want, s.pages(tc.f, size)); diff != "" {
					t.Errorf("listings (-want +got):\n%s", diff)
				}
			})
		}
	}
	first, err := s.List(ctx, s.account, Filter{}, paging.Request{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.List(ctx, s.account, Filter{Marketplace: &ebay}, paging.Request{Cursor: *first.NextCursor})
	if !fault.Is(err, fault.InvalidCursor) {
		t.Errorf("List with the cursor of another list: got %v, want invalid_cursor", err)
	}
}

// pages reads a whole list in pages of the given size.
func (s *shop) pages(f Filter, size int) (ids []string) {
	s.t.Helper()
	for request := (paging.Request{Limit: size}); ; {
		p, err := s.List(s.t.Context(), s.account, f, request)
		if err != nil {
			s.t.Fatal(err)
		}
		for _, l := range p.Data {
			ids = append(ids, l.ID)
		}
		if p.NextCursor == nil {
			return ids
		}
		request.Cursor = *p.NextCursor
	}
}

func TestNew_SetsDefaultIntervals(t *testing.T) {
	t.Parallel()
	s := New(nil, setup(t).clock, paging.Cursors{}, nil, Config{})
	if got := fmt.Sprint(s.cfg.PollInterval, s.cfg.StatusInterval); got != "30s 15m0s" {
		t.Errorf("intervals: got %s, want 30s 15m0s", got)
	}
}
