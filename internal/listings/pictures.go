package listings

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
	"golang.org/x/sync/errgroup"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/tracing"
)

const (
	// uploadingAccounts is the number of accounts whose pictures a worker uploads at once. Each has one group of
	// listings in turn, so that the first listings are published while the others wait.
	uploadingAccounts = 3
	// uploadsAtOnce is the number of pictures of a group that are uploaded at once. Together with uploadingAccounts it
	// bounds the memory: 12 pictures of 12 MB.
	uploadsAtOnce = 4
	// publishReserve is the part of callTime that is kept for publishing after the uploads.
	publishReserve = callTime / 2
	// pictureMargin is how much longer than now a picture that was uploaded by an earlier attempt must exist.
	pictureMargin = time.Hour
)

// errNoTime means that the time for uploads was over. Those that were made count, so the work goes on later.
var errNoTime = errors.New("listings: there is no time left to upload pictures")

// uploadPictures uploads the photos of cards that are about to be published, if the marketplace stores pictures itself,
// and puts the addresses of the pictures into the offers. It finishes the tasks that cannot be published now.
func (w *Worker) uploadPictures(ctx context.Context, seller marketplaces.Marketplace, tasks []*task) {
	host, ok := seller.(marketplaces.PictureHost)
	if !ok || len(tasks) == 0 {
		return
	}
	u := &upload{worker: w, host: host, tasks: tasks, failed: make([]error, len(tasks))}
	u.run(ctx)
	for i, t := range tasks {
		switch err := u.failed[i]; {
		case err == nil:
			t.offer.ImageURLs = u.addresses(t)
		case errors.Is(err, errNoTime):
			_, err = w.work.Requeue(ctx, w.db, t.Claim, 0)
			t.finish(err)
		default:
			t.finish(w.storePublished(ctx, t.job, marketplaces.Result{Err: err}))
		}
	}
}

// upload is the upload of the pictures of a group of listings.
type upload struct {
	worker *Worker
	host   marketplaces.PictureHost
	tasks  []*task

	mu     sync.Mutex
	hosted map[string]pictures // by listing
	failed []error             // first errors, by task
}

// pictures are the pictures of a listing at the marketplace, by the photo's identifier.
type pictures map[string]marketplaces.HostedPicture

// run uploads the missing pictures. The span has the number of listings; the adapter's spans have the calls.
func (u *upload) run(ctx context.Context) {
	ctx, span := tracing.Child(ctx, trace.SpanKindInternal, "marketplace pictures",
		attribute.Int("cardvault.listings", len(u.tasks)))
	defer span.End()
	for i := range u.tasks {
		u.failed[i] = u.check(ctx, u.tasks[i])
	}
	err := u.read(ctx)
	if err == nil && u.complete() {
		return
	}
	if err == nil {
		err = u.uploadMissing(ctx)
	}
	for i := range u.tasks {
		u.fail(i, err)
	}
}

// check returns the reason why the offer of a task cannot be published, whatever its pictures, and leaves the photos
// that the marketplace takes.
func (u *upload) check(ctx context.Context, t *task) error {
	if err := u.host.CheckOffer(ctx, t.offer); err != nil {
		return err
	}
	all := len(t.photos)
	t.photos = slices.DeleteFunc(t.photos, func(p cards.Photo) bool {
		return max(p.Width, p.Height) < marketplaces.MinPictureSide
	})
	t.photos = t.photos[:min(len(t.photos), marketplaces.MaxPictures)]
	if all > 0 && len(t.photos) == 0 {
		return &marketplaces.Refusal{Code: marketplaces.CodePicture, Message: fmt.Sprintf("the photos of the card are "+
			"too small: the longer side must have at least %d pixels", marketplaces.MinPictureSide)}
	}
	return nil
}

// missing reports whether a photo is not stored at the marketplace, or not for long enough.
func (u *upload) missing(listingID, photoID string) bool {
	picture, ok := u.hosted[listingID][photoID]
	return !ok || picture.Expires.Before(u.worker.clock.Time().Add(pictureMargin))
}

// complete reports whether no picture of the tasks that did not fail is missing.
func (u *upload) complete() bool {
	for i, t := range u.tasks {
		for _, p := range t.photos {
			if u.failed[i] == nil && u.missing(t.Key, p.ID) {
				return false
			}
		}
	}
	return true
}

// addresses returns the addresses of the pictures of a task.
func (u *upload) addresses(t *task) []string {
	urls := make([]string, len(t.photos))
	for i, p := range t.photos {
		urls[i] = u.hosted[t.Key][p.ID].URL
	}
	return urls
}

// uploadMissing waits for the account's turn and uploads the missing pictures. The first error of a task keeps its
// other pictures from being uploaded.
func (u *upload) uploadMissing(ctx context.Context) error {
	ctx, cancel := context.WithDeadline(ctx, u.tasks[0].callBy.Add(-publishReserve))
	defer cancel()
	held, err := u.worker.uploads.Acquire(ctx, u.tasks[0].AccountID, 1)
	if err != nil {
		return errNoTime
	}
	defer held.Release()
	var group errgroup.Group
	group.SetLimit(uploadsAtOnce)
	for i, t := range u.tasks {
		for _, p := range t.photos {
			group.Go(func() error {
				u.uploadOne(ctx, i, p)
				return nil
			})
		}
	}
	return group.Wait()
}

// uploadOne uploads a photo of task i and stores the result, unless that was done or the task has failed.
func (u *upload) uploadOne(ctx context.Context, i int, p cards.Photo) {
	t := u.tasks[i]
	u.mu.Lock()
	done := u.failed[i] != nil || !u.missing(t.Key, p.ID)
	u.mu.Unlock()
	if done {
		return
	}
	var picture marketplaces.HostedPicture
	err := ctx.Err()
	if err == nil {
		picture, err = u.send(ctx, t, p)
	}
	if err == nil {
		err = storePicture(ctx, u.worker.db, t.AccountID, t.Key, p.ID, picture)
	}
	if err != nil && ctx.Err() != nil {
		err = errNoTime
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if err != nil {
		u.fail(i, err)
		return
	}
	if u.hosted[t.Key] == nil {
		u.hosted[t.Key] = pictures{}
	}
	u.hosted[t.Key][p.ID] = picture
}

// fail stores the first error of task i. The caller holds mu, or no upload is running.
func (u *upload) fail(i int, err error) {
	if u.failed[i] == nil {
		u.failed[i] = err
	}
}

// send uploads a photo.
func (u *upload) send(ctx context.Context, t *task, p cards.Photo) (marketplaces.HostedPicture, error) {
	data, contentType, err := u.worker.cfg.LoadPhoto(ctx, t.AccountID, p, marketplaces.MaxPictureBytes)
	if fault.Is(err, fault.PhotoNotFound) || fault.Is(err, fault.PhotoInvalid) {
		return marketplaces.HostedPicture{}, &marketplaces.Refusal{Code: marketplaces.CodePicture, Message: fmt.Sprintf(
			"the %s photo of the card cannot be sent to the marketplace: add it again, then publish the card", p.Role)}
	}
	if err != nil {
		return marketplaces.HostedPicture{}, err
	}
	return u.host.UploadPicture(ctx, marketplaces.Picture{ContentType: contentType, Data: data})
}
