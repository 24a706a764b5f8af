package cardpage

import (
	"context"
	"net/http"
	"net/url"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/cardquery"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
)

// originOf returns where the reader came from, or nil if the address does not have it.
func originOf(r *http.Request) *origin {
	query := r.URL.Query()
	if !query.Has("from") {
		return nil
	}
	return &origin{query.Get("from"), query.Get("row")}
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

// loadNeighbors finds the neighbors of the card in the list, also beyond the page that the reader came from. A card
// that is not in the list any more, such as one that a filter by status excludes after its change, has those of its
// row.
func (h *Handlers) loadNeighbors(ctx context.Context, p *cardPage) error {
	p.Neighbors.List = p.from.address()
	if p.from == nil {
		return nil
	}
	query, err := url.ParseQuery(p.from.Query)
	if err != nil {
		return nil // the address was edited
	}
	filter, _, err := cardquery.Parse(query, p.account.Currency)
	if err != nil {
		return nil
	}
	before, after, err := h.Cards.Neighbors(ctx, p.account.ID, filter, p.Card, p.from.Row)
	if _, invalid := list.Invalid(err); invalid {
		return nil
	}
	if err != nil {
		return err
	}
	p.Neighbors.Previous, p.Neighbors.Next = p.from.neighbor(before), p.from.neighbor(after)
	return nil
}

// neighbor returns the address of the page of another card of the list, or "" for none.
func (o origin) neighbor(card cards.Neighbor) string {
	if card.ID == "" {
		return ""
	}
	return cardAddress(&origin{o.Query, card.Place}, card.ID, "")
}
