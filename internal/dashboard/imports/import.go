package imports

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/photos"
)

// The paths of uploads.
const (
	csvPath    = "/import/csv"
	photosPath = "/import/photos"
)

// importPage is the data of the page import.
type importPage struct {
	Photos    *form.Form
	File      *form.Form
	Key       string // makes the photos be imported once
	Waiting   string // the name of the file that waits for its confirmation; "" if there is none
	Discarded bool   // whether a file was discarded just now
}

// Failed returns why nothing was imported, or "".
func (p importPage) Failed() string { return cmp.Or(p.Photos.Failed, p.File.Failed) }

func (h *Handlers) ShowImport(w http.ResponseWriter, r *http.Request) error {
	p, err := h.newImportPage(r)
	if err != nil {
		return err
	}
	p.Discarded = r.URL.Query().Get("done") == "discarded"
	return h.renderImport(w, r, http.StatusOK, p)
}

// newImportPage returns the page with new forms.
func (h *Handlers) newImportPage(r *http.Request) (importPage, error) {
	account := web.VisitOf(r).Account
	batches, err := h.OpenBatches(r.Context(), account.ID, "no batch")
	if err != nil {
		return importPage{}, err
	}
	return importPage{Key: web.NewKey(), Photos: photosForm(batches), File: fileForm(batches, account.Currency)}, nil
}

// noBatches are the batches of a form that is only read.
var noBatches = form.Pairs("", "no batch")

// photosForm returns the form that imports photos into one of the batches.
func photosForm(batches []form.Option) *form.Form {
	unknown := form.Pairs("", "not known")
	return form.New(
		form.Field{Name: "pairing", Label: "What the photos show", Kind: form.Choice, Options: form.Pairs(
			string(photos.PairNone), "a card each", manyCards, "several cards each, as on a page of a binder",
			string(photos.PairByOrder), "front, back, front, back …",
			string(photos.PairByName), "fronts and backs by name: fox-front, fox-back",
		)},
		form.Field{Name: "batch", Path: "batch_id", Label: "Batch", Kind: form.Choice, Options: batches},
		form.Field{Name: "location", Label: "Location", Hint: "Such as Box 4/Row 1", Max: cards.MaxLocation},
		form.Field{
			Name: "condition", Path: "identification.condition", Label: "Condition", Kind: form.Choice,
			Options: append(unknown, form.Same(cards.Conditions)...),
		},
		form.Field{
			Name: "game", Path: "identification.game", Label: "Game", Kind: form.Choice,
			Options: append(unknown, format.Options(cards.Games)...),
		},
	)
}

// fileForm returns the form that imports a file. It names batches, because the file does so too.
func fileForm(batches []form.Option, currency string) *form.Form {
	byName := slices.Clone(batches)
	for i := range byName[1:] { // the first one is no batch
		byName[i+1].Value = byName[i+1].Label
	}
	return form.New(
		form.Field{
			Name: "file_batch", Path: "batch", Label: "Batch of new cards", Kind: form.Choice, Options: byName,
		},
		form.Field{
			Name: "file_currency", Path: "currency", Label: "Currency of amounts that name none", Value: currency,
			Max: 3,
		},
		form.Field{Name: "file_conflict", Label: "Rows whose card exists", Kind: form.Choice, Options: form.Pairs(
			string(cards.UpdateConflict), "update the card", string(cards.SkipConflict), "skip",
		)},
		form.Field{Name: "file_match", Label: "Find existing cards", Kind: form.Choice, Options: form.Pairs(
			"", "by card_id and external_id", "sku", "by SKU too",
		)},
	)
}

// refuseImport shows what was typed into one of the forms and why it was refused.
func (h *Handlers) refuseImport(
	w http.ResponseWriter, r *http.Request, refused *fault.Error, sent url.Values, of func(importPage) *form.Form,
) error {
	p, err := h.newImportPage(r)
	if err != nil {
		return err
	}
	of(p).Read(sent).Refuse(refused)
	return h.renderImport(w, r, form.Status(refused), p)
}

func (h *Handlers) renderImport(w http.ResponseWriter, r *http.Request, status int, p importPage) error {
	if file, ok := h.waitingFile(r); ok && !file.Accepted {
		p.Waiting = file.Name
	}
	return h.Show(w, r, status, "import", "Import", p)
}
