package web

import (
	"context"
	"net/http"
	"time"
)

const (
	// FileTimeout is how long the download of an export may take.
	FileTimeout = 10 * time.Minute
	// FileBuffer is how much of a file is written at once, in bytes. Errors before that are shown as a page.
	FileBuffer = 64 << 10
)

// Cut returns the error of a download, or aborts a download that has begun: the browser must not take a part of the
// file for all of it.
func (frame *Frame) Cut(ctx context.Context, o *File, err error) error {
	if err != nil && o.begun {
		frame.Logger.WarnContext(ctx, "dashboard: export cut", "error", err)
		panic(http.ErrAbortHandler)
	}
	return err
}

// File sets the headers of a file with its first bytes.
type File struct {
	http.ResponseWriter
	name  string
	begun bool
}

// NewFile returns the writer of a file with a name.
func NewFile(w http.ResponseWriter, name string) *File { return &File{ResponseWriter: w, name: name} }

// Write implements io.Writer.
func (o *File) Write(p []byte) (int, error) {
	if !o.begun {
		o.Begin()
	}
	return o.ResponseWriter.Write(p)
}

// Begin sets the headers of the file.
func (o *File) Begin() {
	o.begun = true
	o.Header().Set("Content-Type", "text/csv; charset=utf-8")
	o.Header().Set("Content-Disposition", `attachment; filename="`+o.name+`"`)
}

// ExtendDeadlines gives the request and its response more time than the server gives others. Errors are ignored: the
// ResponseWriters of tests have no deadlines.
func ExtendDeadlines(w http.ResponseWriter, most time.Duration) {
	controller, now := http.NewResponseController(w), time.Now()
	_ = controller.SetReadDeadline(now.Add(most))
	_ = controller.SetWriteDeadline(now.Add(most + onceTimeout))
}

// patientTimeout is how long a client may take to receive a part of a file.
const patientTimeout = 30 * time.Second

// PatientWriter gives the client time for each part of a response, however long the response is.
type PatientWriter struct {
	http.ResponseWriter
	extend   func(time.Time) error
	extended time.Time
}

// NewPatientWriter returns a PatientWriter of a response.
func NewPatientWriter(w http.ResponseWriter) *PatientWriter {
	return &PatientWriter{ResponseWriter: w, extend: http.NewResponseController(w).SetWriteDeadline}
}

// Write implements io.Writer.
func (w *PatientWriter) Write(b []byte) (int, error) {
	if now := time.Now(); now.Sub(w.extended) > time.Second {
		_ = w.extend(now.Add(patientTimeout)) // the ResponseWriters of tests have no deadlines
		w.extended = now
	}
	return w.ResponseWriter.Write(b)
}
