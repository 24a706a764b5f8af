package dashboard

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/page"
	"github.com/cardvault/cardvault/internal/photos"
)

// The paths of uploads.
const (
	csvPath    = "/import/csv"
	photosPath = "/import/photos"
)

// importRoutes adds the routes of imports.
func (d *Dashboard) importRoutes(signedIn func(method, path string, h handler)) {
	signedIn(http.MethodGet, "/import", d.showImport)
	signedIn(http.MethodPost, csvPath, d.stageFile)
	signedIn(http.MethodGet, csvPath, d.showFile)
	signedIn(http.MethodPost, csvPath+"/accept", d.acceptFile)
	signedIn(http.MethodPost, csvPath+"/discard", d.discardFile)
	signedIn(http.MethodPost, photosPath, d.importPhotos)
	signedIn(http.MethodGet, photosPath, d.showPhotos)
}

// importPage is the data of the page import.
type importPage struct {
	Photos    []bulkField
	File      []bulkField
	Key       string            // makes the photos be imported once
	Waiting   string            // the name of the file that waits for its confirmation; "" if there is none
	Failed    string            // why nothing was imported
	Discarded bool              // whether a file was discarded just now
	form      url.Values        // what was typed; nil for new forms
	refused   map[string]string // why values were refused, by the name of the field
}

func (d *Dashboard) showImport(w http.ResponseWriter, r *http.Request) error {
	return d.renderImport(w, r, http.StatusOK, importPage{
		Key: newKey(), Discarded: r.URL.Query().Get("done") == "discarded",
	})
}

// refusedImport returns the page with what was typed, and with the reason beside the field or above the forms. The
// fields of a form have a prefix in front of the names that the reason has.
func refusedImport(form url.Values, prefix string, f *fault.Error) importPage {
	p := importPage{Key: newKey(), Failed: f.Message, form: form, refused: map[string]string{}}
	for _, detail := range f.Details {
		p.refused[prefix+strings.TrimSuffix(formField(detail.Field), "_id")] = detail.Message
	}
	return p
}

// keepTyped shows in fields what was typed, and why it was refused.
func (p *importPage) keepTyped(fields []bulkField) {
	for i := range fields {
		field := &fields[i]
		if p.form.Has(field.Name) {
			field.Value = p.form.Get(field.Name)
		}
		if field.Error = p.refused[field.Name]; field.Error != "" {
			p.Failed = "" // it stands beside the field
		}
	}
}

// renderImport adds the fields of the forms to the page and shows it.
func (d *Dashboard) renderImport(w http.ResponseWriter, r *http.Request, status int, p importPage) error {
	account := visitOf(r).Account
	open := batches.Open
	request := page.Request{Limit: batchesOffered}
	found, err := d.Batches.List(r.Context(), account.ID, batches.Filter{Status: &open}, request)
	if err != nil {
		return err
	}
	byID, byName := []option{{"", "no batch"}}, []option{{"", "no batch"}}
	for _, batch := range found.Data {
		byID, byName = append(byID, option{batch.ID, batch.Name}), append(byName, option{batch.Name, batch.Name})
	}
	any := []option{{"", "not known"}}
	p.Photos = []bulkField{
		{Name: "pairing", Label: "What the photos show", Options: []option{
			{string(photos.PairNone), "a card each"}, {manyCards, "several cards each, as on a page of a binder"},
			{string(photos.PairByOrder), "front, back, front, back …"},
			{string(photos.PairByName), "fronts and backs by name: fox-front, fox-back"},
		}},
		{Name: "batch", Label: "Batch", Options: byID},
		{Name: "location", Label: "Location", Hint: "Such as Box 4/Row 1", Max: cards.MaxLocation},
		{Name: "condition", Label: "Condition", Options: append(any, sameOptions(cards.Conditions)...)},
		{Name: "game", Label: "Game", Options: append(any, wordOptions(cards.Games)...)},
	}
	p.File = []bulkField{
		{Name: "file_batch", Label: "Batch of new cards", Options: byName},
		{Name: "file_currency", Label: "Currency of amounts that name none", Value: account.Currency, Max: 3},
		{Name: "file_conflict", Label: "Rows whose card exists", Options: []option{
			{string(cards.UpdateConflict), "update the card"}, {string(cards.SkipConflict), "skip"},
		}},
		{Name: "file_match", Label: "Find existing cards", Options: []option{
			{"", "by card_id and external_id"}, {"sku", "by SKU too"},
		}},
	}
	for _, fields := range [][]bulkField{p.Photos, p.File} {
		p.keepTyped(fields)
	}
	if file, ok := d.waitingFile(r); ok && !file.Accepted {
		p.Waiting = file.Name
	}
	return d.show(w, r, status, "import", "Import", p)
}
