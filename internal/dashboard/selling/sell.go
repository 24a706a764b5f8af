package selling

import (
	"cmp"
	"context"
	"net/http"
	"net/url"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/cardquery"
	"github.com/cardvault/cardvault/internal/dashboard/lookup"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/sales"
)

// sellPage is the data of the page sell.
type sellPage struct {
	Query    string
	Channels []string
	Rows     []sellRow
	More     bool     // whether more cards match
	Recorded *SaleRow // the sale that was just recorded, if any
	Failed   string   // why the search or the sale was refused
}

// sellRow is a card with the form that records its sale.
type sellRow struct {
	lookup.Row
	Currency string
	Form     *form.Form
}

// Why returns why the sale was refused, or "".
func (r sellRow) Why() string {
	return cmp.Or(r.Form.Error("price"), r.Form.Error("channel"), r.Form.Failed)
}

// cardsToSell is the number of cards that a search shows.
const cardsToSell = 20

// sellable are the statuses of cards that can be sold: those with a title that are neither sold nor archived.
var sellable = cards.SellableStatuses

// NewSale shows the cards that a search finds, each with a form that records its sale.
func (h *Handlers) NewSale(w http.ResponseWriter, r *http.Request) error {
	account, query := web.VisitOf(r).Account, r.URL.Query()
	p := sellPage{Query: query.Get("q"), Channels: h.Sales.Channels()}
	if id := query.Get("recorded"); id != "" {
		sale, err := h.Sales.Get(r.Context(), account.ID, id)
		if err != nil {
			return err
		}
		p.Recorded = &SaleRow{sale}
	}
	filter, active, err := cardquery.Parse(url.Values{"q": {p.Query}}, account.Currency)
	if err == nil && len(active) > 0 {
		p.Rows, p.More, err = h.findSellable(r.Context(), account.ID, account.Currency, filter)
	}
	if err == nil {
		return h.Show(w, r, http.StatusOK, "sell", "Record a sale", p)
	}
	f, ok := list.Invalid(err)
	if !ok {
		return err
	}
	p.Failed = f.Message
	return h.Show(w, r, f.Status(), "sell", "Record a sale", p)
}

func (h *Handlers) findSellable(
	ctx context.Context, accountID, currency string, filter cards.Filter,
) (rows []sellRow, more bool, err error) {
	filter.Statuses = sellable
	found, err := h.Cards.List(ctx, accountID, filter, paging.Request{Limit: cardsToSell})
	if err != nil {
		return nil, false, err
	}
	for _, card := range found.Data {
		rows = append(rows, h.sellRow(card, currency))
	}
	return rows, found.NextCursor != nil, nil
}

// sellRow returns the form of a card with the asking price. Cards without one are sold in the account's currency.
func (h *Handlers) sellRow(card cards.Card, currency string) sellRow {
	price, currency := form.Major(card.Pricing.AskingPrice, currency)
	return sellRow{h.Row(card), currency, form.New(
		form.Field{
			Name: "price", Kind: form.Amount, Max: form.MaxAmount, Value: price, Required: true, Currency: currency,
		},
		form.Field{Name: "channel", Kind: form.Choice, Value: sales.InPerson},
	)}
}

// RecordSale records the sale of a card and shows the search again, for the next card.
func (h *Handlers) RecordSale(w http.ResponseWriter, r *http.Request) error {
	account, sent := web.VisitOf(r).Account, r.PostForm
	card, err := h.Cards.Get(r.Context(), account.ID, sent.Get("card"))
	if err != nil {
		return err
	}
	row := h.sellRow(card, account.Currency)
	row.Form.Read(sent)
	if currency := form.Clean(sent.Get("currency")); money.Known(currency) {
		row.Currency, row.Form.Of("price").Currency = currency, currency
	}
	sale, err := h.sell(r.Context(), row)
	if err == nil {
		web.Redirect(w, r, "/sales/new?recorded="+sale.ID)
		return nil
	}
	refused, ok := form.Refused(err)
	if !ok {
		return err
	}
	row.Form.Refuse(refused)
	return h.Show(w, r, form.Status(refused), "sell", "Record a sale", sellPage{
		Query: sent.Get("q"), Channels: h.Sales.Channels(), Rows: []sellRow{row}, Failed: "The sale was not recorded.",
	})
}

// sell records the sale that a form describes.
func (h *Handlers) sell(ctx context.Context, row sellRow) (sales.Sale, error) {
	price := row.Form.Amount("price")
	if err := row.Form.Err(); err != nil {
		return sales.Sale{}, err
	}
	in := sales.SellInput{Channel: row.Form.Value("channel"), Price: *price}
	return h.Sales.Sell(ctx, row.AccountID, row.ID, in, nil)
}
