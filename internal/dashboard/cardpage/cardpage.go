package cardpage

import (
	"net/url"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/lookup"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/pricing"
	"github.com/cardvault/cardvault/internal/sales"
)

// cardPage is the data of the page card.
type cardPage struct {
	Card       cards.Card
	Version    int64 // that the forms were read from
	Photos     []photoPlace
	Form       *form.Form // with the card's fields
	Candidates candidates
	Listing    listingPart
	Sale       salePart
	Estimate   *estimate // nil if prices were not looked up, or none was found
	Unpriced   string    // why no price was found
	History    []historyEntry
	Older      string // the cursor of the older history; "" if there is none
	Neighbors  neighbors
	Wait       *lookup.Wait // why the identification waits; nil if it does not

	Priced      bool          // whether to look up prices
	HistoryFrom string        // the cursor of the history that is shown; "" for the newest
	Notice      notice        // of a form that was carried out
	Undo        []form.Hidden // the values before it, which undo it; none if that is not possible
	Untake      bool          // whether the candidate that was taken can be undone
	Refused     notice        // why a form of another part could not be carried out
	PhotoRole   cards.Role    // of the photo that was refused

	account    accounts.Account
	from       *origin // nil if the reader did not come from a page of cards
	photoWaits map[string]*lookup.Wait
}

// shownPhoto is a photo with its URL.
type shownPhoto struct {
	cards.Photo
	Address string // "" while it cannot be shown
}

// historyEntry is a version of the card.
type historyEntry struct {
	cards.HistoryEntry
	Who string
}

// HistoryShown is the number of versions on a page of the history.
const HistoryShown = 20

// Address returns the address of a part below the page, or with pairs of names and values the page's own.
func (p cardPage) Address(below string, pairs ...string) string {
	return cardAddress(p.from, p.Card.ID, below, pairs...)
}

// NoticeIn returns what a part tells after one of its forms was carried out, or "".
func (p cardPage) NoticeIn(part string) string { return p.Notice.in(part) }

// RefusedIn returns why a form of a part could not be carried out, or "".
func (p cardPage) RefusedIn(part string) string { return p.Refused.in(part) }

func (n notice) in(part string) string {
	if n.Part != part {
		return ""
	}
	return n.Text
}

// formOf returns the form of a part that has fields, or nil.
func (p cardPage) formOf(part string) *form.Form {
	switch part {
	case PartListing:
		return p.Listing.Form
	case PartSale:
		return p.Sale.Form
	}
	return nil
}

// Manual reports whether the owner identified the card.
func (p cardPage) Manual() bool {
	return format.Text(p.Card.Identification.Source) == cards.SourceManual
}

// Withdrawable reports whether archiving the card would end its listing.
func (p cardPage) Withdrawable() bool {
	return p.Card.Listing != nil && p.Card.Listing.Status == cards.ListingLive
}

// Editable reports whether the photos can be removed and the card can be archived or deleted.
func (p cardPage) Editable() bool { return !p.Card.Sold() && !p.Card.UnderWay() }

// notice is what a part of the page tells after a form was carried out.
type notice struct{ Part, Text string }

// listingPart is the part of the page about the card's listing.
type listingPart struct {
	Last         *listings.Listing // the newest listing; nil if there was none
	Remedy       string            // what to do if it failed
	Marketplaces []string
	Missing      string     // what the card lacks to be published; "" if it can be
	Form         *form.Form // that publishes the card
}

// salePart is the part of the page about the card's sale.
type salePart struct {
	Sale     *sales.Sale // by which the card is sold; nil if it is not
	Channels []channel
	Unsold   string     // why the card cannot be sold; "" if it can be
	Form     *form.Form // that records a sale
}

// channel is where a card is sold.
type channel struct{ Name, Label string }

// neighbors are the ways from a card's page to the page of cards that the reader came from.
type neighbors struct {
	List           string // its address
	Previous, Next string // the addresses of the cards before and after the card on it; "" if there is none
}

// origin is the page of cards from which a reader came to a card's page.
type origin struct {
	Query string
	Row   string // the card's place in the list when the page showed it; "" if the link does not have it
}

// estimate is the result of a price look-up.
type estimate struct {
	pricing.Estimate
	Amount, Currency string   // of the price, as a form takes it
	Basis            string   // where the prices are from
	Plot             *dotPlot // nil without enough dated prices
}

// photoPlace is the place of the photo of a role.
type photoPlace struct {
	Role  cards.Role
	Label string
	Photo *shownPhoto // nil if there is none
}

// The parts of the page that have forms, besides the fields. They are identifiers of HTML elements.
const (
	PartPhotos     = "photos"
	PartCandidates = "candidates"
	PartListing    = "listing"
	PartSale       = "sale"
	PartEnd        = "end"
)

// cardAddress returns the address of a card's page, or of a part below it. from is where the reader came from, or nil.
func cardAddress(from *origin, cardID, below string, pairs ...string) string {
	address, query := "/cards/"+cardID, url.Values{}
	if below != "" {
		address += "/" + below
	}
	if from != nil {
		query.Set("from", from.Query)
	}
	if from != nil && from.Row != "" {
		query.Set("row", from.Row)
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		query.Set(pairs[i], pairs[i+1])
	}
	if len(query) == 0 {
		return address
	}
	return address + "?" + query.Encode()
}
