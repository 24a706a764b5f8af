package settings

import (
	"net/http"
	"time"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/dashboard/lookup"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/exports"
	"github.com/cardvault/cardvault/internal/quota"
)

const exportPath = settingsPath + "/export"

// exportPageData is the data of the page accountexport.
type exportPageData struct {
	Exports  []exports.Export
	UnderWay bool // whether one is still to be written
	Wait     *lookup.Wait
	Days     int   // that an archive can be downloaded
	Kept     int64 // archives; 0 is no limit
}

func (h *Handlers) ShowExports(w http.ResponseWriter, r *http.Request) error {
	list, err := h.Exports.List(r.Context(), web.VisitOf(r).Account.ID)
	if err != nil {
		return err
	}
	kept, err := h.QuotaOf(r.Context(), web.VisitOf(r).Account.ID, quota.Exports)
	if err != nil {
		return err
	}
	p := exportPageData{Exports: list, Days: int(exports.Retention.Hours() / 24), Kept: kept.Limit}
	for _, e := range list {
		p.UnderWay = p.UnderWay || e.UnderWay()
	}
	if p.UnderWay {
		_, waits, err := h.Exports.Waiting(r.Context(), web.VisitOf(r).Account.ID)
		if err != nil {
			return err
		}
		p.Wait = lookup.NewWait(waits, h.Clock.Time())
	}
	return h.Show(w, r, http.StatusOK, "accountexport", "Export", p)
}

func (h *Handlers) RequestExport(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.Exports.Request(r.Context(), web.VisitOf(r).Account.ID); err != nil {
		return err
	}
	web.Redirect(w, r, exportPath)
	return nil
}

// DownloadExport sends an archive, or the part of it that a browser asks for to continue a download.
func (h *Handlers) DownloadExport(w http.ResponseWriter, r *http.Request) error {
	e, archive, err := h.Exports.Open(r.Context(), web.VisitOf(r).Account.ID, mux.Vars(r)["id"])
	if err != nil {
		return err
	}
	defer archive.Close()
	name := "cardvault-" + e.CreatedAt.UTC().Format(time.DateOnly) + ".zip"
	header := w.Header()
	header.Set("Content-Type", "application/zip")
	header.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	header.Set("ETag", `"`+e.ID+`"`)
	http.ServeContent(web.NewPatientWriter(w), r, "", time.Time{}, archive)
	return nil
}
