package listings

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/queue"
)

const (
	// maxGroup is the largest number of listings that a worker handles together, whatever the marketplace takes.
	maxGroup = 25
	// maxGroupAttempts is how often a listing is tried together with others. Then it is tried alone, so that a listing
	// for which a whole call fails does not stop the others forever.
	maxGroupAttempts = 3
)

// step is what a listing is waiting for.
type step int

const (
	stepFinish  step = iota // nothing: the listing is sold, ended or failed
	stepGiveUp              // to end without a call, because the seller has lost the marketplace
	stepPublish             //
	stepOverdue             // to be published or abandoned: it was requested more than publishTimeout ago
	stepAbandon             // to be taken down, if an earlier attempt has published it, and to fail
	stepRevise              //
	stepEnd                 //
	stepCheck               // a status check
)

// step returns what the listing is waiting for.
func (l Listing) step(now time.Time) step {
	switch {
	case !l.UnderWay():
		return stepFinish
	case text(l.EndReason) == GivenUp:
		return stepGiveUp
	case l.Status == Ending:
		return stepEnd
	case l.Status == Live && l.Revision.Status == RevisionPending:
		return stepRevise
	case l.Status == Live:
		return stepCheck
	case l.EndReason != nil:
		return stepAbandon
	case now.Sub(l.CreatedAt) > publishTimeout:
		return stepOverdue
	}
	return stepPublish
}

// most returns how many listings a marketplace with these limits takes in one call of the step.
func (s step) most(limits marketplaces.Limits) int {
	n := 1
	switch s {
	case stepPublish:
		n = limits.Publish
	case stepRevise:
		n = limits.Revise
	case stepEnd:
		n = limits.End
	}
	return min(max(n, 1), maxGroup)
}

// groupKey is what listings of an account must have in common to be handled together. alone is the identifier of a
// listing that is handled without others.
type groupKey struct {
	marketplace string
	step        step
	alone       string
}

// split implements queue.Groups.Split: listings that wait for the same step at the same marketplace form groups of as
// many as the marketplace takes.
func (w *Worker) split(ctx context.Context, account string, due []queue.Due) (groups [][]string, err error) {
	ids := make([]string, len(due))
	for i, d := range due {
		ids[i] = d.Key
	}
	listings, err := findMany(ctx, w.db, account, ids)
	if err != nil {
		return nil, err
	}
	open := map[groupKey]int{} // the group with room
	for _, d := range due {
		key, most := groupKey{alone: d.Key}, 1
		if l, ok := listings[d.Key]; ok && d.Attempts < maxGroupAttempts {
			step := l.step(w.clock.Time())
			if most = step.most(w.cfg.Markets[l.Marketplace].Limits); most > 1 {
				key = groupKey{marketplace: l.Marketplace, step: step}
			}
		}
		i, ok := open[key]
		if !ok || len(groups[i]) == most {
			i, groups = len(groups), append(groups, nil)
			open[key] = i
		}
		groups[i] = append(groups[i], d.Key)
	}
	return groups, nil
}

// task is a claimed listing on its way through a step. Each part of the step takes the tasks that are still open.
type task struct {
	job
	listing Listing
	offer   marketplaces.Offer // to publish or revise
	photos  []cards.Photo      // of the card, the main one first
	done    bool
	err     error // of a task that is done
}

// finish ends the task. The claim was released, unless there is an error.
func (t *task) finish(err error) { t.done, t.err = true, err }

// finishAll ends all tasks with an error.
func finishAll(tasks []*task, err error) {
	for _, t := range tasks {
		t.finish(err)
	}
}

// open returns the tasks that are not done.
func open(tasks []*task) []*task {
	return slices.DeleteFunc(slices.Clone(tasks), func(t *task) bool { return t.done })
}

func offers(tasks []*task) []marketplaces.Offer {
	list := make([]marketplaces.Offer, len(tasks))
	for i, t := range tasks {
		list[i] = t.offer
	}
	return list
}

func refs(tasks []*task) []marketplaces.Ref {
	list := make([]marketplaces.Ref, len(tasks))
	for i, t := range tasks {
		list[i] = t.listing.marketplaceRef()
	}
	return list
}

func keys(tasks []*task) []string {
	list := make([]string, len(tasks))
	for i, t := range tasks {
		list[i] = t.Key
	}
	return list
}

// load reads the listings of claims of one account. The task of a listing that does not exist is done.
func (w *Worker) load(ctx context.Context, jobs []job) ([]*task, error) {
	tasks := make([]*task, len(jobs))
	for i, j := range jobs {
		tasks[i] = &task{job: j}
	}
	listings, err := findMany(ctx, w.db, jobs[0].AccountID, keys(tasks))
	if err != nil {
		return nil, err
	}
	for _, t := range tasks {
		var ok bool
		if t.listing, ok = listings[t.Key]; !ok {
			t.finish(NotFound())
		}
	}
	return tasks, nil
}

// describe makes the offers of the tasks from their cards.
func (w *Worker) describe(ctx context.Context, tasks []*task) {
	ids := make([]string, len(tasks))
	for i, t := range tasks {
		ids[i] = t.listing.CardID
	}
	inventory, err := w.cards.FindMany(ctx, w.db, tasks[0].AccountID, ids)
	if err != nil {
		finishAll(tasks, fmt.Errorf("load cards: %w", err))
		return
	}
	for _, t := range tasks {
		card, ok := inventory[t.listing.CardID]
		if !ok {
			t.finish(cards.NotFound())
			continue
		}
		t.offer, t.photos = w.offer(t.listing, card), card.PhotosForSale()
	}
}

// offer returns the listing as the marketplace needs it.
func (w *Worker) offer(l Listing, card cards.Card) marketplaces.Offer {
	offer := Describe(card.Identification.Description)
	offer.ListingID, offer.Title, offer.Price = l.ID, l.Title, l.Price
	offer.ImageURLs = w.cfg.ImageURLs(card, w.clock.Time())
	return offer
}
