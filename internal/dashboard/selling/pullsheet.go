package selling

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
	"github.com/cardvault/cardvault/internal/paging"
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
	Shelves []Shelf
	Count   int
	Days    int
	More    bool   // whether there are more sales to ship
	Notice  string // what happened before
	Undo    bool   // whether that can be undone
	Failed  string
}

// Shelf is a place with the cards to take from it, in the order of their locations.
type Shelf struct {
	Name  string // "" for cards without a location
	Cards []Pulled
}

// Pulled is a sold card to send.
type Pulled struct {
	SaleRow
	Card     *cards.Card // nil if it was deleted
	Photo    string      // the URL of a photo; "" if there is none
	Location string
	order    []byte // of the location
}

// ShowPullSheet shows the sold cards that are still to be shipped, in the order of their locations.
func (h *Handlers) ShowPullSheet(w http.ResponseWriter, r *http.Request) error {
	return h.renderPullSheet(w, r, nil)
}

func (h *Handlers) renderPullSheet(w http.ResponseWriter, r *http.Request, refused *fault.Error) error {
	account := web.VisitOf(r).Account
	found, more, err := h.toShip(r.Context(), account.ID)
	if err != nil {
		return err
	}
	list, err := h.located(r.Context(), account.ID, found)
	if err != nil {
		return err
	}
	p := pullPage{Shelves: Shelves(list), Count: len(list), Days: pullDays, More: more}
	p.Notice, p.Undo = h.pullNotice(r)
	status := http.StatusOK
	if refused != nil {
		status, p.Failed = form.Status(refused), refused.Message
	}
	return h.Show(w, r, status, "pullsheet", "Pull sheet", p)
}

// toShip returns the sales whose card is still to be shipped, at most maxPulled, and whether there are more.
func (h *Handlers) toShip(ctx context.Context, accountID string) (list []sales.Sale, more bool, err error) {
	since := h.Clock.Time().AddDate(0, 0, -pullDays)
	filter, request := sales.Filter{SoldSince: &since, ToShip: true}, paging.Request{Limit: maxPulled}
	for range pullPages {
		found, err := h.Sales.List(ctx, accountID, filter, request)
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
func (h *Handlers) located(ctx context.Context, accountID string, list []sales.Sale) ([]Pulled, error) {
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].CardID
	}
	found, err := h.CardsByID(ctx, accountID, ids)
	if err != nil {
		return nil, err
	}
	all := make([]Pulled, len(list))
	for i, sale := range list {
		all[i].SaleRow = SaleRow{sale}
		if card, ok := found[sale.CardID]; ok {
			all[i].Card, all[i].Photo, all[i].Location = &card, h.Row(card).Photo, format.Text(card.Location)
		}
	}
	return all, nil
}

// Shelves groups the cards by the first part of their location, in the order in which one walks. Those without a
// location come last.
func Shelves(list []Pulled) []Shelf {
	SortByPlace(list)
	var all []Shelf
	for _, card := range list {
		name, _, _ := strings.Cut(card.Location, "/")
		if len(all) == 0 || collation.Compare(all[len(all)-1].Name, name) != 0 {
			all = append(all, Shelf{Name: name})
		}
		last := &all[len(all)-1]
		last.Cards = append(last.Cards, card)
	}
	return all
}

// SortByPlace sorts cards by location, as lists are sorted, but with those without a location at the end.
func SortByPlace(list []Pulled) {
	for i := range list {
		list[i].order = collation.PathKey(list[i].Location)
	}
	slices.SortStableFunc(list, func(a, b Pulled) int {
		if (a.Location == "") != (b.Location == "") {
			return strings.Compare(b.Location, a.Location) // the one without a location comes last
		}
		return bytes.Compare(a.order, b.order)
	})
}

// MarkShipped marks the sales that are ticked on the sheet as shipped.
func (h *Handlers) MarkShipped(w http.ResponseWriter, r *http.Request) error {
	ticked := r.PostForm["sale"]
	if len(ticked) == 0 {
		return h.renderPullSheet(w, r, fault.New(fault.InvalidRequest, "Tick the cards that you have taken first."))
	}
	made, err := h.Sales.MarkShipped(r.Context(), web.VisitOf(r).Account.ID, ticked)
	if err != nil {
		return err
	}
	if err := h.keepShipment(r, made); err != nil {
		return err
	}
	web.Redirect(w, r, pullSheetPath+"?done=shipped")
	return nil
}
