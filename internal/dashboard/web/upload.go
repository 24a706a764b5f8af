package dashboard

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/cardvault/cardvault/internal/concurrency"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/photos"
	"github.com/cardvault/cardvault/internal/upload"
)

// The limits of uploads.
const (
	// maxCSV is the size of the largest CSV file, in bytes. The command line takes larger ones.
	maxCSV = 64 << 20
	// maxPhotos is the number of photos of a request.
	maxPhotos = 20
	// uploadTimeout is how long an upload may take: 20 photos of 3.7 MiB at one megabit per second.
	uploadTimeout = 10 * time.Minute
	// uploadWait is how long an upload waits for others.
	uploadWait = 30 * time.Second
)

// maxUploads are the sizes of the largest forms with files, by path.
var maxUploads = map[string]int64{
	csvPath:    maxCSV + maxForm,
	photosPath: maxPhotos*photos.MaxBytes + maxForm,
}

// bodyLimit returns the maximum size of the body of a request.
func bodyLimit(r *http.Request) int64 {
	if limit, ok := maxUploads[r.URL.Path]; ok {
		return limit
	}
	if uploadPath.MatchString(r.URL.Path) {
		return maxUpload
	}
	return maxForm
}

// uploads limits the uploads of all accounts and of each.
type uploads struct {
	storage *upload.Storage        // of forms that are received
	work    *concurrency.Semaphore // photos and sets of photos that are read, of which one photo at a time is in memory
}

func newUploads() uploads {
	return uploads{storage: upload.NewStorage(4<<30, 1<<30), work: concurrency.NewSemaphore(4, 2)}
}

// reserve waits until the account may use weight more of a resource.
func reserve(
	ctx context.Context, resource *concurrency.Semaphore, accountID string, weight int64,
) (concurrency.Held, error) {
	ctx, cancel := context.WithTimeout(ctx, uploadWait)
	defer cancel()
	held, err := resource.Acquire(ctx, accountID, weight)
	if err != nil {
		return held, fault.New(fault.Unavailable, "Too many uploads are being worked on. Try again in a moment.").
			WithRetryAfter(uploadWait / 6).WithCause(err)
	}
	return held, nil
}

// beginUpload gives a form with files its time, and lets it occupy storage as it arrives. The caller calls release.
func (d *Dashboard) beginUpload(
	w http.ResponseWriter, r *http.Request, limit time.Duration,
) (release func(), err error) {
	if most, ok := maxUploads[r.URL.Path]; ok && r.ContentLength > most {
		return nil, fault.New(fault.PayloadTooLarge, "Send at most %d MB at once.", most>>20)
	}
	extendDeadlines(w, limit)
	body := d.uploads.storage.Receive(r.Context(), w, r.Body, visitOf(r).Account.ID, limit)
	r.Body = body
	return body.Release, nil
}

// incomplete returns the error of a form that could not be received.
func incompleteForm(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return fault.New(fault.PayloadTooLarge, "Send at most %d MB at once.", tooLarge.Limit>>20)
	}
	if fault.Is(err, fault.Unavailable) {
		return err
	}
	return errIncomplete.WithCause(err)
}

// errIncomplete is the error of a form that did not arrive whole, or that no page of the dashboard sends.
var errIncomplete = fault.New(fault.InvalidRequest, "The form did not arrive whole. Open the page again and repeat it.")
