package dashboard

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"time"
)

const (
	// exportTimeout is how long the download of an export may take.
	exportTimeout = 10 * time.Minute
	// exportBuffer is how much of a file is written at once, in bytes. Errors before that are shown as a page.
	exportBuffer = 64 << 10
)

// exportCards sends the selected cards as a CSV file, which is never in memory as a whole.
func (d *Dashboard) exportCards(w http.ResponseWriter, r *http.Request) error {
	selected, err := selectionToRead(r)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), exportTimeout)
	defer cancel()
	extendDeadlines(w, exportTimeout)
	download := &download{ResponseWriter: w, name: d.exportName(r)}
	if r.Method == http.MethodHead {
		download.begin()
		return nil
	}
	out := bufio.NewWriterSize(download, exportBuffer)
	_, err = d.CSVFiles.Export(ctx, out, visitOf(r).Account.ID, selected.Filter, nil)
	if err == nil {
		err = out.Flush()
	}
	return d.cut(ctx, download, err)
}

// cut returns the error of a download, or aborts a download that has begun: the browser must not take a part of the
// file for all of it.
func (d *Dashboard) cut(ctx context.Context, o *download, err error) error {
	if err != nil && o.begun {
		d.Logger.WarnContext(ctx, "dashboard: export cut", "error", err)
		panic(http.ErrAbortHandler)
	}
	return err
}

// exportName returns the name of a file that is exported now.
func (d *Dashboard) exportName(r *http.Request) string {
	day := d.today(visitOf(r).Account)
	return fmt.Sprintf("cards-%s.csv", day.Format(time.DateOnly))
}

// download sets the headers of a file with its first bytes.
type download struct {
	http.ResponseWriter
	name  string
	begun bool
}

// Write implements io.Writer.
func (o *download) Write(p []byte) (int, error) {
	if !o.begun {
		o.begin()
	}
	return o.ResponseWriter.Write(p)
}

// begin sets the headers of the file.
func (o *download) begin() {
	o.begun = true
	o.Header().Set("Content-Type", "text/csv; charset=utf-8")
	o.Header().Set("Content-Disposition", `attachment; filename="`+o.name+`"`)
}

// extendDeadlines gives the request and its response more time than the server gives others. Errors are ignored: the
// ResponseWriters of tests have no deadlines.
func extendDeadlines(w http.ResponseWriter, most time.Duration) {
	controller, now := http.NewResponseController(w), time.Now()
	_ = controller.SetReadDeadline(now.Add(most))
	_ = controller.SetWriteDeadline(now.Add(most + onceTimeout))
}
