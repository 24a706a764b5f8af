package web

import (
	"context"
	"net/http"
	"time"

	"github.com/cardvault/cardvault/internal/concurrency"
	"github.com/cardvault/cardvault/internal/fault"
)

const (
	// MaxFiles is how many downloads of a user may be under way. Each keeps a page of cards and FileBuffer in
	// memory, however slow its client is.
	MaxFiles = 10
	// downloadReads is how many downloads of a user read the database at the same time.
	downloadReads = 2
)

// fileLimits limits the files that users download. They are counted by user and apart from pages, so that the downloads
// of one user keep no page and no other user waiting.
type fileLimits struct {
	underWay *concurrency.Semaphore  // by user
	reading  concurrency.ReadLimiter // by user
}

func newFileLimits() fileLimits {
	return fileLimits{
		underWay: concurrency.NewSemaphore(concurrency.Unlimited, MaxFiles),
		reading:  concurrency.NewReadLimiter(downloadReads),
	}
}

// limitFiles calls the handler of a file when its user has few other downloads that read the database. While the
// Handler waits for the client, other downloads of the user may read.
func (frame *Frame) limitFiles(next Handler) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		userID := VisitOf(r).User.ID
		underWay, ok := frame.files.underWay.TryAcquire(userID, 1)
		if !ok {
			return errManyDownloads
		}
		defer underWay.Release()
		turn, err := frame.beginRead(r, frame.files.reading, userID, errManyDownloads)
		if err != nil {
			return err
		}
		defer turn.End()
		return next(&downloadWriter{w, r.Context(), turn}, r)
	}
}

var errManyDownloads = fault.New(fault.RateLimited,
	"Many of your downloads are under way. Wait until one has ended, then start this one again.").
	WithRetryAfter(5 * time.Second)

// downloadWriter lets other downloads of the user read the database while the client receives a part of the file.
type downloadWriter struct {
	http.ResponseWriter
	ctx  context.Context
	turn *concurrency.Turn
}

// Write implements io.Writer.
func (w *downloadWriter) Write(p []byte) (int, error) {
	w.turn.End()
	n, err := w.ResponseWriter.Write(p)
	if err != nil {
		return n, err
	}
	return n, w.turn.Resume(w.ctx)
}

// Unwrap returns the wrapped ResponseWriter, for http.ResponseController.
func (w *downloadWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// pageWriter ends the turn of a page with the first byte of the response, which handlers send after they have read
// everything. A client that receives its page slowly keeps no other page waiting.
type pageWriter struct {
	http.ResponseWriter
	turn *concurrency.Turn
}

// WriteHeader implements http.ResponseWriter.
func (w pageWriter) WriteHeader(status int) {
	w.turn.End()
	w.ResponseWriter.WriteHeader(status)
}

// Write implements io.Writer.
func (w pageWriter) Write(p []byte) (int, error) {
	w.turn.End()
	return w.ResponseWriter.Write(p)
}

// Unwrap returns the wrapped ResponseWriter, for http.ResponseController.
func (w pageWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
