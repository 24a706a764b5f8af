package printing

import (
	"net/http"

	"github.com/cardvault/cardvault/internal/dashboard/selling"
)

// pullCardsPage is the data of the page pullcards.
type pullCardsPage struct {
	toPrint
	Shelves []selling.Shelf
}

// Next returns the address of the cards that follow, or "".
func (p pullCardsPage) Next() string {
	if p.next == "" {
		return ""
	}
	return p.address("cursor", p.next)
}

// PrintPullSheet shows the selected cards by shelf, in the order in which one walks.
func (h *Handlers) PrintPullSheet(w http.ResponseWriter, r *http.Request) (err error) {
	var p pullCardsPage
	const name, title = "pullcards", "Pull sheet"
	if p.toPrint, err = h.readToPrint(r); err != nil {
		return h.refuseToPrint(w, r, err, &p.toPrint, name, title, &p)
	}
	p.Shelves = selling.Shelves(p.list)
	return h.Show(w, r, http.StatusOK, name, title, &p)
}
