package dashboard

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/page"
)

// neighbors are the ways from a card's page to the page of cards that the reader came from.
type neighbors struct {
	List           string // its address
	Previous, Next string // the addresses of the cards before and after the card on it; "" if there is none
}

// origin is the page of cards from which a reader came to a card's page.
type origin struct {
	Query string
	Row   int // of the card on the page, from 0
}

// originOf returns where the reader came from, or nil if the address does not have it.
func originOf(r *http.Request) *origin {
	query := r.URL.Query()
	if !query.Has("from") {
		return nil
	}
	row, err := strconv.Atoi(query.Get("row"))
	if err != nil || row < 0 || row >= cardsPerPage { // the address was edited
		row = 0
	}
	return &origin{query.Get("from"), row}
}

// address returns the address of the page of cards, or of the first one.
func (o *origin) address() string {
	if o == nil {
		return "/cards"
	}
	query, err := url.ParseQuery(o.Query)
	if err != nil || len(query) == 0 {
		return "/cards"
	}
	return "/cards?" + query.Encode()
}

// at returns the origin of the card in another row.
func (o origin) at(row int) *origin {
	o.Row = row
	return &o
}

// loadNeighbors finds the neighbors of the card. If the card is not on the page of cards any more, as one that a filter
// by status excludes after its change, its row has the next card now.
func (d *Dashboard) loadNeighbors(ctx context.Context, p *cardPage) error {
	p.Neighbors.List = p.from.address()
	if p.from == nil {
		return nil
	}
	query, err := url.ParseQuery(p.from.Query)
	if err != nil {
		return nil // the address was edited
	}
	filter, _, err := parseFilter(query)
	if err != nil {
		return nil
	}
	request := page.Request{Limit: cardsPerPage, Cursor: query.Get("cursor")}
	found, err := d.Cards.List(ctx, p.account.ID, filter, request)
	if _, invalid := asInvalid(err); invalid {
		return nil
	}
	if err != nil {
		return err
	}
	row := slices.IndexFunc(found.Data, func(c cards.Card) bool { return c.ID == p.Card.ID })
	previous, next := row-1, row+1
	if row < 0 {
		previous, next = p.from.Row-1, p.from.Row
	}
	if previous >= 0 && previous < len(found.Data) {
		p.Neighbors.Previous = cardAddress(p.from.at(previous), found.Data[previous].ID, "")
	}
	if next < len(found.Data) {
		p.Neighbors.Next = cardAddress(p.from.at(next), found.Data[next].ID, "")
	}
	return nil
}
