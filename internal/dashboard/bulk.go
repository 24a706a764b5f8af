package dashboard

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/jobs"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/page"
	"github.com/cardvault/cardvault/internal/postgres"
)

// bulkRoutes adds the routes of changes to many cards.
func (d *Dashboard) bulkRoutes(signedIn func(method, path string, h handler)) {
	signedIn(http.MethodGet, "/cards/bulk", d.confirmBulk)
	signedIn(http.MethodPost, "/cards/bulk", d.startBulk)
	signedIn(http.MethodGet, "/jobs", d.listJobs)
	signedIn(http.MethodGet, "/jobs/{id}", d.showJob)
	signedIn(http.MethodPost, "/jobs/{id}/cancel", d.cancelJob)
	signedIn(http.MethodPost, "/jobs/{id}/undo", d.undoJob)
}

// bulkPage is the data of the page that confirms an action.
type bulkPage struct {
	Action bulkAction
	Title  string
	Count  int64
	First  []bulkRow
	Fields []bulkField
	Hidden []hiddenField
	Key    string // makes the action happen once
	Back   string // the address of the cards
	Failed string // why nothing can be done; "" if it can
}

// bulkRow is a card that an action changes.
type bulkRow struct {
	cardRow
	New      *money.Money // its new price, if the page shows one
	Unpriced string       // why there is no new price; "" if there is one or the page shows none
}

// Previews reports whether the page can show the new prices before they are set.
func (p bulkPage) Previews() bool { return p.Action.Name == "percent" || p.Action.Name == "estimate" }

// preview adds the new prices to the page, as the values of its address ask for. Those from the look-up need none.
func (d *Dashboard) preview(ctx context.Context, p *bulkPage, accountID string, query url.Values) error {
	if !p.Previews() || p.Action.Name == "percent" && !query.Has("new_percent") {
		return nil
	}
	for i := range p.Fields {
		p.Fields[i].Value = query.Get(p.Fields[i].Name)
	}
	var request jobs.Request
	if err := p.Action.describe(&request, query); err != nil {
		return err
	}
	if err := request.PriceChange.Check(); err != nil {
		return err
	}
	if request.PriceChange.OfEstimate {
		return d.previewEstimates(ctx, p.First, accountID, *request.PriceChange)
	}
	for i := range p.First {
		if price := p.First[i].Pricing.AskingPrice; price != nil {
			p.First[i].setNew(*request.PriceChange, *price)
		}
	}
	return nil
}

// previewEstimates adds the new prices of a change of estimates.
func (d *Dashboard) previewEstimates(
	ctx context.Context, rows []bulkRow, accountID string, change cards.PriceChange,
) error {
	ids := make([]string, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	prices, refused, err := d.Pricing.Estimates(ctx, accountID, ids)
	if err != nil {
		return err
	}
	for i := range rows {
		if refused[i] != nil {
			rows[i].Unpriced = reason(refused[i])
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
		r.Unpriced = reason(err)
		return
	}
	r.New = &changed
}

// More returns the number of cards that First leaves out.
func (p bulkPage) More() int64 { return p.Count - int64(len(p.First)) }

const (
	// bulkFirst is the number of cards that the confirmation shows.
	bulkFirst = 5
	// batchesOffered is the number of batches of a choice.
	batchesOffered = page.MaxLimit
)

// confirmBulk shows what an action will do. An action that changes nothing needs no confirmation.
func (d *Dashboard) confirmBulk(w http.ResponseWriter, r *http.Request) error {
	account, query := visitOf(r).Account, r.URL.Query()
	selected, err := parseSelection(query, account.Currency)
	if err != nil {
		return d.showBulk(w, r, bulkPage{Title: "Cards", Back: "/cards"}, err)
	}
	action, err := bulkActionOf(query.Get("action"))
	if err != nil {
		return d.showBulk(w, r, bulkPage{Title: "Cards", Back: selected.Back}, err)
	}
	if action.page != "" {
		redirect(w, r, selected.address(action.page))
		return nil
	}
	p, err := d.newBulkPage(r.Context(), account, action, selected)
	if err != nil {
		return err
	}
	p.Key = newKey()
	return d.showBulk(w, r, p, d.preview(r.Context(), &p, account.ID, query))
}

// newBulkPage returns the page of an action, with the cards that it changes.
func (d *Dashboard) newBulkPage(
	ctx context.Context, account accounts.Account, action bulkAction, selected selection,
) (bulkPage, error) {
	p := bulkPage{
		Action: action, Fields: action.fields, Back: selected.Back,
		Hidden: append(selected.hidden(), hiddenField{"action", action.Name}),
	}
	count, first, err := d.count(ctx, account.ID, selected, bulkFirst)
	if err != nil {
		return p, err
	}
	p.Count, p.Title = count, action.Title(count)
	if selected.IDs == nil {
		p.Hidden = append(p.Hidden, hiddenField{"expected_count", strconv.FormatInt(count, 10)})
	}
	for _, card := range first {
		p.First = append(p.First, bulkRow{cardRow: d.cardRow(card)})
	}
	if count == 0 {
		p.Failed = "None of your cards is selected. Go back and choose the cards again."
	}
	for i := range p.Fields {
		field := &p.Fields[i]
		if field.Name == "new_currency" {
			field.Value = account.Currency
		}
		if field.batches {
			if field.Options, err = d.openBatches(ctx, account.ID, "no batch"); err != nil {
				return p, err
			}
		}
	}
	return p, nil
}

// openBatches returns the account's open batches as options, the newest first, after one for none.
func (d *Dashboard) openBatches(ctx context.Context, accountID, none string) ([]option, error) {
	open := batches.Open
	found, err := d.Batches.List(ctx, accountID, batches.Filter{Status: &open}, page.Request{Limit: batchesOffered})
	if err != nil {
		return nil, err
	}
	options := []option{{"", none}}
	for _, batch := range found.Data {
		options = append(options, option{batch.ID, batch.Name})
	}
	return options, nil
}

// showBulk shows the page, or on it what is wrong.
func (d *Dashboard) showBulk(w http.ResponseWriter, r *http.Request, p bulkPage, err error) error {
	status := http.StatusOK
	if err != nil {
		f, ok := asInvalid(err)
		if !ok {
			return err
		}
		status, p.Failed = http.StatusUnprocessableEntity, f.Message
		for i := range p.Fields {
			for _, detail := range f.Details {
				if p.Fields[i].Name == bulkFieldOf(detail.Field) {
					p.Fields[i].Error, p.Failed = detail.Message, ""
				}
			}
		}
	}
	return d.show(w, r, status, "bulk", p.Title, p)
}

// bulkFieldOf returns the name of the form's field that a fault's detail is about: new_price for
// patch.pricing.asking_price.amount, new_percent for price_change.percent.
func bulkFieldOf(path string) string {
	if strings.HasPrefix(path, "new_") {
		return path
	}
	return "new_" + strings.TrimPrefix(formField(strings.TrimPrefix(path, "patch.")), "asking_")
}

// startBulk creates the job of an action and leads to its page.
func (d *Dashboard) startBulk(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	account, form := visitOf(r).Account, r.PostForm
	selected, err := parseSelection(form, account.Currency)
	if err != nil {
		return err
	}
	action, err := bulkActionOf(form.Get("action"))
	if err != nil {
		return err
	}
	if action.kind == "" {
		return fault.Invalid("action", "does not change cards")
	}
	p, err := d.newBulkPage(r.Context(), account, action, selected)
	if err != nil {
		return err
	}
	if p.Count == 0 {
		return d.showBulk(w, r, p, fault.New(fault.InvalidRequest, "%s", p.Failed))
	}
	jobID, err := d.createJob(r, action, selected, form)
	if err == nil {
		redirect(w, r, "/jobs/"+jobID)
		return nil
	}
	p.Key = form.Get("key")
	for i := range p.Fields {
		p.Fields[i].Value = form.Get(p.Fields[i].Name)
	}
	if f, ok := fault.As(err); ok && f.Code == fault.UnexpectedCount {
		p.Key = newKey() // the form that is shown now expects another number
		p.Failed = "The number of cards has changed since you opened this page. Check it, then confirm again."
		return d.show(w, r, f.Status(), "bulk", p.Title, p)
	}
	return d.showBulk(w, r, p, err)
}

// createJob creates the job that a form asks for, unless the same form created it before. It returns the identifier.
func (d *Dashboard) createJob(r *http.Request, action bulkAction, selected selection, form url.Values) (string, error) {
	account := visitOf(r).Account
	request := jobs.Request{Kind: action.kind, CardIDs: selected.IDs}
	if selected.IDs == nil {
		expected, err := strconv.Atoi(form.Get("expected_count"))
		if err != nil || expected < 0 {
			return "", fault.New(fault.UnexpectedCount, "The form does not say how many cards it showed.")
		}
		request.Filter, request.Expected = &selected.Filter, &expected
	}
	if action.describe != nil {
		if err := action.describe(&request, form); err != nil {
			return "", err
		}
	}
	if batchID := typed(form, "new_batch"); batchID != "" {
		if _, err := d.Batches.Get(r.Context(), account.ID, batchID); err != nil {
			return "", err
		}
	}
	create := func(ctx context.Context, hook postgres.TxHook) ([]byte, error) {
		job, err := d.Jobs.Create(ctx, account.ID, request, account.Sandbox, hook)
		return []byte(job.ID), err
	}
	jobID, err := d.once(r, form.Get("key"), hashForm(form), create)
	return string(jobID), err
}
