package web

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/cardvault/cardvault/internal/concurrency"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/upload"
)

// The limits of uploads.
const (
	// UploadTimeout is how long an upload may take: 20 photos of 3.7 MiB at one megabit per second.
	UploadTimeout = 10 * time.Minute
	// uploadWait is how long an upload waits for others.
	uploadWait = 30 * time.Second
)

// uploads limits the uploads of all accounts and of each.
type uploads struct {
	storage *upload.Storage        // of forms that are received
	work    *concurrency.Semaphore // photos and sets of photos that are read, of which one photo at a time is in memory
}

func newUploads() uploads {
	return uploads{storage: upload.NewStorage(4<<30, 1<<30), work: concurrency.NewSemaphore(4, 2)}
}

// Reserve waits until the account may read another photo, or another set of photos of which one at a time is in memory.
func (frame *Frame) Reserve(ctx context.Context, accountID string) (concurrency.Held, error) {
	ctx, cancel := context.WithTimeout(ctx, uploadWait)
	defer cancel()
	held, err := frame.uploads.work.Acquire(ctx, accountID, 1)
	if err != nil {
		return held, fault.New(fault.Unavailable, "Too many uploads are being worked on. Try again in a moment.").
			WithRetryAfter(uploadWait / 6).WithCause(err)
	}
	return held, nil
}

// BeginUpload gives a form with files of at most so many bytes its time, and lets it occupy storage as it arrives. The
// caller calls release.
func (frame *Frame) BeginUpload(
	w http.ResponseWriter, r *http.Request, limit time.Duration, most int64,
) (release func(), err error) {
	if r.ContentLength > most {
		return nil, fault.New(fault.PayloadTooLarge, "Send at most %d MB at once.", most>>20)
	}
	ExtendDeadlines(w, limit)
	body := frame.uploads.storage.Receive(r.Context(), w, r.Body, VisitOf(r).Account.ID, limit)
	r.Body = body
	return body.Release, nil
}

// IncompleteForm returns the error of a form that could not be received.
func IncompleteForm(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return fault.New(fault.PayloadTooLarge, "Send at most %d MB at once.", tooLarge.Limit>>20)
	}
	if fault.Is(err, fault.Unavailable) {
		return err
	}
	return ErrIncomplete.WithCause(err)
}

// ErrIncomplete is the error of a form that did not arrive whole, or that no page of the dashboard sends.
var ErrIncomplete = fault.New(fault.InvalidRequest, "The form did not arrive whole. Open the page again and repeat it.")
