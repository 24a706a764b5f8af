package listings

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/money"
)

func dollars(cents int64) money.Money { return money.Money{Amount: cents, Currency: "USD"} }

// inState returns a listing at 12.50 with the title Fox.
func inState(status Status, revision RevisionStatus) Listing {
	l := Listing{Status: status, Title: "Fox", Price: dollars(1250), Version: 3, Revision: Revision{Status: revision}}
	if revision == RevisionFailed {
		l.Revision.Failure = &Failure{"no_way", "Not here."}
	}
	return l
}

func TestListing_Revise(t *testing.T) {
	t.Parallel()
	price, same := dollars(999), dollars(1250)
	euros := UpdateInput{Price: &money.Money{Amount: 999, Currency: "EUR"}}
	title, sameTitle := " Ember Fox ", "Fox"
	both := UpdateInput{&same, &sameTitle}
	for name, tc := range map[string]struct {
		from Listing
		in   UpdateInput
		want string // title and price of a new revision; "" for no change
		code fault.Code
	}{
		"price":              {inState(Live, RevisionNone), UpdateInput{Price: &price}, "Fox 9.99 USD", ""},
		"title":              {inState(Live, RevisionNone), UpdateInput{nil, &title}, "Ember Fox 12.50 USD", ""},
		"both":               {inState(Live, RevisionDone), UpdateInput{&price, &title}, "Ember Fox 9.99 USD", ""},
		"while pending":      {inState(Live, RevisionPending), UpdateInput{Price: &price}, "Fox 9.99 USD", ""},
		"nothing":            {inState(Live, RevisionNone), UpdateInput{}, "", ""},
		"same values":        {inState(Live, RevisionDone), both, "", ""},
		"same while pending": {inState(Live, RevisionPending), both, "", ""},
		"same after failure": {inState(Live, RevisionFailed), both, "Fox 12.50 USD", ""},
		"nothing after one":  {inState(Live, RevisionFailed), UpdateInput{}, "", ""},
		"other currency":     {inState(Live, RevisionNone), euros, "", fault.InvalidRequest},
		"publishing":         {inState(Publishing, RevisionNone), UpdateInput{}, "", fault.ListingNotLive},
		"ending":             {inState(Ending, RevisionDone), UpdateInput{Price: &same}, "", fault.ListingNotLive},
		"sold":               {inState(Sold, RevisionNone), UpdateInput{Title: &title}, "", fault.ListingNotLive},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := tc.from.revise(tc.in)
			switch {
			case tc.code != "":
				if !fault.Is(err, tc.code) {
					t.Errorf("got %+v, %v, want %s", got, err, tc.code)
				}
			case tc.want == "":
				if err != nil || got != tc.from {
					t.Errorf("got %+v, %v, want no change", got, err)
				}
			case err != nil || got.Title+" "+got.Price.String() != tc.want || got.Version != 4 || got.Status != Live ||
				got.Revision != Revision{Status: RevisionPending}:
				t.Errorf("got %+v, %v, want a pending revision to %s", got, err, tc.want)
			}
		})
	}
}

func TestListing_Answered(t *testing.T) {
	t.Parallel()
	pending := inState(Live, RevisionPending)
	sent := marketplaces.Offer{Title: "Fox", Price: dollars(1250)}
	older, otherTitle := sent, sent
	older.Price, otherTitle.Title = dollars(1), "Ember Fox"
	no := &Failure{"no_way", "Not here."}
	for name, tc := range map[string]struct {
		from    Listing
		sent    marketplaces.Offer
		failure *Failure
		want    RevisionStatus // "" for no change
	}{
		"done":               {pending, sent, nil, RevisionDone},
		"refused":            {pending, sent, no, RevisionFailed},
		"older price":        {pending, older, nil, ""},
		"older price fails":  {pending, older, no, ""},
		"older title":        {pending, otherTitle, nil, ""},
		"answered before":    {inState(Live, RevisionDone), sent, nil, ""},
		"ending in between":  {inState(Ending, RevisionNone), sent, nil, ""},
		"ending, and failed": {inState(Ending, RevisionNone), sent, no, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := tc.from.answered(tc.sent, tc.failure)
			if tc.want == "" {
				if len(path) > 0 {
					t.Errorf("got %+v, want no change", path)
				}
				return
			}
			want := Revision{Status: tc.want, Failure: tc.failure}
			if len(path) != 1 || path[0].Revision != want || path[0].Version != 4 {
				t.Fatalf("got %+v, want %s", path, tc.want)
			}
			if fired := path[0].events(events.Card{}); len(fired) != 1 || fired[0].Kind() != events.KindListingUpdated {
				t.Errorf("fired %+v, want listing.updated", fired)
			}
		})
	}
}

// A listing that leaves live has no pending revision. The result of an earlier one stays.
func TestListing_LeavesLiveWithoutPendingRevision(t *testing.T) {
	t.Parallel()
	for from, want := range map[RevisionStatus]RevisionStatus{
		RevisionNone: RevisionNone, RevisionPending: RevisionNone, RevisionDone: RevisionDone,
		RevisionFailed: RevisionFailed,
	} {
		l := inState(Live, from)
		for name, path := range map[string][]Listing{
			"sold":   transitions(l, atSold, soldAt),
			"ended":  transitions(l, closed, soldAt),
			"ending": {l.to(Ending)},
		} {
			if len(path) != 1 || path[0].Revision.Status != want {
				t.Errorf("%s with a revision that is %s: got %+v, want %s", name, from, path, want)
			}
		}
	}
}

// reprice patches the asking price of the listing's card.
func (s *shop) reprice(l Listing, price money.Money) {
	s.t.Helper()
	patch := cards.Patch{AskingPrice: cards.Set(price)}
	if _, err := s.cards.Update(s.t.Context(), s.account, l.CardID, patch, nil); err != nil {
		s.t.Fatal(err)
	}
}

// wantRevision checks the price and the revision of a live listing, the asking price of its card, and what the
// marketplace offers.
func (s *shop) wantRevision(l Listing, status RevisionStatus, price money.Money, offered string) Listing {
	s.t.Helper()
	l = s.want(l, Live)
	if l.Revision.Status != status || l.Price != price || *s.cardOf(l).Pricing.AskingPrice != price {
		s.t.Fatalf("got %+v of a card at %v, want a revision to %v that is %s",
			l, *s.cardOf(l).Pricing.AskingPrice, price, status)
	}
	if got := s.offered(l); got != offered {
		s.t.Fatalf("the marketplace offers %q, want %q", got, offered)
	}
	return l
}

const name = "Dawn of Cinders Ember Fox 54/167 NM" // the title of the listings

func TestRevision_FollowsAskingPrice(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.subscribe()
	l := s.live()
	s.reprice(l, dollars(999))
	pending := s.wantRevision(l, RevisionPending, dollars(999), name+" 12.50")
	if card := s.cardOf(l); pending.Version != l.Version+1 || pending.UpdatedAt != card.UpdatedAt {
		t.Errorf("got version %d of %v, want %d of %v", pending.Version, pending.UpdatedAt, l.Version+1, card.UpdatedAt)
	}
	s.processDue()
	s.wantRevision(l, RevisionDone, dollars(999), name+" 9.99")
	data := s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.updated", "listing.updated")
	for i, status := range []string{"pending", "done"} {
		want := map[string]any{
			"listing_title": name, "price": map[string]any{"amount": 999.0, "currency": "USD"},
			"revision": map[string]any{"status": status, "failure": nil},
		}
		wantData(t, data[2+i], l, want)
	}
	if n := s.waiting(); n != 1 {
		t.Errorf("rows of work: got %d, want that of the next status check", n)
	}
}

func TestUpdate_ChangesListingAndCard(t *testing.T) {
	t.Parallel()
	s, ctx := setup(t), t.Context()
	s.subscribe()
	l := s.live()
	update := func(price *money.Money, title *string) Listing {
		t.Helper()
		updated, err := s.Update(ctx, s.account, l.ID, UpdateInput{price, title}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return updated
	}
	price, title := dollars(999), " Fire Fox "
	before := s.cardOf(l)
	updated := update(&price, &title)
	if diff := cmp.Diff(updated, s.want(l, Live)); diff != "" {
		t.Errorf("stored listing (-returned +stored):\n%s", diff)
	}
	s.processDue()
	done := s.wantRevision(l, RevisionDone, price, "Fire Fox 9.99")
	if diff := cmp.Diff(done, update(&price, nil)); diff != "" {
		t.Errorf("the same price changes the listing (-before +after):\n%s", diff)
	}
	card := s.cardOf(l)
	if card.Version != before.Version+1 || card.Pricing.PricedAt == before.Pricing.PricedAt {
		t.Errorf("got the card %+v, want a version with a new price after %+v", card, before)
	}
	next := "Ice Fox"
	update(nil, &next)
	s.processDue()
	s.wantRevision(l, RevisionDone, price, "Ice Fox 9.99")
	if after := s.cardOf(l); after.Version != card.Version {
		t.Errorf("a new title changed the card: got %+v, want %+v", after, card)
	}
	s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.updated", "listing.updated",
		"listing.updated", "listing.updated")
}

func TestUpdate_Refusals(t *testing.T) {
	t.Parallel()
	s, ctx := setup(t), t.Context()
	live, ending := s.live(), s.live()
	publishing := s.publish()
	if _, err := s.End(ctx, s.account, ending.ID, nil); err != nil {
		t.Fatal(err)
	}
	price, zero, long := dollars(1), dollars(0), strings.Repeat("x", 81)
	for name, tc := range map[string]struct {
		listing string
		in      UpdateInput
		match   Match
		code    fault.Code
	}{
		"publishing":    {publishing.ID, UpdateInput{Price: &price}, nil, fault.ListingNotLive},
		"ending":        {ending.ID, UpdateInput{Price: &price}, nil, fault.ListingNotLive},
		"price of zero": {live.ID, UpdateInput{Price: &zero}, nil, fault.InvalidRequest},
		"long title":    {live.ID, UpdateInput{Title: &long}, nil, fault.InvalidRequest},
		"malformed":     {"lst_x", UpdateInput{}, nil, fault.ListingNotFound},
		"other version": {
			live.ID, UpdateInput{Price: &price}, func(v int64) bool { return v == 9 }, fault.VersionMismatch,
		},
	} {
		if _, err := s.Update(ctx, s.account, tc.listing, tc.in, tc.match); !fault.Is(err, tc.code) {
			t.Errorf("%s: got %v, want %s", name, err, tc.code)
		}
	}
	for _, l := range []Listing{publishing, ending} {
		patch := cards.Patch{AskingPrice: cards.Set(price)}
		if _, err := s.cards.Update(ctx, s.account, l.CardID, patch, nil); !fault.Is(err, fault.CardListed) {
			t.Errorf("PATCH of a card with a listing that is %s: got %v, want card_listed", l.Status, err)
		}
	}
}

// An import that updates a card revises its listing, and one that changes nothing does not.
func TestRevision_Import(t *testing.T) {
	t.Parallel()
	s, ctx := setup(t), t.Context()
	l := s.live()
	known := cards.Patch{ExternalID: cards.Set("shop-1")}
	if _, err := s.cards.Update(ctx, s.account, l.CardID, known, nil); err != nil {
		t.Fatal(err)
	}
	for _, want := range []RevisionStatus{RevisionPending, RevisionDone} {
		drafts := []cards.Draft{
			{Patch: cards.Patch{Title: cards.Set("Frost Fox")}},
			{Patch: cards.Patch{ExternalID: cards.Set("shop-1"), AskingPrice: cards.Set(dollars(999))}},
		}
		if _, err := s.cards.Import(ctx, s.account, drafts, cards.UpdateConflict, nil); err != nil {
			t.Fatal(err)
		}
		if got := s.want(l, Live); got.Revision.Status != want || got.Price != dollars(999) {
			t.Errorf("got %+v, want a revision to 9.99 that is %s", got, want)
		}
		s.processDue()
	}
	s.wantRevision(l, RevisionDone, dollars(999), name+" 9.99")
}

// The prices of many cards change together, and each listing has the time of its card.
func TestRevision_ManyCards(t *testing.T) {
	t.Parallel()
	s, ctx := setup(t), t.Context()
	s.subscribe()
	list := []Listing{s.live(), s.live(), s.live()}
	items := []cards.PatchItem{{CardID: s.card().ID, Patch: cards.Patch{AskingPrice: cards.Set(dollars(1))}}}
	for i, l := range list {
		items = append(items, cards.PatchItem{
			CardID: l.CardID, Patch: cards.Patch{AskingPrice: cards.Set(dollars(int64(100 + i)))},
		})
	}
	items = append(items, cards.PatchItem{
		CardID: s.publish().CardID, Patch: cards.Patch{AskingPrice: cards.Set(dollars(1))},
	})
	results, err := s.cards.UpdateMany(ctx, s.account, items, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := results[4].Err; !fault.Is(err, fault.CardListed) {
		t.Errorf("card that is being published: got %v, want card_listed", err)
	}
	for i, l := range list {
		if got := s.want(l, Live); results[i+1].Err != nil || got.UpdatedAt != results[i+1].Card.UpdatedAt {
			t.Errorf("card %d: got %+v and a listing of %v, want one time", i, results[i+1], got.UpdatedAt)
		}
	}
	s.processDue()
	for i, l := range list {
		s.wantRevision(l, RevisionDone, dollars(int64(100+i)), fmt.Sprintf("%s 1.0%d", name, i))
		s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.updated", "listing.updated")
	}
}
