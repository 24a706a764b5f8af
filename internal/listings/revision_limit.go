package listings

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/waiting"
)

// countRevisions counts a revision of listings on the day of at and returns those that had fewer than most. The
// count is stored before the marketplace is called, so that a crash or a lost answer never leads to more. It is at
// least the number of the marketplace: an attempt changes the price, and a new title, which Update counts.
func countRevisions(
	ctx context.Context, q postgres.Querier, accountID string, at time.Time, ids []string, most int,
) (allowed map[string]bool, err error) {
	var counted []string
	err = q.Select(ctx, &counted, `
		UPDATE listings SET revisions = CASE WHEN revised_on = $3::date THEN revisions + 1 ELSE 1 END,
			revised_on = $3::date
		WHERE account_id = $1 AND id = ANY($2) AND (revised_on IS DISTINCT FROM $3::date OR revisions < $4)
		RETURNING id`, accountID, pq.Array(ids), at.UTC().Format(time.DateOnly), most)
	if err != nil {
		return nil, fmt.Errorf("count revisions: %w", err)
	}
	allowed = make(map[string]bool, len(counted))
	for _, listingID := range counted {
		allowed[listingID] = true
	}
	return allowed, nil
}

// limitRevisions counts a revision for every listing. Listings that were revised too often today wait.
func (w *Worker) limitRevisions(ctx context.Context, tasks []*task) {
	if len(tasks) == 0 {
		return
	}
	most := w.revisionsPerDay(tasks[0].listing.Marketplace)
	allowed, err := countRevisions(ctx, w.db, tasks[0].AccountID, w.clock.Time(), keys(tasks), most)
	if err != nil {
		finishAll(tasks, err)
		return
	}
	for _, t := range tasks {
		if !allowed[t.Key] {
			t.finish(w.delayRevision(ctx, t.job))
		}
	}
}

// revisionsPerDay returns how often a listing on the marketplace can be revised in a day.
func (s *Service) revisionsPerDay(marketplace string) int {
	if most := s.cfg.Markets[marketplace].Limits.RevisionsPerDay; most > 0 {
		return most
	}
	return math.MaxInt32
}

// delayRevision makes a pending revision wait for the next day. A later change of the price replaces the one that
// waits.
func (w *Worker) delayRevision(ctx context.Context, j job) error {
	ctx, cancel := context.WithTimeout(ctx, queue.StoreTime)
	defer cancel()
	return w.clock.Write(ctx, w.db, j.AccountID, func(tx *postgres.Tx, stamp clock.Stamp) error {
		l, err := find(ctx, tx, j.AccountID, j.Key)
		if err != nil {
			return err
		}
		var wait time.Duration
		if l.Status == Live && l.Revision.Status == RevisionPending {
			next := stamp.At.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
			wait = next.Sub(stamp.At)
			l = l.to(Live)
			l.Revision.DelayedUntil, l.UpdatedAt = &next, stamp.At
			if err := update(ctx, tx, l); err != nil {
				return fmt.Errorf("delay revision: %w", err)
			}
		}
		held, err := w.work.RepeatBecause(ctx, tx, j.Claim, withJitter(wait), waiting.RevisionLimit)
		if err == nil && !held {
			return errClaimLost
		}
		return err
	})
}
