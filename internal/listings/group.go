package listings

import (
	"context"
	"fmt"
	"slices"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/tracing"
)

// maxGroupAttempts is how often a listing is tried together with others. Then it is tried alone, so that a listing for
// which a whole call fails does not stop the others forever.
const maxGroupAttempts = 3

// groupKey is what listings of an account must have in common to be handled together: their marketplace and what is to
// be done, or the listing itself if it is handled alone.
type groupKey struct {
	marketplace string
	status      Status
	alone       string
}

// groupKey returns the group of a listing. Only listings that are published or revised are handled together.
func (l Listing) groupKey(now time.Time) groupKey {
	switch {
	case l.Status == Publishing && l.EndReason == nil && now.Sub(l.CreatedAt) < publishTimeout,
		l.Status == Live && l.Revision.Status == RevisionPending:
		return groupKey{marketplace: l.Marketplace, status: l.Status}
	}
	return groupKey{alone: l.ID}
}

// split implements queue.Groups.Split: listings of one marketplace are published together, or revised together, if it
// is a marketplaces.BulkPublisher.
func (w *Worker) split(ctx context.Context, account string, due []queue.Due) (groups [][]string, err error) {
	ids := make([]string, len(due))
	for i, d := range due {
		ids[i] = d.Key
	}
	found, err := findMany(ctx, w.db, account, ids)
	if err != nil {
		return nil, err
	}
	open := map[groupKey]int{} // the group with room
	for _, d := range due {
		key := groupKey{alone: d.Key}
		if l, ok := found[d.Key]; ok && d.Attempts < maxGroupAttempts {
			key = l.groupKey(w.clock.Time())
		}
		if _, bulk := w.bulk(account, key.marketplace); !bulk {
			key = groupKey{alone: d.Key}
		}
		i, ok := open[key]
		if !ok || len(groups[i]) == marketplaces.MaxBulk {
			i, groups = len(groups), append(groups, nil)
			open[key] = i
		}
		groups[i] = append(groups[i], d.Key)
	}
	return groups, nil
}

func (w *Worker) bulk(account, marketplace string) (marketplaces.BulkPublisher, bool) {
	if marketplace == "" {
		return nil, false
	}
	seller, err := w.seller(account, marketplace)
	if err != nil {
		return nil, false
	}
	bulk, ok := seller.(marketplaces.BulkPublisher)
	return bulk, ok
}

// task is a listing of a group, with what is sent for it.
type task struct {
	job
	place   int // in the group
	listing Listing
	offer   marketplaces.Offer
	photos  []cards.Photo // of the card, the main one first
}

func (w *Worker) task(j job, place int, l Listing, card cards.Card) task {
	return task{j, place, l, w.offer(l, card), card.PhotosForSale()}
}

// handleGroup implements queue.Groups.Handle. A listing whose state changed since the group was made is handled alone.
func (w *Worker) handleGroup(ctx context.Context, claims []queue.Claim) []error {
	errs, jobs := make([]error, len(claims)), make([]job, len(claims))
	for i, c := range claims {
		jobs[i] = newJob(c)
	}
	tasks, others, err := w.tasks(ctx, jobs)
	if err != nil {
		return slices.Repeat([]error{err}, len(claims))
	}
	if len(tasks) > 0 {
		first := tasks[0].listing
		if seller, ok := w.bulk(first.AccountID, first.Marketplace); ok && first.Status == Publishing {
			w.publishMany(ctx, tasks, seller, errs)
		} else if ok {
			w.reviseMany(ctx, tasks, seller, errs)
		}
	}
	for _, i := range others {
		errs[i] = w.handleJob(ctx, jobs[i])
	}
	return errs
}

// tasks returns the listings of a group that are handled together, and the places of the others.
func (w *Worker) tasks(ctx context.Context, jobs []job) (tasks []task, others []int, err error) {
	ids := make([]string, len(jobs))
	for i, j := range jobs {
		ids[i] = j.Key
	}
	account := jobs[0].AccountID
	found, err := findMany(ctx, w.db, account, ids)
	if err != nil {
		return nil, nil, err
	}
	cardIDs := make([]string, 0, len(found))
	for _, l := range found {
		cardIDs = append(cardIDs, l.CardID)
	}
	about, err := w.cards.FindMany(ctx, w.db, account, cardIDs)
	if err != nil {
		return nil, nil, fmt.Errorf("listings.tasks: %w", err)
	}
	var group groupKey
	for i, j := range jobs {
		l, ok := found[j.Key]
		card, known := about[l.CardID]
		key := l.groupKey(w.clock.Time())
		if group == (groupKey{}) && key.alone == "" {
			group = key
		}
		if !ok || !known || key.alone != "" || key != group {
			others = append(others, i)
			continue
		}
		tasks = append(tasks, w.task(j, i, l, card))
	}
	return tasks, others, nil
}

// publishMany publishes listings together and stores each result. It stores the error of each task in errs.
func (w *Worker) publishMany(
	ctx context.Context, tasks []task, seller marketplaces.BulkPublisher, errs []error,
) {
	ready := w.withPictures(ctx, tasks, seller, errs)
	for _, t := range tasks {
		errs[t.place] = unlessLost(t.listing, errs[t.place])
	}
	if tasks = ready; len(tasks) == 0 {
		return
	}
	results := callMany(ctx, tasks, "marketplace publish many", seller.PublishMany)
	for i, t := range tasks {
		errs[t.place] = unlessLost(t.listing, w.storePublished(ctx, t.job, results[i]))
	}
}

// reviseMany is publishMany for revisions. Listings that were revised too often today wait.
func (w *Worker) reviseMany(
	ctx context.Context, tasks []task, seller marketplaces.BulkPublisher, errs []error,
) {
	ids := make([]string, len(tasks))
	for i, t := range tasks {
		ids[i] = t.Key
	}
	allowed, err := countRevisions(ctx, w.db, tasks[0].AccountID, w.clock.Time(), ids)
	var open []task
	for _, t := range tasks {
		switch {
		case err != nil:
			errs[t.place] = err
		case !allowed[t.Key]:
			errs[t.place] = unlessLost(t.listing, w.delayRevision(ctx, t.job))
		default:
			open = append(open, t)
		}
	}
	if tasks = open; len(tasks) == 0 {
		return
	}
	results := callMany(ctx, tasks, "marketplace revise many", seller.ReviseMany)
	for i, t := range tasks {
		errs[t.place] = unlessLost(t.listing, w.storeRevised(ctx, t.job, t.offer, results[i]))
	}
}

// callMany is call for several listings. The adapter's spans have the errors.
func callMany[R any](
	ctx context.Context, tasks []task, name string, do func(context.Context, []marketplaces.Offer) []R,
) []R {
	ctx, cancel := context.WithDeadline(ctx, tasks[0].callBy)
	defer cancel()
	ctx, span := tracing.Child(ctx, trace.SpanKindInternal, name, attribute.Int("cardvault.listings", len(tasks)))
	defer span.End()
	offers := make([]marketplaces.Offer, len(tasks))
	for i, t := range tasks {
		offers[i] = t.offer
	}
	return do(ctx, offers)
}
