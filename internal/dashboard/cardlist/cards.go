package cardlist

import (
	"context"
	"net/http"
	"net/url"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/cardquery"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/paging"
)

// cardsPage is the data of the page cards.
type cardsPage struct {
	Query   url.Values
	account accounts.Account
	Active  []list.Active
	Columns []column // those that are shown besides the card
	Rows    []tableRow
	Views   []savedView
	Hidden  []form.Hidden // the filters, for an action on all cards that match
	Total   cards.Totals
	list.Pager
	Failed  string            // why the filters cannot be applied; "" if they can
	Refused map[string]string // messages by the names of the filters that are invalid
	Save    *form.Form        // that saves the query as a view
}

// Value returns the value of a filter.
func (p *cardsPage) Value(name string) string { return p.Query.Get(name) }

// PerPage is the number of rows of the page.
const PerPage = 50

func (h *Handlers) ListCards(w http.ResponseWriter, r *http.Request) error {
	query := withOneValue(r.URL.Query(), "columns")
	if r.Header.Get("HX-Request") == "true" { // the search, which has all fields of the form in its address
		w.Header().Set("HX-Replace-Url", cardquery.Address(query, "", ""))
	}
	return h.renderCards(w, r, query, viewForm())
}

// renderCards shows the cards of a query, with the form that saves the query as a view.
func (h *Handlers) renderCards(w http.ResponseWriter, r *http.Request, query url.Values, save *form.Form) error {
	account := web.VisitOf(r).Account
	own, err := h.SavedViews.List(r.Context(), account.ID)
	if err != nil {
		return err
	}
	p := cardsPage{
		Query: query, account: account, Views: savedViews(query, own), Hidden: cardquery.Hidden(query), Save: save,
	}
	var badColumns error
	p.Columns, badColumns = parseColumns(query)
	filter, active, err := cardquery.Parse(query, account.Currency)
	if err == nil {
		err = badColumns
	}
	if err == nil {
		p.Active = active
		err = h.loadCards(r.Context(), &p, account.ID, filter)
	}
	return h.showCards(w, r, p, err)
}

// loadCards reads the cards of the page and the totals of all that match.
func (h *Handlers) loadCards(ctx context.Context, p *cardsPage, accountID string, filter cards.Filter) error {
	request := paging.Request{Limit: PerPage, Cursor: p.Query.Get("cursor")}
	found, err := h.Cards.ListSummed(ctx, accountID, filter, request, "status")
	if err != nil {
		return err
	}
	p.Total = found.Summary.Total
	names, err := h.batchNames(ctx, p, accountID, found.Data)
	if err != nil {
		return err
	}
	p.Rows = make([]tableRow, len(found.Data))
	origin := p.origin()
	for i := range found.Data {
		card := &found.Data[i]
		p.Rows[i] = p.row(listedCard{card, names}, origin+url.QueryEscape(found.Places[i]), h.PhotoOf(card))
	}
	p.Pager = list.NewPager(request.Cursor, found.NextCursor, func(cursor string) string {
		return cardquery.Address(p.Query, "cursor", cursor)
	})
	return nil
}

// showCards shows the page, or on it why the filters in its address are invalid.
func (h *Handlers) showCards(w http.ResponseWriter, r *http.Request, p cardsPage, err error) error {
	status := http.StatusOK
	if p.Save.Failed != "" {
		status = http.StatusUnprocessableEntity
	}
	if err != nil {
		f, ok := list.Invalid(err)
		if !ok {
			return err
		}
		status, p.Failed, p.Refused = f.Status(), f.Message, map[string]string{}
		for _, detail := range f.Details {
			p.Refused[detail.Field] = detail.Message
		}
		if p.marked() {
			p.Failed = list.Marked
		}
	}
	return h.Show(w, r, status, "cards", "Cards", &p)
}

// margin returns by how many percent the asking price exceeds the cost, if both are known and in one currency.
func margin(p cards.Pricing) *int64 {
	if p.AskingPrice == nil || p.Cost == nil || p.Cost.Amount == 0 || p.AskingPrice.Currency != p.Cost.Currency {
		return nil
	}
	percent := (p.AskingPrice.Amount - p.Cost.Amount) * 100 / p.Cost.Amount
	return &percent
}
