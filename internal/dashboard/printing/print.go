package printing

import (
	"context"
	"net/http"
	"net/url"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/cardquery"
	"github.com/cardvault/cardvault/internal/dashboard/selling"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/paging"
)

const (
	// maxPrinted is the maximum number of cards of a page to print.
	maxPrinted = 500
	// printReads is the maximum number of reads for it. A read may return few cards if few match the filter.
	printReads = 10
	// byLocation is the order in which the cards are read.
	byLocation = "location"
)

// toPrint is a selection of cards to print.
type toPrint struct {
	list   []selling.Pulled // in the order in which one walks
	Count  int
	Most   int
	Hidden []form.Hidden // the selection, for a form
	Back   string        // the address of the cards that the selection was made from
	First  string        // the address of the page with the first cards; "" if this is it
	Failed string        // why there is nothing to print; "" if there is

	query url.Values
	next  string // the cursor of the cards that follow; "" if there are none
}

// Cards returns the number of cards in words.
func (p toPrint) Cards() string { return format.Cards(int64(p.Count)) }

// readToPrint reads the cards that the address selects, at most maxPrinted.
func (h *Handlers) readToPrint(r *http.Request) (toPrint, error) {
	p := toPrint{Most: maxPrinted, Back: "/cards", query: r.URL.Query()}
	selected, err := cardquery.SelectionToRead(r)
	if err != nil {
		return p, err
	}
	p.Back, p.Hidden = selected.Back, selected.Hidden()
	selected.Filter.Sort = byLocation
	cursor := p.query.Get("cursor")
	if cursor != "" {
		p.First = p.address("cursor", "")
	}
	found, next, err := h.readAll(r.Context(), web.VisitOf(r).Account.ID, selected.Filter, cursor)
	if err != nil {
		return p, err
	}
	for i := range found {
		row := h.Row(found[i])
		p.list = append(p.list, selling.Pulled{Card: &row.Card, Photo: row.Photo, Location: format.Text(row.Location)})
	}
	selling.SortByPlace(p.list)
	p.Count, p.next = len(found), next
	if p.Count == 0 {
		p.Failed = "None of your cards is selected. Go back and choose the cards again."
	}
	return p, nil
}

// readAll reads the cards of a filter, at most maxPrinted, and the cursor of those that follow, or "".
func (h *Handlers) readAll(
	ctx context.Context, accountID string, filter cards.Filter, cursor string,
) (list []cards.Card, next string, err error) {
	for range printReads {
		request := paging.Request{Limit: min(maxPrinted-len(list), paging.MaxLimit), Cursor: cursor}
		found, err := h.Cards.List(ctx, accountID, filter, request)
		if err != nil {
			return nil, "", err
		}
		list = append(list, found.Data...)
		if found.NextCursor == nil {
			return list, "", nil
		}
		cursor = *found.NextCursor
		if len(list) == maxPrinted {
			break
		}
	}
	return list, cursor, nil
}

// address returns the address of the page with some values changed, given as pairs, or removed if they are "".
func (p toPrint) address(pairs ...string) string {
	changed := url.Values{}
	for name, values := range p.query {
		changed[name] = values
	}
	for i := 0; i < len(pairs); i += 2 {
		changed.Del(pairs[i])
		if pairs[i+1] != "" {
			changed.Set(pairs[i], pairs[i+1])
		}
	}
	return "?" + changed.Encode()
}

// refuseToPrint shows a page without cards and why its address is invalid. p is a part of its data.
func (h *Handlers) refuseToPrint(
	w http.ResponseWriter, r *http.Request, err error, p *toPrint, name, title string, data any,
) error {
	f, ok := list.Invalid(err)
	if !ok {
		return err
	}
	p.Failed = f.Message
	return h.Show(w, r, form.Status(f), name, title, data)
}
