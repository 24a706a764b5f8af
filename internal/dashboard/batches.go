package dashboard

import (
	"context"
	"net/http"
	"net/url"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/page"
	"github.com/cardvault/cardvault/internal/postgres"
)

// batchRoutes adds the routes of batches.
func (d *Dashboard) batchRoutes(signedIn func(method, path string, h handler)) {
	signedIn(http.MethodGet, "/batches", d.listBatches)
	signedIn(http.MethodPost, "/batches", d.createBatch)
	signedIn(http.MethodGet, "/batches/{id}", d.showBatch)
	signedIn(http.MethodPost, "/batches/{id}", d.renameBatch)
	signedIn(http.MethodPost, "/batches/{id}/complete", d.changeBatch((*batches.Service).Complete))
	signedIn(http.MethodPost, "/batches/{id}/reopen", d.changeBatch((*batches.Service).Reopen))
}

// batchesPage is the data of the page batches.
type batchesPage struct {
	Batches     []shownBatch
	Name        string // typed for a new batch
	Failed      string // why no batch was created
	Next, First string // addresses of pages; "" if there is none
}

// shownBatch is a batch with its cards by status.
type shownBatch struct {
	batches.Batch
	Counts []batchCount
}

// Identified returns the number of cards that are identified.
func (b shownBatch) Identified() (n int64) {
	for _, part := range b.Counts {
		if part.Status != cards.Imported && part.Status != cards.NeedsReview {
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
	Batch   shownBatch
	Address string // of its cards
	Name    string // in the form
	Failed  string // why it was not renamed
}

// batchesPerPage is the number of rows of the page.
const batchesPerPage = 20

func (d *Dashboard) listBatches(w http.ResponseWriter, r *http.Request) error {
	return d.showBatches(w, r, http.StatusOK, batchesPage{})
}

// showBatches adds the account's batches to the page and shows it.
func (d *Dashboard) showBatches(w http.ResponseWriter, r *http.Request, status int, p batchesPage) error {
	account, cursor := visitOf(r).Account, r.URL.Query().Get("cursor")
	request := page.Request{Limit: batchesPerPage, Cursor: cursor}
	found, err := d.Batches.List(r.Context(), account.ID, batches.Filter{}, request)
	if err != nil {
		return err
	}
	if p.Batches, err = d.withCounts(r.Context(), account.ID, found.Data...); err != nil {
		return err
	}
	p.Next, p.First = pageAddresses("/batches", cursor, found.NextCursor)
	return d.show(w, r, status, "batches", "Batches", p)
}

// withCounts adds the numbers of cards by status, in the order of the workflow.
func (d *Dashboard) withCounts(ctx context.Context, accountID string, list ...batches.Batch) ([]shownBatch, error) {
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].ID
	}
	counts, err := d.Cards.CountByBatch(ctx, accountID, ids)
	if err != nil {
		return nil, err
	}
	shown := make([]shownBatch, len(list))
	for i, batch := range list {
		shown[i] = shownBatch{batch, batchCounts(batch.ID, counts[batch.ID])}
	}
	return shown, nil
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
			Status: status, Count: count, Address: cardsAddress(query, "status", string(status)),
			X: 100 * float64(before) / float64(total), Width: 100 * float64(count) / float64(total),
		})
		before += count
	}
	return parts
}

func (d *Dashboard) createBatch(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	name := typed(r.PostForm, "name")
	err := batches.CheckName(name)
	if err == nil {
		var made batches.Batch
		if made, err = d.Batches.Create(r.Context(), visitOf(r).Account.ID, name, nil, nil); err == nil {
			redirect(w, r, "/batches/"+made.ID)
			return nil
		}
	}
	f, ok := asInvalid(err)
	if !ok {
		return err
	}
	return d.showBatches(w, r, formStatus(f), batchesPage{Name: name, Failed: f.Message})
}

func (d *Dashboard) showBatch(w http.ResponseWriter, r *http.Request) error {
	batch, err := d.Batches.Get(r.Context(), visitOf(r).Account.ID, mux.Vars(r)["id"])
	if err != nil {
		return err
	}
	return d.renderBatch(w, r, http.StatusOK, batch, batchPage{Name: batch.Name})
}

// renderBatch adds the batch to the page and shows it.
func (d *Dashboard) renderBatch(
	w http.ResponseWriter, r *http.Request, status int, b batches.Batch, p batchPage,
) error {
	shown, err := d.withCounts(r.Context(), b.AccountID, b)
	if err != nil {
		return err
	}
	p.Batch, p.Address = shown[0], cardsAddress(nil, "batch", b.ID)
	return d.show(w, r, status, "batch", b.Name, p)
}

func (d *Dashboard) renameBatch(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	account, name := visitOf(r).Account, typed(r.PostForm, "name")
	batch, err := d.Batches.Get(r.Context(), account.ID, mux.Vars(r)["id"])
	if err != nil {
		return err
	}
	_, err = d.Batches.Update(r.Context(), account.ID, batch.ID, batches.Patch{Name: &name}, nil)
	if f, ok := fault.As(err); ok && f.Code == fault.InvalidRequest {
		return d.renderBatch(w, r, formStatus(f), batch, batchPage{Name: name, Failed: f.Message})
	}
	if err != nil {
		return err
	}
	redirect(w, r, "/batches/"+batch.ID)
	return nil
}

// batchChange is a method of the service that changes a batch.
type batchChange func(
	s *batches.Service, ctx context.Context, accountID, batchID string, hook postgres.TxHook,
) (batches.Batch, error)

// changeBatch returns the handler of a change without fields.
func (d *Dashboard) changeBatch(change batchChange) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		batch, err := change(d.Batches, r.Context(), visitOf(r).Account.ID, mux.Vars(r)["id"], nil)
		if err != nil {
			return err
		}
		redirect(w, r, "/batches/"+batch.ID)
		return nil
	}
}
