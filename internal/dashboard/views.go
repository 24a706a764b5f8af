package dashboard

import (
	"net/url"

	"github.com/cardvault/cardvault/internal/cards"
)

// savedView is a link to the cards of a filter.
type savedView struct {
	Label, Address string
	Current        bool // whether the page shows it
}

// savedViews returns the views above the table of cards.
func savedViews(query url.Values) []savedView {
	view := func(label, statuses string) savedView {
		current := len(filterValues(query)) == 1 && query.Get("status") == statuses
		return savedView{label, cardsAddress(nil, "status", statuses), current}
	}
	return []savedView{
		{"All", "/cards", len(filterValues(query)) == 0},
		view("Needs review", string(cards.NeedsReview)),
		view("Priced, not listed", string(cards.Priced)+","+string(cards.Photographed)),
		view("Ready to list", string(cards.Photographed)),
	}
}
