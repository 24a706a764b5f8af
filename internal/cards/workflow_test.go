package cards

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
)

// allowed is an independent copy of the workflow, as a list of edges.
var allowed = map[Edge]bool{
	{Imported, Identified}: true, {Imported, NeedsReview}: true, {NeedsReview, Identified}: true,
	{Identified, Priced}: true, {Priced, Identified}: true,
	{Priced, Photographed}: true, {Photographed, Priced}: true,
	{Priced, Listed}: true, {Photographed, Listed}: true, {Listed, Priced}: true, {Listed, Photographed}: true,
	{Listed, Sold}:       true,
	{Imported, Archived}: true, {NeedsReview, Archived}: true, {Identified, Archived}: true,
	{Priced, Archived}: true, {Photographed, Archived}: true,
	{Archived, Imported}: true, {Archived, NeedsReview}: true, {Archived, Identified}: true,
	{Archived, Priced}: true, {Archived, Photographed}: true,
}

func TestPath(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		from, to Status
		through  []Status
	}{
		{Imported, Imported, nil},
		{Imported, Photographed, []Status{Imported, Identified, Priced, Photographed}},
		{Imported, Archived, []Status{Imported, Archived}},
		{NeedsReview, Priced, []Status{NeedsReview, Identified, Priced}},
		{Photographed, Identified, []Status{Photographed, Priced, Identified}},
		{Photographed, Listed, []Status{Photographed, Listed}},
		{Priced, Listed, []Status{Priced, Listed}},
		{Listed, Photographed, []Status{Listed, Photographed}},
		{Identified, Imported, nil}, // nothing unidentifies a card
		{Sold, Listed, nil},         // nothing unsells it
	} {
		var through []Status
		for i, edge := range Path(tc.from, tc.to) {
			if i == 0 {
				through = append(through, edge.From)
			}
			through = append(through, edge.To)
		}
		if !slices.Equal(through, tc.through) {
			t.Errorf("Path(%s, %s) = %v, want %v", tc.from, tc.to, through, tc.through)
		}
	}
}

func TestPath_UsesAllowedEdges(t *testing.T) {
	t.Parallel()
	all := []Status{Imported, Identified, Priced, Photographed, Listed, Sold, NeedsReview, Archived}
	for _, from := range all {
		for _, to := range all {
			at := from
			for _, edge := range Path(from, to) {
				if edge.From != at || !allowed[edge] {
					t.Errorf("Path(%s, %s) takes %v from %s", from, to, edge, at)
				}
				at = edge.To
			}
			if len(Path(from, to)) > 0 && at != to {
				t.Errorf("Path(%s, %s) ends at %s", from, to, at)
			}
		}
	}
}

// acts are the possible updates of a card, by the functions of the package.
var acts = map[string]func(c *Card, now time.Time) error{
	"identify": func(c *Card, now time.Time) error { return Patch{Title: Set("Ember Fox")}.apply(c, now) },
	"untitle":  func(c *Card, now time.Time) error { return Patch{Title: Clear[string]()}.apply(c, now) },
	"price": func(c *Card, now time.Time) error {
		return Patch{AskingPrice: Set(money.Money{Amount: 5, Currency: "USD"})}.apply(c, now)
	},
	"unprice":   func(c *Card, now time.Time) error { return Patch{AskingPrice: Clear[money.Money]()}.apply(c, now) },
	"archive":   func(c *Card, now time.Time) error { yes := true; return Patch{Archived: &yes}.apply(c, now) },
	"unarchive": func(c *Card, now time.Time) error { no := false; return Patch{Archived: &no}.apply(c, now) },
	"photo": func(c *Card, _ time.Time) error {
		c.Photos = withPhoto(c.Photos, Photo{ID: "pho_x", Role: RoleListing, Status: PhotoReady})
		return nil
	},
	"unphoto": func(c *Card, _ time.Time) error {
		if err := c.checkEditable("its photos"); err != nil {
			return err
		}
		c.Photos = nil
		return nil
	},
	"fail": func(c *Card, _ time.Time) error {
		if c.Identification.Title == nil {
			c.Identification.Status = IdentificationFailed
		}
		return nil
	},
	"publish": func(c *Card, _ time.Time) error {
		return c.startListing(ListingRef{ID: "lst_x", Status: ListingPublishing})
	},
	"live": func(c *Card, _ time.Time) error { return moveListing(c, ListingPublishing, ListingLive) },
	"end":  func(c *Card, _ time.Time) error { return moveListing(c, ListingLive, "") },
	"sell": func(c *Card, _ time.Time) error { return moveListing(c, ListingLive, ListingSold) },
}

func moveListing(c *Card, from, to string) error {
	if c.Listing == nil || c.Listing.Status != from {
		return fault.New(fault.ListingNotLive, "no")
	}
	c.Listing = &ListingRef{ID: c.Listing.ID, Status: to}
	if to == "" {
		c.Listing = nil
	}
	return nil
}

// Whatever updates a card gets in whatever order, its status takes allowed edges only, each with exactly one
// event, and ends at the status that follows from its facts.
func TestCard_EverySequenceTakesAllowedEdges(t *testing.T) {
	t.Parallel()
	names := make([]string, 0, len(acts))
	for name := range acts {
		names = append(names, name)
	}
	slices.Sort(names)
	rapid.Check(t, func(t *rapid.T) {
		c := Card{ID: "card_x", Status: Imported, Identification: Identification{Status: IdentificationPending}}
		identified, priced := 0, 0
		for i, write := range rapid.SliceOf(rapid.SliceOfN(rapid.SampledFrom(names), 1, 4)).Draw(t, "writes") {
			now := time.Unix(int64(i), 0)
			after := c
			for _, act := range write { // one write may do several things at once
				attempt := after
				if acts[act](&attempt, now) == nil {
					after = attempt
				}
			}
			if passesListing(c, after) {
				continue // the listing package makes each of these a write of its own
			}
			happened, changed, err := finalize(c, &after, now)
			if err != nil {
				t.Fatalf("%v: %v", write, err)
			}
			if after.Status != after.Facts().Status() && changed {
				t.Fatalf("%v: status %s, facts say %s", write, after.Status, after.Facts().Status())
			}
			at := c.Status
			for _, event := range happened {
				switch e := event.(type) {
				case events.CardIdentified:
					identified++
				case events.CardPriced:
					priced++
				case events.CardWorkflowStatusChanged:
					if Status(e.PreviousStatus) != at || !allowed[Edge{at, Status(e.Status)}] {
						t.Fatalf("%v: event %s → %s at %s", write, e.PreviousStatus, e.Status, at)
					}
					at = Status(e.Status)
				}
			}
			if at != after.Status && changed {
				t.Fatalf("%v: events lead to %s, the card is %s", write, at, after.Status)
			}
			if changed && after.Version != c.Version+1 {
				t.Fatalf("%v: version %d after %d", write, after.Version, c.Version)
			}
			c = after
		}
		if identified > 1 || priced > 1 {
			t.Fatalf("card.identified %d times, card.priced %d times", identified, priced)
		}
	})
}

// passesListing reports whether an update passes through all states of a listing at once.
func passesListing(before, after Card) bool {
	return after.Sold() && !before.Facts().Live || before.Facts().Live && after.UnderWay() && !after.Facts().Live
}

func TestCard_ListingOrSaleForbidsUpdates(t *testing.T) {
	t.Parallel()
	yes := true
	for name, patch := range map[string]Patch{
		"clear price": {AskingPrice: Clear[money.Money]()}, "change price": {AskingPrice: Set(money.Money{Amount: 9, Currency: "USD"})},
		"archive": {Archived: &yes},
	} {
		for status, code := range map[string]fault.Code{
			ListingPublishing: fault.CardListed, ListingLive: fault.CardListed, ListingEnding: fault.CardListed, ListingSold: fault.CardSold,
		} {
			title := "Ember Fox"
			c := Card{Listing: &ListingRef{ID: "lst_x", Status: status}}
			c.Identification.Title, c.Pricing.AskingPrice = &title, &money.Money{Amount: 5, Currency: "USD"}
			if err := patch.apply(&c, time.Now()); !fault.Is(err, code) {
				t.Errorf("%s while %s: %v, want %s", name, status, err, code)
			}
			same := Patch{AskingPrice: Set(money.Money{Amount: 5, Currency: "USD"}), Location: Set("Room A")}
			if err := same.apply(&c, time.Now()); err != nil {
				t.Errorf("what changes nothing forbidden while %s: %v", status, err)
			}
		}
	}
}
