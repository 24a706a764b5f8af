package cardlist

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/cardvault/cardvault/internal/dashboard/cardquery"
	"github.com/cardvault/cardvault/internal/dashboard/web"
)

// ExportCards sends the selected cards as a CSV file, which is never in memory as a whole.
func (h *Handlers) ExportCards(w http.ResponseWriter, r *http.Request) error {
	selected, err := cardquery.SelectionToRead(r)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), web.FileTimeout)
	defer cancel()
	web.ExtendDeadlines(w, web.FileTimeout)
	file := web.NewFile(w, h.exportName(r))
	if r.Method == http.MethodHead {
		file.Begin()
		return nil
	}
	out := bufio.NewWriterSize(file, web.FileBuffer)
	_, err = h.CSVFiles.Export(ctx, out, web.VisitOf(r).Account.ID, selected.Filter, nil)
	if err == nil {
		err = out.Flush()
	}
	return h.Cut(ctx, file, err)
}

// exportName returns the name of a file that is exported now.
func (h *Handlers) exportName(r *http.Request) string {
	day := h.Today(web.VisitOf(r).Account)
	return fmt.Sprintf("cards-%s.csv", day.Format(time.DateOnly))
}
