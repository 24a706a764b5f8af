package imports

import (
	"context"
	"net/http"
	"net/url"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/cardquery"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
)

// batchesPage is the data of the page batches.
type batchesPage struct {
	Batches []ShownBatch
	Form    *form.Form // of a new batch
	list.Pager
}

// ShownBatch is a batch with its cards by status.
type ShownBatch struct {
	batches.Batch
	Counts []batchCount
}

// Identified returns the number of cards that are identified.
func (b ShownBatch) Identified() (n int64) {
	for _, part := range b.Counts {
		if part.Status.Identified() {
			n += part.Count
		}
	}
	return n
}

// batchCount is the number of a batch's cards with a status.
type batchCount struct {
	Status  cards.Status
	Count   int64
	Address string  // of the cards
	X       float64 // of its part of the bar, in percent
	Width   float64
}

// batchPage is the data of the page batch.
type batchPage struct {
	Batch   ShownBatch
	Address string // of its cards
	Form    *form.Form
}

// batchForm returns the form with the name of a batch.
func batchForm(name string) *form.Form {
	return form.New(form.Field{Name: "name", Label: "Name", Value: name, Max: batches.MaxName, Required: true})
}

// batchesPerPage is the number of rows of the page.
const batchesPerPage = 20

func (h *Handlers) ListBatches(w http.ResponseWriter, r *http.Request) error {
	return h.showBatches(w, r, http.StatusOK, batchesPage{Form: batchForm("")})
}

// showBatches adds the account's batches to the page and shows it.
func (h *Handlers) showBatches(w http.ResponseWriter, r *http.Request, status int, p batchesPage) error {
	account, query := web.VisitOf(r).Account, r.URL.Query()
	request := paging.Request{Limit: batchesPerPage, Cursor: query.Get("cursor")}
	found, err := h.Batches.List(r.Context(), account.ID, batches.Filter{}, request)
	if err != nil {
		return err
	}
	if p.Batches, err = h.WithCounts(r.Context(), account.ID, found.Data...); err != nil {
		return err
	}
	p.Pager = list.Pages("/batches", query, found.NextCursor)
	return h.Show(w, r, status, "batches", "Batches", p)
}

// WithCounts adds the numbers of cards by status, in the order of the workflow.
func (h *Handlers) WithCounts(ctx context.Context, accountID string, shown ...batches.Batch) ([]ShownBatch, error) {
	ids := make([]string, len(shown))
	for i := range shown {
		ids[i] = shown[i].ID
	}
	counts, err := h.Cards.CountByBatch(ctx, accountID, ids)
	if err != nil {
		return nil, err
	}
	rows := make([]ShownBatch, len(shown))
	for i, batch := range shown {
		rows[i] = ShownBatch{batch, batchCounts(batch.ID, counts[batch.ID])}
	}
	return rows, nil
}

// batchCounts returns the parts of a batch's bar.
func batchCounts(batchID string, counts map[cards.Status]int64) (parts []batchCount) {
	var total, before int64
	for _, count := range counts {
		total += count
	}
	for _, status := range cards.Statuses {
		count := counts[status]
		if count == 0 {
			continue
		}
		query := url.Values{"batch": {batchID}}
		parts = append(parts, batchCount{
			Status: status, Count: count, Address: cardquery.Address(query, "status", string(status)),
			X: 100 * float64(before) / float64(total), Width: 100 * float64(count) / float64(total),
		})
		before += count
	}
	return parts
}

func (h *Handlers) CreateBatch(w http.ResponseWriter, r *http.Request) error {
	f := batchForm("").Read(r.PostForm)
	err := batches.CheckName(f.Text("name"))
	if err == nil {
		var batch batches.Batch
		if batch, err = h.Batches.Create(r.Context(), web.VisitOf(r).Account.ID, f.Text("name"), nil, nil); err == nil {
			web.Redirect(w, r, "/batches/"+batch.ID)
			return nil
		}
	}
	refused, ok := list.Invalid(err)
	if !ok {
		return err
	}
	f.Refuse(refused)
	return h.showBatches(w, r, form.Status(refused), batchesPage{Form: f})
}

func (h *Handlers) ShowBatch(w http.ResponseWriter, r *http.Request) error {
	batch, err := h.Batches.Get(r.Context(), web.VisitOf(r).Account.ID, mux.Vars(r)["id"])
	if err != nil {
		return err
	}
	return h.renderBatch(w, r, http.StatusOK, batch, batchPage{Form: batchForm(batch.Name)})
}

// renderBatch adds the batch to the page and shows it.
func (h *Handlers) renderBatch(
	w http.ResponseWriter, r *http.Request, status int, b batches.Batch, p batchPage,
) error {
	shown, err := h.WithCounts(r.Context(), b.AccountID, b)
	if err != nil {
		return err
	}
	p.Batch, p.Address = shown[0], cardquery.Address(nil, "batch", b.ID)
	return h.Show(w, r, status, "batch", b.Name, p)
}

func (h *Handlers) RenameBatch(w http.ResponseWriter, r *http.Request) error {
	account := web.VisitOf(r).Account
	batch, err := h.Batches.Get(r.Context(), account.ID, mux.Vars(r)["id"])
	if err != nil {
		return err
	}
	f := batchForm(batch.Name).Read(r.PostForm)
	_, err = h.Batches.Update(r.Context(), account.ID, batch.ID, batches.Patch{Name: new(f.Text("name"))}, nil)
	if refused, ok := list.Invalid(err); ok {
		f.Refuse(refused)
		return h.renderBatch(w, r, form.Status(refused), batch, batchPage{Form: f})
	}
	if err != nil {
		return err
	}
	web.Redirect(w, r, "/batches/"+batch.ID)
	return nil
}

// batchChange is a method of the service that changes a batch.
type batchChange func(ctx context.Context, accountID, batchID string, hook postgres.TxHook) (batches.Batch, error)

func (h *Handlers) CompleteBatch(w http.ResponseWriter, r *http.Request) error {
	return h.changeBatch(w, r, h.Batches.Complete)
}

func (h *Handlers) ReopenBatch(w http.ResponseWriter, r *http.Request) error {
	return h.changeBatch(w, r, h.Batches.Reopen)
}

// changeBatch makes a change without fields.
func (h *Handlers) changeBatch(w http.ResponseWriter, r *http.Request, change batchChange) error {
	batch, err := change(r.Context(), web.VisitOf(r).Account.ID, mux.Vars(r)["id"], nil)
	if err != nil {
		return err
	}
	web.Redirect(w, r, "/batches/"+batch.ID)
	return nil
}
