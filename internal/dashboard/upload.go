package dashboard

import (
	"context"
	"net/http"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/keyed"
	"github.com/cardvault/cardvault/internal/photos"
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
	storage *keyed.Semaphore // bytes that are received
	work    *keyed.Semaphore // photos and sets of photos that are read, of which one photo at a time is in memory
}

func newUploads() uploads {
	return uploads{storage: keyed.NewSemaphore(4<<30, 1<<30), work: keyed.NewSemaphore(4, 2)}
}

// reserve waits until the account may use weight more of a resource.
func reserve(ctx context.Context, resource *keyed.Semaphore, accountID string, weight int64) (keyed.Held, error) {
	ctx, cancel := context.WithTimeout(ctx, uploadWait)
	defer cancel()
	held, err := resource.Acquire(ctx, accountID, weight)
	if err != nil {
		return held, fault.New(fault.Unavailable, "Too many uploads are being worked on. Try again in a moment.").
			WithRetryAfter(uploadWait / 6).WithCause(err)
	}
	return held, nil
}

// beginUpload gives a form with files its time and its storage, which the caller releases.
func (d *Dashboard) beginUpload(w http.ResponseWriter, r *http.Request) (keyed.Held, error) {
	size, limit := r.ContentLength, maxUploads[r.URL.Path]
	if size > limit {
		return keyed.Held{}, fault.New(fault.PayloadTooLarge, "Send at most %d MB at once.", limit>>20)
	}
	if size < 0 {
		size = limit
	}
	held, err := reserve(r.Context(), d.uploads.storage, visitOf(r).Account.ID, size)
	if err == nil {
		extendDeadlines(w, uploadTimeout)
	}
	return held, err
}

// errIncomplete is the error of a form that did not arrive whole, or that no page of the dashboard sends.
var errIncomplete = fault.New(fault.InvalidRequest, "The form did not arrive whole. Open the page again and repeat it.")
