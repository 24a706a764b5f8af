package dashboard

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

// printPullSheet shows the selected cards by shelf, in the order in which one walks.
func (d *Dashboard) printPullSheet(w http.ResponseWriter, r *http.Request) (err error) {
	var p pullCardsPage
	const name, title = "pullcards", "Pull sheet"
	if p.toPrint, err = d.readToPrint(r); err != nil {
		return d.refuseToPrint(w, r, err, &p.toPrint, name, title, &p)
	}
	p.Shelves = selling.Shelves(p.list)
	return d.Show(w, r, http.StatusOK, name, title, &p)
}
