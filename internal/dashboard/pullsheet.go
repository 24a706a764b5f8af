package dashboard

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/collation"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/page"
	"github.com/cardvault/cardvault/internal/sales"
)

// The bounds of a pull sheet.
const (
	maxPulled = sales.MaxShipped
	pullDays  = 60 // older sales were shipped, but not marked
	pullPages = 5  // of the list of sales, which can have few that are not shipped
)

// pullPage is the data of the page pullsheet.
type pullPage struct {
	Shelves []shelf
	Count   int
	Days    int
	More    bool   // whether there are more sales to ship
	Notice  string // what happened before
	Undo    bool   // whether that can be undone
	Failed  string
}

// shelf is a place with the cards to take from it, in the order of their locations.
type shelf struct {
	Name  string // "" for cards without a location
	Cards []pulled
}

// pulled is a sold card to send.
type pulled struct {
	saleRow
	Card     *cards.Card // nil if it was deleted
	Photo    string      // the URL of a photo; "" if there is none
	Location string
	order    []byte // of the location
}

// showPullSheet shows the sold cards that are still to be shipped, in the order of their locations.
func (d *Dashboard) showPullSheet(w http.ResponseWriter, r *http.Request) error {
	return d.renderPullSheet(w, r, nil)
}

func (d *Dashboard) renderPullSheet(w http.ResponseWriter, r *http.Request, refused *fault.Error) error {
	account := web.VisitOf(r).Account
	found, more, err := d.toShip(r.Context(), account.ID)
	if err != nil {
		return err
	}
	list, err := d.located(r.Context(), account.ID, found)
	if err != nil {
		return err
	}
	p := pullPage{Shelves: shelves(list), Count: len(list), Days: pullDays, More: more}
	p.Notice, p.Undo = d.pullNotice(r)
	status := http.StatusOK
	if refused != nil {
		status, p.Failed = form.Status(refused), refused.Message
	}
	return d.Show(w, r, status, "pullsheet", "Pull sheet", p)
}

// toShip returns the sales whose card is still to be shipped, at most maxPulled, and whether there are more.
func (d *Dashboard) toShip(ctx context.Context, accountID string) (list []sales.Sale, more bool, err error) {
	since := d.Clock.Time().AddDate(0, 0, -pullDays)
	filter, request := sales.Filter{SoldSince: &since, ToShip: true}, page.Request{Limit: maxPulled}
	for range pullPages {
		found, err := d.Sales.List(ctx, accountID, filter, request)
		if err != nil {
			return nil, false, err
		}
		list = append(list, found.Data...)
		switch {
		case len(list) > maxPulled:
			return list[:maxPulled], true, nil
		case found.NextCursor == nil:
			return list, false, nil
		}
		request.Cursor = *found.NextCursor
	}
	return list, true, nil
}

// located adds the cards and their locations to the sales.
func (d *Dashboard) located(ctx context.Context, accountID string, list []sales.Sale) ([]pulled, error) {
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].CardID
	}
	found, err := d.look.CardsByID(ctx, accountID, ids)
	if err != nil {
		return nil, err
	}
	all := make([]pulled, len(list))
	for i, sale := range list {
		all[i].saleRow = saleRow{sale}
		if card, ok := found[sale.CardID]; ok {
			all[i].Card, all[i].Photo, all[i].Location = &card, d.look.Row(card).Photo, format.Text(card.Location)
		}
	}
	return all, nil
}

// shelves groups the cards by the first part of their location, in the order in which one walks. Those without a
// location come last.
func shelves(list []pulled) []shelf {
	sortByPlace(list)
	var all []shelf
	for _, card := range list {
		name, _, _ := strings.Cut(card.Location, "/")
		if len(all) == 0 || collation.Compare(all[len(all)-1].Name, name) != 0 {
			all = append(all, shelf{Name: name})
		}
		last := &all[len(all)-1]
		last.Cards = append(last.Cards, card)
	}
	return all
}

// sortByPlace sorts cards by location, as lists are sorted, but with those without a location at the end.
func sortByPlace(list []pulled) {
	for i := range list {
		list[i].order = collation.PathKey(list[i].Location)
	}
	slices.SortStableFunc(list, func(a, b pulled) int {
		if (a.Location == "") != (b.Location == "") {
			return strings.Compare(b.Location, a.Location) // the one without a location comes last
		}
		return bytes.Compare(a.order, b.order)
	})
}

// markShipped marks the sales that are ticked on the sheet as shipped.
func (d *Dashboard) markShipped(w http.ResponseWriter, r *http.Request) error {
	ticked := r.PostForm["sale"]
	if len(ticked) == 0 {
		return d.renderPullSheet(w, r, fault.New(fault.InvalidRequest, "Tick the cards that you have taken first."))
	}
	made, err := d.Sales.MarkShipped(r.Context(), web.VisitOf(r).Account.ID, ticked)
	if err != nil {
		return err
	}
	if err := d.keepShipment(r, made); err != nil {
		return err
	}
	web.Redirect(w, r, pullSheetPath+"?done=shipped")
	return nil
}
