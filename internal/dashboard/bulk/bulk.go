package bulk

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/cardquery"
	"github.com/cardvault/cardvault/internal/dashboard/lookup"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/jobs"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
)

// bulkPage is the data of the page that confirms an action.
type bulkPage struct {
	Action bulkAction
	Title  string
	Count  int64
	First  []bulkRow
	Form   *form.Form
	Hidden []form.Hidden
	Key    string // makes the action happen once
	Back   string // the address of the cards
}

// bulkRow is a card that an action changes.
type bulkRow struct {
	lookup.Row
	New      *money.Money // its new price, if the page shows one
	Unpriced string       // why there is no new price; "" if there is one or the page shows none
}

// Previews reports whether the page can show the new prices before they are set.
func (p bulkPage) Previews() bool { return p.Action.Name == "percent" || p.Action.Name == "estimate" }

// preview adds the new prices to the page, as the values of its address ask for. Those from the look-up need none.
func (h *Handlers) preview(ctx context.Context, p *bulkPage, accountID string, query url.Values) error {
	if !p.Previews() || p.Action.Name == "percent" && !query.Has(newPercent) {
		return nil
	}
	var request jobs.Request
	p.Action.describe(&request, p.Form.Read(query))
	if err := p.Form.Err(); err != nil {
		return err
	}
	if err := request.PriceChange.Check(); err != nil {
		return fault.Within("price_change", err)
	}
	if request.PriceChange.OfEstimate {
		return h.previewEstimates(ctx, p.First, accountID, *request.PriceChange)
	}
	for i := range p.First {
		if price := p.First[i].Pricing.AskingPrice; price != nil {
			p.First[i].setNew(*request.PriceChange, *price)
		}
	}
	return nil
}

// previewEstimates adds the new prices of a change of estimates.
func (h *Handlers) previewEstimates(
	ctx context.Context, rows []bulkRow, accountID string, change cards.PriceChange,
) error {
	ids := make([]string, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	prices, refused, err := h.Pricing.Estimates(ctx, accountID, ids)
	if err != nil {
		return err
	}
	for i := range rows {
		if refused[i] != nil {
			rows[i].Unpriced = lookup.Reason(refused[i])
			continue
		}
		rows[i].setNew(change, prices[i])
	}
	return nil
}

// setNew shows the new price of the card, or why the job will refuse it.
func (r *bulkRow) setNew(change cards.PriceChange, price money.Money) {
	changed, err := change.Changed(price)
	if err != nil {
		r.Unpriced = lookup.Reason(err)
		return
	}
	r.New = &changed
}

// More returns the number of cards that First leaves out.
func (p bulkPage) More() int64 { return p.Count - int64(len(p.First)) }

// bulkFirst is the number of cards that the confirmation shows.
const bulkFirst = 5

// ConfirmBulk shows what an action will do. An action that changes nothing needs no confirmation.
func (h *Handlers) ConfirmBulk(w http.ResponseWriter, r *http.Request) error {
	account, query := web.VisitOf(r).Account, r.URL.Query()
	selected, err := cardquery.ParseSelection(query, account.Currency)
	if err != nil {
		return h.showBulk(w, r, bulkPage{Title: "Cards", Form: form.New(), Back: "/cards"}, err)
	}
	action, err := bulkActionOf(query.Get("action"))
	if err != nil {
		return h.showBulk(w, r, bulkPage{Title: "Cards", Form: form.New(), Back: selected.Back}, err)
	}
	if action.page != "" {
		web.Redirect(w, r, selected.Address(action.page))
		return nil
	}
	p, err := h.newBulkPage(r.Context(), account, action, selected)
	if err != nil {
		return err
	}
	p.Key = web.NewKey()
	return h.showBulk(w, r, p, h.preview(r.Context(), &p, account.ID, query))
}

// newBulkPage returns the page of an action, with the cards that it changes.
func (h *Handlers) newBulkPage(
	ctx context.Context, account accounts.Account, action bulkAction, selected cardquery.Selection,
) (bulkPage, error) {
	p := bulkPage{
		Action: action, Form: form.New(action.fields...), Back: selected.Back,
		Hidden: append(selected.Hidden(), form.Hidden{Name: "action", Value: action.Name}),
	}
	count, first, err := h.count(ctx, account.ID, selected, bulkFirst)
	if err != nil {
		return p, err
	}
	p.Count, p.Title = count, action.Title(count)
	if selected.IDs == nil {
		p.Hidden = append(p.Hidden, form.Hidden{Name: "expected_count", Value: strconv.FormatInt(count, 10)})
	}
	for _, card := range first {
		p.First = append(p.First, bulkRow{Row: h.Row(card)})
	}
	if count == 0 {
		p.Form.Failed = "None of your cards is selected. Go back and choose the cards again."
	}
	if p.Form.Declares(newCurrency) {
		p.Form.Of(newCurrency).Value = account.Currency
	}
	if p.Form.Declares(newBatch) {
		p.Form.Of(newBatch).Options, err = h.OpenBatches(ctx, account.ID, "no batch")
	}
	return p, err
}

// showBulk shows the page, with the error if there is one.
func (h *Handlers) showBulk(w http.ResponseWriter, r *http.Request, p bulkPage, err error) error {
	status := http.StatusOK
	if err != nil {
		f, ok := list.Invalid(err)
		if !ok {
			return err
		}
		status = http.StatusUnprocessableEntity
		p.Form.Refuse(f)
	}
	return h.Show(w, r, status, "bulk", p.Title, p)
}

// StartBulk creates the job of an action and leads to its page.
func (h *Handlers) StartBulk(w http.ResponseWriter, r *http.Request) error {
	account, sent := web.VisitOf(r).Account, r.PostForm
	selected, err := cardquery.ParseSelection(sent, account.Currency)
	if err != nil {
		return err
	}
	action, err := bulkActionOf(sent.Get("action"))
	if err != nil {
		return err
	}
	if action.kind == "" {
		return fault.Invalid("action", "does not change cards")
	}
	p, err := h.newBulkPage(r.Context(), account, action, selected)
	if err != nil {
		return err
	}
	if p.Count == 0 {
		return h.showBulk(w, r, p, fault.New(fault.InvalidRequest, "%s", p.Form.Failed))
	}
	jobID, err := h.createJob(r, action, selected, p.Form.Read(sent))
	if err == nil {
		web.Redirect(w, r, "/jobs/"+jobID)
		return nil
	}
	p.Key = sent.Get("key")
	if f, ok := fault.As(err); ok && f.Code == fault.UnexpectedCount {
		p.Key = web.NewKey() // the form that is shown now expects another number
		p.Form.Failed = "The number of cards has changed since you opened this page. Check it, then confirm again."
		return h.Show(w, r, f.Status(), "bulk", p.Title, p)
	}
	return h.showBulk(w, r, p, err)
}

// createJob creates the job that a form asks for, unless the same form created it before. It returns the identifier.
func (h *Handlers) createJob(
	r *http.Request, action bulkAction, selected cardquery.Selection, f *form.Form,
) (string, error) {
	account, sent := web.VisitOf(r).Account, r.PostForm
	request := jobs.Request{Kind: action.kind, CardIDs: selected.IDs}
	if selected.IDs == nil {
		expected, err := strconv.Atoi(sent.Get("expected_count"))
		if err != nil || expected < 0 {
			return "", fault.New(fault.UnexpectedCount, "The form does not say how many cards it showed.")
		}
		request.Filter, request.Expected = &selected.Filter, &expected
	}
	if action.describe != nil {
		action.describe(&request, f)
	}
	if err := f.Err(); err != nil {
		return "", err
	}
	if f.Declares(newBatch) && f.Sent(newBatch) != "" {
		if _, err := h.Batches.Get(r.Context(), account.ID, f.Text(newBatch)); err != nil {
			return "", err
		}
	}
	create := func(ctx context.Context, hook postgres.TxHook) ([]byte, error) {
		job, err := h.Jobs.Create(ctx, account.ID, request, account.Sandbox, hook)
		return []byte(job.ID), err
	}
	jobID, err := h.Once(r, sent.Get("key"), web.HashForm(sent), create)
	return string(jobID), err
}

// count returns the number of the account's cards of the selection and the first ones. jobs.Create counts the cards
// again and refuses another number, so count never uses a kept summary.
func (h *Handlers) count(
	ctx context.Context, accountID string, s cardquery.Selection, first int,
) (int64, []cards.Card, error) {
	summary, err := h.Cards.SummarizeNow(ctx, accountID, s.Filter, "status")
	if err != nil {
		return 0, nil, err
	}
	found, err := h.Cards.List(ctx, accountID, s.Filter, paging.Request{Limit: first})
	if err != nil {
		return 0, nil, err
	}
	return summary.Total.Count, found.Data, nil
}
