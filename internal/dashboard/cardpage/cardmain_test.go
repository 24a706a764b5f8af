package cardpage

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/pricing"
)

// The action at the head of a card's page is the next step of its workflow.
func TestCardPage_Main(t *testing.T) {
	t.Parallel()
	titled := func(c *cards.Card) { c.Identification.Title = new("Fox") }
	priced := func(c *cards.Card) { c.Pricing.AskingPrice = new(usd(500)) }
	photo := func(role cards.Role) func(*cards.Card) {
		return func(c *cards.Card) { c.Photos = []cards.Photo{{ID: "p", Role: role, Status: cards.PhotoReady}} }
	}
	front, back := photo(cards.RoleFront), photo(cards.RoleBack)
	for name, tc := range map[string]struct {
		card []func(*cards.Card)
		page func(*cardPage)
		want mainAction
	}{
		"new":            {nil, nil, mainAction{"Add a photo", "/cards/c#photos", ""}},
		"a back only":    {[]func(*cards.Card){back}, nil, mainAction{"Add a photo", "/cards/c#photos", ""}},
		"a front":        {[]func(*cards.Card){front}, nil, mainAction{"Identify by the photo", "", "identify"}},
		"not identified": {[]func(*cards.Card){front, review}, nil, mainAction{"Review it", "/review?card=c", ""}},
		"identified": {[]func(*cards.Card){titled}, nil,
			mainAction{"Look the price up", "/cards/c?prices=true#prices", ""}},
		"estimated": {[]func(*cards.Card){titled, front}, func(p *cardPage) {
			p.Priced, p.Estimate = true, &estimate{Estimate: pricing.Estimate{Price: usd(4625)}}
		}, mainAction{"Ask $46.25", "", "ask"}},
		"without an estimate": {[]func(*cards.Card){titled, front}, func(p *cardPage) { p.Priced = true },
			mainAction{"Publish", "", "publish"}},
		"priced": {[]func(*cards.Card){titled, priced}, nil, mainAction{"Add a photo", "/cards/c#photos", ""}},
		"photographed": {[]func(*cards.Card){titled, priced, front}, nil,
			mainAction{"Publish", "", "publish"}},
		"failed": {[]func(*cards.Card){titled, priced, front}, func(p *cardPage) {
			p.Listing.Last = &listings.Listing{Failure: &listings.Failure{}}
		}, mainAction{"Publish again", "", "publish"}},
		"live":     {[]func(*cards.Card){titled, live}, nil, mainAction{"See the listing", "/listings/l", ""}},
		"sold":     {[]func(*cards.Card){titled, live, sold}, nil, mainAction{"See the sale", "/sales/s", ""}},
		"archived": {[]func(*cards.Card){titled, archived}, nil, mainAction{"Bring back", "", "archive"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := cardPage{Card: cards.Card{ID: "c"}}
			for _, change := range tc.card {
				change(&p.Card)
			}
			if tc.page != nil {
				tc.page(&p)
			}
			if diff := cmp.Diff(tc.want, p.Main()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func review(c *cards.Card)   { c.Status = cards.NeedsReview }
func live(c *cards.Card)     { c.Listing = &cards.ListingRef{ID: "l", Status: cards.ListingLive} }
func sold(c *cards.Card)     { c.SaleID = new("s") }
func archived(c *cards.Card) { c.Archived = true }
