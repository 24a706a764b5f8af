package dashboard

import (
	"net/http"
	"net/url"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/page"
)

// cardsPage is the data of the page cards.
type cardsPage struct {
	Query   url.Values
	Active  []activeFilter
	Fields  []filterField
	Columns []sortColumn
	Rows    []cardRow
	Views   []savedView
	Actions []bulkAction
	Hidden  []hiddenField // the filters, for an action on all cards that match
	Total   cards.Totals
	Next    string // the address of the next page; "" if there is none
	First   string // the address of the first page; "" if this is it
	Failed  string // why the filters cannot be applied; "" if they can
}

// List returns the query of this page, with which a card's page leads back to it.
func (p cardsPage) List() string { return p.Query.Encode() }

// Value returns the value of a filter.
func (p cardsPage) Value(name string) string { return p.Query.Get(name) }

// Several returns the value of a filter that is none of those that can be chosen, such as two statuses of a saved view.
func (p cardsPage) Several(f filterField) string {
	if value := p.Query.Get(f.Name); !slices.Contains(f.Values, value) {
		return value
	}
	return ""
}

// cardRow is a card as a row of a table.
type cardRow struct {
	cards.Card
	Photo  string // the URL of a photo; "" if there is none
	Margin *int64 // percent of the cost; nil if it is not known
	Row    int    // its place on the page, from 0
}

// sortColumn is the head of a column by which the page can be sorted.
type sortColumn struct {
	Label   string
	Figure  bool   // whether the column has numbers
	Address string // of the page sorted by the column; "" if it cannot be
	Order   string // the value of aria-sort; "" if the page is not sorted by it
}

// cardsPerPage is the number of rows of the page.
const cardsPerPage = 50

func (d *Dashboard) listCards(w http.ResponseWriter, r *http.Request) error {
	account, query := visitOf(r).Account, r.URL.Query()
	p := cardsPage{
		Query: query, Fields: filterFields, Columns: sortColumns(query),
		Views: savedViews(query), Actions: bulkActions, Hidden: filterValues(query),
	}
	filter, active, err := parseFilter(query)
	if err != nil {
		return d.showCards(w, r, p, err)
	}
	p.Active = active
	var found page.Page[cards.Card]
	var summary *cards.Summary
	group, ctx := errgroup.WithContext(r.Context())
	group.Go(func() (err error) {
		request := page.Request{Limit: cardsPerPage, Cursor: query.Get("cursor")}
		found, err = d.Cards.List(ctx, account.ID, filter, request)
		return err
	})
	group.Go(func() (err error) {
		all := filter
		all.Sort = ""
		summary, err = d.Cards.Summarize(ctx, account.ID, all, "status")
		return err
	})
	if err := group.Wait(); err != nil {
		return d.showCards(w, r, p, err)
	}
	p.Total = summary.Total
	for i, card := range found.Data {
		row := d.cardRow(card)
		row.Row = i
		p.Rows = append(p.Rows, row)
	}
	if found.NextCursor != nil {
		p.Next = cardsAddress(query, "cursor", *found.NextCursor)
	}
	if query.Get("cursor") != "" {
		p.First = cardsAddress(query, "cursor", "")
	}
	return d.showCards(w, r, p, nil)
}

// showCards shows the page, or on it why the filters in its address are invalid.
func (d *Dashboard) showCards(w http.ResponseWriter, r *http.Request, p cardsPage, err error) error {
	if err == nil {
		return d.show(w, r, http.StatusOK, "cards", "Cards", p)
	}
	f, ok := asInvalid(err)
	if !ok {
		return err
	}
	p.Failed = f.Message
	return d.show(w, r, f.Status(), "cards", "Cards", p)
}

func (d *Dashboard) cardRow(card cards.Card) cardRow {
	row := cardRow{Card: card, Margin: margin(card.Pricing)}
	if ready := card.ReadyPhotos(); len(ready) > 0 {
		row.Photo = d.PhotoURL(card.AccountID, ready[0])
	}
	return row
}

// margin returns by how many percent the asking price exceeds the cost, if both are known and in one currency.
func margin(p cards.Pricing) *int64 {
	if p.AskingPrice == nil || p.Cost == nil || p.Cost.Amount == 0 || p.AskingPrice.Currency != p.Cost.Currency {
		return nil
	}
	percent := (p.AskingPrice.Amount - p.Cost.Amount) * 100 / p.Cost.Amount
	return &percent
}

// sortColumns returns the heads of the columns.
func sortColumns(query url.Values) []sortColumn {
	sorted := query.Get("sort")
	column := func(label, key string, figure, descendingFirst bool) sortColumn {
		first, second := key, "-"+key
		if descendingFirst {
			first, second = second, first
		}
		c := sortColumn{Label: label, Figure: figure, Address: cardsAddress(query, "sort", first)}
		switch sorted {
		case key:
			c.Order = "ascending"
		case "-" + key:
			c.Order = "descending"
		}
		if sorted == first {
			c.Address = cardsAddress(query, "sort", second)
		}
		return c
	}
	return []sortColumn{
		column("Card", "title", false, false), {Label: "Status"}, {Label: "Condition"},
		column("Asking price", "price", true, true), {Label: "Cost", Figure: true}, {Label: "Margin", Figure: true},
		column("Location", "location", false, false), column("Changed", "updated_at", false, true),
	}
}

// orNone returns the amounts of a list that may be empty.
func orNone(m *money.Money) []money.Money {
	if m == nil {
		return nil
	}
	return []money.Money{*m}
}
