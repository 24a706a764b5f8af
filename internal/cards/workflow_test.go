package cards

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/openapi"
)

// allowed is an independent copy of the workflow, as a list of edges.
var allowed = map[Edge]bool{
	{Imported, Identified}: true, {Imported, NeedsReview}: true, {NeedsReview, Identified}: true,
	{Identified, NeedsReview}: true,
	{Identified, Priced}:      true, {Priced, Identified}: true,
	{Priced, Photographed}: true, {Photographed, Priced}: true,
	{Priced, Listed}: true, {Photographed, Listed}: true, {Listed, Priced}: true, {Listed, Photographed}: true,
	{Listed, Sold}: true, {Identified, Sold}: true, {Priced, Sold}: true, {Photographed, Sold}: true,
	{Sold, Identified}: true, {Sold, Priced}: true, {Sold, Photographed}: true,
	{Imported, Archived}: true, {NeedsReview, Archived}: true, {Identified, Archived}: true,
	{Priced, Archived}: true, {Photographed, Archived}: true,
	{Archived, Imported}: true, {Archived, NeedsReview}: true, {Archived, Identified}: true,
	{Archived, Priced}: true, {Archived, Photographed}: true,
}

func TestPath(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		from, to Status
		want     []Edge
	}{
		{Imported, Imported, nil},
		{Imported, Photographed, []Edge{{Imported, Identified}, {Identified, Priced}, {Priced, Photographed}}},
		{Imported, Archived, []Edge{{Imported, Archived}}},
		{NeedsReview, Priced, []Edge{{NeedsReview, Identified}, {Identified, Priced}}},
		{Photographed, Identified, []Edge{{Photographed, Priced}, {Priced, Identified}}},
		{Photographed, Listed, []Edge{{Photographed, Listed}}},
		{Priced, Listed, []Edge{{Priced, Listed}}},
		{Listed, Photographed, []Edge{{Listed, Photographed}}},
		{Identified, Imported, nil},
		{Photographed, NeedsReview, []Edge{{Photographed, Priced}, {Priced, Identified}, {Identified, NeedsReview}}},
		{Sold, Photographed, []Edge{{Sold, Photographed}}},
		{Sold, Listed, []Edge{{Sold, Priced}, {Priced, Listed}}},
		{Imported, Sold, []Edge{{Imported, Identified}, {Identified, Sold}}},
		{Sold, Imported, nil},
	} {
		t.Run(string(tc.from+" to "+tc.to), func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, Path(tc.from, tc.to)); diff != "" {
				t.Errorf("Path (-want +got):\n%s", diff)
			}
		})
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
					t.Errorf("Path(%s, %s) contains %v at %s, want an allowed edge from there", from, to, edge, at)
				}
				at = edge.To
			}
			if len(Path(from, to)) > 0 && at != to {
				t.Errorf("Path(%s, %s) ends at %s, want %s", from, to, at, to)
			}
		}
	}
}

// Only imported is out of reach, except for a card that comes back from the archive: a card keeps its title, or needs a
// review again. A status that lacks an edge fails here.
func TestPath_LeadsEverywhere(t *testing.T) {
	t.Parallel()
	for _, from := range Statuses {
		for _, to := range Statuses {
			want := from != to && (to != Imported || from == Archived)
			if got := Path(from, to) != nil; got != want {
				t.Errorf("a way from %s to %s: %t, want %t", from, to, got, want)
			}
		}
	}
}

// Each status follows from some facts, and the contract has the same ones.
func TestWorkflow_DeclaresEveryStatus(t *testing.T) {
	t.Parallel()
	following := map[Status]bool{}
	for bits := range 1 << 7 {
		has := func(n int) bool { return bits>>n&1 == 1 }
		following[Facts{has(0), has(1), has(2), has(3), has(4), has(5), has(6)}.Status()] = true
	}
	document, err := openapi.ParseV1()
	if err != nil {
		t.Fatal(err)
	}
	var contract, declared []string
	for _, value := range document.Components.Schemas["WorkflowStatus"].Value.Enum {
		contract = append(contract, value.(string))
	}
	for _, status := range Statuses {
		declared = append(declared, string(status))
		if !following[status] {
			t.Errorf("no facts lead to %s", status)
		}
		delete(following, status)
	}
	if len(following) > 0 {
		t.Errorf("not declared: %v", following)
	}
	slices.Sort(contract)
	slices.Sort(declared)
	if diff := cmp.Diff(contract, declared); diff != "" {
		t.Errorf("statuses (-contract +program):\n%s", diff)
	}
}

// acts are the possible updates of a card. They use the functions of the package.
var acts = map[string]func(c *Card, now time.Time) error{
	"identify": func(c *Card, now time.Time) error { return Patch{Title: Set("Ember Fox")}.Apply(c, now) },
	"untitle":  func(c *Card, now time.Time) error { return Patch{Title: Clear[string]()}.Apply(c, now) },
	"price": func(c *Card, now time.Time) error {
		return Patch{AskingPrice: Set(money.Money{Amount: 5, Currency: "USD"})}.Apply(c, now)
	},
	"unprice":   func(c *Card, now time.Time) error { return Patch{AskingPrice: Clear[money.Money]()}.Apply(c, now) },
	"archive":   func(c *Card, now time.Time) error { yes := true; return Patch{Archived: &yes}.Apply(c, now) },
	"unarchive": func(c *Card, now time.Time) error { no := false; return Patch{Archived: &no}.Apply(c, now) },
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
	"undo": func(c *Card, _ time.Time) error {
		if err := c.checkEditable("its identification"); err != nil {
			return err
		}
		c.Identification = Identification{Status: IdentificationFailed}
		return nil
	},
	"publish": func(c *Card, _ time.Time) error {
		return c.startListing(ListingRef{ID: "lst_x", Status: ListingPublishing})
	},
	"live": func(c *Card, _ time.Time) error { return moveListing(c, ListingPublishing, ListingLive) },
	"end":  func(c *Card, _ time.Time) error { return moveListing(c, ListingLive, "") },
	"sell": func(c *Card, _ time.Time) error {
		if err := moveListing(c, ListingLive, ListingSold); err != nil {
			return err
		}
		c.Sell("sale_x")
		return nil
	},
	"sell elsewhere": func(c *Card, _ time.Time) error {
		if err := c.CheckSellable(); err != nil {
			return err
		}
		c.Sell("sale_x")
		return nil
	},
	"return": func(c *Card, _ time.Time) error { c.Return("sale_x", nil); return nil },
}

// moveListing changes the status of the card's listing, or removes the listing if to is empty.
func moveListing(c *Card, from, to string) error {
	if c.Listing == nil || c.Listing.Status != from {
		return fault.New(fault.ListingNotLive, "the listing is not %s", from)
	}
	c.Listing = &ListingRef{ID: c.Listing.ID, Status: to}
	if to == "" {
		c.Listing = nil
	}
	return nil
}

// For any sequence of updates, the status of a card takes allowed edges only, each with exactly one event, and ends at
// the status that follows from the card's facts.
func TestCard_EverySequenceTakesAllowedEdges(t *testing.T) {
	t.Parallel()
	names := make([]string, 0, len(acts))
	for name := range acts {
		names = append(names, name)
	}
	slices.Sort(names)
	rapid.Check(t, func(t *rapid.T) {
		c := Card{ID: "card_x", Status: Imported, Identification: Identification{Status: IdentificationNone}}
		identified, undone, priced := 0, 0, 0
		for i, write := range rapid.SliceOf(rapid.SliceOfN(rapid.SampledFrom(names), 1, 4)).Draw(t, "writes") {
			now := time.Unix(int64(i), 0)
			after := c
			for _, act := range write { // one write can contain several updates
				attempt := after
				if acts[act](&attempt, now) == nil {
					after = attempt
				}
			}
			if passesListing(c, after) {
				continue // package listings uses a separate write for each of these states
			}
			happened, changes := finalize(&c, &after, now)
			changed := len(changes) > 0
			if after.Status != after.Facts().Status() && changed {
				t.Fatalf("%v: status %s, want %s from the facts", write, after.Status, after.Facts().Status())
			}
			if c.Identification.Title != nil && after.Identification.Title == nil {
				undone++
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
						t.Fatalf("%v: event %s → %s at %s, want an allowed edge from there",
							write, e.PreviousStatus, e.Status, at)
					}
					at = Status(e.Status)
				}
			}
			if at != after.Status && changed {
				t.Fatalf("%v: the events end at %s, want %s", write, at, after.Status)
			}
			if changed && after.Version != c.Version+1 {
				t.Fatalf("%v: version %d follows %d", write, after.Version, c.Version)
			}
			c = after
		}
		if identified > 1+undone || priced > 1 {
			t.Fatalf("card.identified %d times with %d reviews undone, card.priced %d times, want each at most once",
				identified, undone, priced)
		}
	})
}

// passesListing reports whether an update passes through all states of a listing at once.
func passesListing(before, after Card) bool {
	soldListing := after.Listing != nil && after.Listing.Status == ListingSold
	return soldListing && !before.Facts().Live || before.Facts().Live && after.UnderWay() && !after.Facts().Live
}

func TestCard_ListingOrSaleForbidsUpdates(t *testing.T) {
	t.Parallel()
	yes := true
	for name, patch := range map[string]Patch{
		"clear price":     {AskingPrice: Clear[money.Money]()},
		"price of zero":   {AskingPrice: Set(money.Money{Currency: "USD"})},
		"change currency": {AskingPrice: Set(money.Money{Amount: 9, Currency: "EUR"})},
		"archive":         {Archived: &yes},
	} {
		for status, code := range map[string]fault.Code{
			ListingPublishing: fault.CardListed, ListingLive: fault.CardListed, ListingEnding: fault.CardListed,
			ListingSold: fault.CardSold,
		} {
			t.Run(name+" while "+status, func(t *testing.T) {
				t.Parallel()
				title := "Ember Fox"
				c := Card{Listing: &ListingRef{ID: "lst_x", Status: status}}
				c.Identification.Title, c.Pricing.AskingPrice = &title, &money.Money{Amount: 5, Currency: "USD"}
				if err := patch.Apply(&c, time.Now()); !fault.Is(err, code) {
					t.Errorf("got %v, want %s", err, code)
				}
				allowed := Patch{AskingPrice: Set(money.Money{Amount: 5, Currency: "USD"}), Location: Set("Room A")}
				if err := allowed.Apply(&c, time.Now()); err != nil {
					t.Errorf("a patch that keeps the price fails: %v", err)
				}
			})
		}
	}
}

// A live listing allows a new price, with which it is revised. Other listings forbid it.
func TestCard_LiveListingAllowsNewPrice(t *testing.T) {
	t.Parallel()
	for status, code := range map[string]fault.Code{
		ListingPublishing: fault.CardListed, ListingLive: "", ListingEnding: fault.CardListed,
		ListingSold: fault.CardSold,
	} {
		title, price := "Ember Fox", money.Money{Amount: 9, Currency: "USD"}
		before := Card{Listing: &ListingRef{ID: "lst_x", Status: status}}
		before.Identification.Title, before.Pricing.AskingPrice = &title, &money.Money{Amount: 5, Currency: "USD"}
		after, now := before, time.Now()
		err := (Patch{AskingPrice: Set(price)}).Apply(&after, now)
		if code != "" && !fault.Is(err, code) || code == "" && err != nil {
			t.Errorf("%s: got %v, want %q", status, err, code)
		}
		got, repriced := repricing(&before, &after, now)
		if repriced != (code == "") || repriced && (got.Price != price || got.ListingID != "lst_x") {
			t.Errorf("%s: got the new price %+v, %t", status, got, repriced)
		}
		if _, repriced := repricing(&after, &after, now); repriced {
			t.Errorf("%s: the same price is a new one", status)
		}
	}
}

func TestCard_SaleForbidsOtherIdentification(t *testing.T) {
	t.Parallel()
	for name, patch := range map[string]Patch{
		"title": {Title: Set("Frost Fox")}, "set": {Set: Set("Dawn")}, "number": {Number: Clear[string]()},
		"catalog_id": {CatalogID: Set("dawn-1")}, "game": {Game: Set("magic")}, "year": {Year: Set(int32(1999))},
		"variant": {Variant: Set("foil")}, "language": {Language: Set("de")}, "condition": {Condition: Set("LP")},
		"grade": {Grade: Set(Grade{Company: "PSA", Value: "9"})},
	} {
		title, number := "Ember Fox", "1/9"
		c := Card{Listing: &ListingRef{ID: "lst_x", Status: ListingSold}}
		c.Identification.Title, c.Identification.Number = &title, &number
		if err := patch.Apply(&c, time.Now()); !fault.Is(err, fault.CardSold) {
			t.Errorf("%s: got %v, want card_sold", name, err)
		}
	}
	title := "Ember Fox"
	c := Card{Listing: &ListingRef{ID: "lst_x", Status: ListingSold}}
	c.Identification.Title = &title
	before := c
	if err := (Patch{Title: Set("Ember Fox")}).Apply(&c, time.Now()); err != nil || !reflect.DeepEqual(c, before) {
		t.Errorf("the same title: got %+v, %v, want no change", c, err)
	}
}
