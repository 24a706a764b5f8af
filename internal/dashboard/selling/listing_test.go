package selling

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/marketplaces"
)

var nine = time.Date(2026, 5, 11, 9, 0, 0, 0, time.UTC)

func hoursLater(n int) time.Time { return nine.Add(time.Duration(n) * time.Hour) }

// listedRow returns a listing that was requested at nine and changed last at twelve.
func listedRow(status listings.Status, change func(*listings.Listing)) ListingRow {
	l := listings.Listing{
		ID: "lst_x", Marketplace: "sandbox", Status: status, Price: usd(500), CreatedAt: nine, UpdatedAt: hoursLater(3),
		Revision: listings.Revision{Status: listings.RevisionNone},
	}
	if change != nil {
		change(&l)
	}
	return ListingRow{Listing: l}
}

func TestListingRow_Steps(t *testing.T) {
	t.Parallel()
	user := caller.Actor{Type: caller.UserActor, ID: "usr_x"}
	who := map[caller.Actor]string{user: "ada@example.com"}
	raw := func(text string) json.RawMessage { return json.RawMessage(text) }
	repriced := cards.RecordedChange{
		Field: "pricing.asking_price", From: raw(`{"amount":500,"currency":"USD"}`),
		To: raw(`{"amount":600,"currency":"USD"}`),
	}
	history := []cards.HistoryEntry{ // newest first
		{At: hoursLater(5), Actor: user, Changes: []cards.RecordedChange{repriced}}, // after the listing
		{At: hoursLater(2), Actor: user, Changes: []cards.RecordedChange{repriced}},
		{At: nine, Actor: user, Changes: []cards.RecordedChange{{Field: "listing_id", To: raw(`"lst_x"`)}}},
		{At: hoursLater(-1), Actor: user, Changes: []cards.RecordedChange{repriced}}, // before the listing
	}
	requested := listingStep{nine, "Publishing requested", "ada@example.com"}
	live := listingStep{hoursLater(1), "Live on sandbox", ""}
	price := listingStep{hoursLater(2), "Price changed from $5.00 to $6.00", "ada@example.com"}
	published := func(l *listings.Listing) { l.PublishedAt = new(hoursLater(1)) }
	for name, tc := range map[string]struct {
		row  ListingRow
		want []listingStep
	}{
		"publishing": {listedRow(listings.Publishing, nil), []listingStep{requested}},
		"live": {listedRow(listings.Live, published), []listingStep{
			requested, live, price, {hoursLater(5), price.What, "ada@example.com"},
		}},
		"ending": {listedRow(listings.Ending, func(l *listings.Listing) {
			published(l)
			l.EndReason = new(listings.SoldElsewhere)
		}), []listingStep{
			requested, live, price, {hoursLater(5), price.What, "ada@example.com"},
			{hoursLater(3), "Being ended because the card was sold elsewhere", ""},
		}},
		"ended": {listedRow(listings.Ended, func(l *listings.Listing) {
			published(l)
			l.EndReason, l.EndedAt = new(listings.EndedBySeller), new(hoursLater(4))
		}), []listingStep{requested, live, price, {hoursLater(4), "Ended by you", ""}}},
		"sold": {listedRow(listings.Sold, func(l *listings.Listing) {
			published(l)
			l.SoldAt, l.SoldPrice = new(hoursLater(3)), new(usd(600))
		}), []listingStep{requested, live, price, {hoursLater(3), "Sold for $6.00", ""}}},
		"failed": {listedRow(listings.Failed, func(l *listings.Listing) {
			l.Failure = &listings.Failure{Code: "x", Message: "no"}
		}), []listingStep{requested, {hoursLater(3), "Not published: no", ""}}},
	} {
		if diff := cmp.Diff(tc.want, tc.row.steps(history, who)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for status, want := range map[listings.RevisionStatus]string{
		listings.RevisionPending: "A change of the title or the price is on its way to sandbox",
		listings.RevisionDone:    "The marketplace has the new title or price",
		listings.RevisionFailed:  "The marketplace refused a change",
	} {
		row := listedRow(listings.Live, func(l *listings.Listing) { l.Revision.Status = status })
		if diff := cmp.Diff([]listingStep{{hoursLater(3), want, ""}}, row.last()); diff != "" {
			t.Errorf("revision %s (-want +got):\n%s", status, diff)
		}
	}
}

func TestListingRow_Again(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		status listings.Status
		card   *cards.Card
		want   bool
	}{
		"ended":         {listings.Ended, &cards.Card{}, true},
		"failed":        {listings.Failed, &cards.Card{}, true},
		"live":          {listings.Live, &cards.Card{}, false},
		"deleted card":  {listings.Ended, nil, false},
		"archived card": {listings.Ended, &cards.Card{Archived: true}, false},
		"sold card":     {listings.Ended, &cards.Card{SaleID: new("sale_x")}, false},
		"listed card":   {listings.Failed, &cards.Card{Listing: &cards.ListingRef{Status: cards.ListingLive}}, false},
	} {
		row := listedRow(tc.status, nil)
		row.Card = tc.card
		if got := row.Again(); got != tc.want {
			t.Errorf("%s: can be published again: %t, want %t", name, got, tc.want)
		}
	}
}

func TestListingRow_Advice(t *testing.T) {
	t.Parallel()
	failed := func(code string) func(*listings.Listing) {
		return func(l *listings.Listing) { l.Failure = &listings.Failure{Code: code} }
	}
	revised := func(l *listings.Listing) { l.Revision.Failure = &listings.Failure{Code: "ebay_25016"} }
	for name, tc := range map[string]struct {
		row  ListingRow
		want string
	}{
		"live":    {listedRow(listings.Live, nil), ""},
		"photo":   {listedRow(listings.Failed, failed(marketplaces.CodePhoto)), "Add a photo to the card"},
		"eBay":    {listedRow(listings.Failed, failed("ebay_25016")), "then publish the card again."},
		"revised": {listedRow(listings.Live, revised), "The listing is still live as it was before."},
	} {
		if got := tc.row.Advice(); !strings.Contains(got, tc.want) || (got == "") != (tc.want == "") {
			t.Errorf("%s: advice %q, want %q", name, got, tc.want)
		}
	}
}
