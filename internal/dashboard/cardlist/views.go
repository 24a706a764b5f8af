package cardlist

import (
	"net/http"
	"net/url"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/cardquery"
	"github.com/cardvault/cardvault/internal/dashboard/lookup"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/quota"
	"github.com/cardvault/cardvault/internal/views"
)

// savedView is a link to the cards of a filter.
type savedView struct {
	Label, Address string
	Current        bool // whether the page shows it
}

// savedViews returns the views above the table of cards: those that every account has, in the chosen columns, then the
// account's own.
func savedViews(query url.Values, own []views.View) []savedView {
	shown, ready := viewQuery(query), true
	var mine []savedView
	for _, v := range own {
		current := v.Query == shown
		ready = ready && !current
		mine = append(mine, savedView{v.Name, viewAddress(v), current})
	}
	view := func(label, statuses string) savedView {
		current := ready && len(cardquery.Hidden(query)) == 1 && query.Get("status") == statuses
		return savedView{label, cardquery.Address(columnsOf(query), "status", statuses), current}
	}
	return append([]savedView{
		{"All", cardquery.Address(columnsOf(query), "", ""), ready && len(cardquery.Hidden(query)) == 0},
		view("Needs review", string(cards.NeedsReview)),
		view("Priced, not listed", string(cards.Priced)+","+string(cards.Photographed)),
		view("Ready to list", string(cards.Photographed)),
	}, mine...)
}

// viewQuery returns the query that a view stores.
func viewQuery(query url.Values) string { return storedValues(query).Encode() }

// storedValues returns the part of a query that a view stores: filters, order and columns.
func storedValues(query url.Values) url.Values {
	stored := url.Values{}
	for _, filter := range cardquery.Hidden(query) {
		stored.Set(filter.Name, filter.Value)
	}
	for _, name := range []string{"sort", "columns"} {
		if value := query.Get(name); value != "" {
			stored.Set(name, value)
		}
	}
	return stored
}

// viewAddress returns the address of a view.
func viewAddress(v views.View) string {
	query, err := url.ParseQuery(v.Query)
	if err != nil { // views are stored as viewQuery encodes them
		return "/cards"
	}
	return cardquery.Address(query, "", "")
}

// SaveError returns why the view was not saved, or "".
func (p *cardsPage) SaveError() string {
	if why := p.Save.Error("name"); why != "" {
		return why
	}
	return p.Save.Failed
}

// ViewQuery returns what a view of the page stores.
func (p *cardsPage) ViewQuery() string { return viewQuery(p.Query) }

// viewForm returns the form that saves a view.
func viewForm() *form.Form { return form.New(form.Field{Name: "name", Label: "Name"}) }

// SaveView saves the cards of a query as a view.
func (h *Handlers) SaveView(w http.ResponseWriter, r *http.Request) error {
	query, err := url.ParseQuery(r.PostForm.Get("query"))
	if err != nil {
		return fault.New(fault.InvalidRequest, "The form could not be read. Open the page again and repeat it.")
	}
	account := web.VisitOf(r).Account
	f, query := viewForm().Read(r.PostForm), storedValues(query)
	if _, _, err = cardquery.Parse(query, account.Currency); err == nil {
		err = h.SavedViews.Save(r.Context(), account.ID, f.Text("name"), query.Encode())
	}
	refused, ok := fault.As(err)
	if ok && (refused.Code == fault.InvalidRequest || refused.Code == fault.QuotaExceeded) {
		f.Refuse(refused)
		return h.renderCards(w, r, query, f)
	}
	if err != nil {
		return err
	}
	web.Redirect(w, r, cardquery.Address(query, "", ""))
	return nil
}

// viewsPage is the data of the page views.
type viewsPage struct {
	Views []ownView
	Most  int64 // 0 is no limit
}

// ownView is a view of the account with what it shows.
type ownView struct {
	views.View
	Address string
	Filters []list.Active
	Failed  string // why a filter is invalid now; "" if none is
}

func (h *Handlers) ListViews(w http.ResponseWriter, r *http.Request) error {
	account := web.VisitOf(r).Account
	found, err := h.SavedViews.List(r.Context(), account.ID)
	if err != nil {
		return err
	}
	most, err := h.QuotaOf(r.Context(), web.VisitOf(r).Account.ID, quota.Views)
	if err != nil {
		return err
	}
	p := viewsPage{Most: most.Limit}
	for _, v := range found {
		p.Views = append(p.Views, newOwnView(v, account.Currency))
	}
	return h.Show(w, r, http.StatusOK, "views", "Views", p)
}

// newOwnView returns a view with its filters in words. Prices are in the currency unless the view names another one.
func newOwnView(v views.View, currency string) ownView {
	own := ownView{View: v, Address: viewAddress(v)}
	query, err := url.ParseQuery(v.Query)
	if err == nil {
		_, own.Filters, err = cardquery.Parse(query, currency)
	}
	if err == nil {
		_, err = parseColumns(query)
	}
	own.Failed = lookup.Reason(err)
	return own
}

func (h *Handlers) DeleteView(w http.ResponseWriter, r *http.Request) error {
	if err := h.SavedViews.Delete(r.Context(), web.VisitOf(r).Account.ID, mux.Vars(r)["id"]); err != nil {
		return err
	}
	web.Redirect(w, r, "/cards/views")
	return nil
}
