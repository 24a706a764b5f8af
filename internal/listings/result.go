package listings

import (
	"context"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
)

// storeStatus moves the claimed listing to the status that the marketplace reported.
func (w *Worker) storeStatus(ctx context.Context, j job, seen marketplaces.Status) error {
	return w.storeResult(ctx, j, func(l Listing, now time.Time) []Listing { return transitions(l, seen, now) })
}

// storeResult moves the claimed listing through the states that change returns and releases the claim:
// permanently if the listing is finished, otherwise until its next status check is due.
func (w *Worker) storeResult(ctx context.Context, j job, change func(l Listing, now time.Time) []Listing) error {
	ctx, cancel := context.WithTimeout(ctx, queue.StoreTime)
	defer cancel()
	return w.clock.Write(ctx, w.db, j.AccountID, func(tx *postgres.Tx, stamp clock.Stamp) error {
		l, err := find(ctx, tx, j.AccountID, j.Key)
		if err != nil {
			return err
		}
		if path := change(l, stamp.At); len(path) > 0 {
			if err := w.advance(ctx, tx, stamp, path); err != nil {
				return err
			}
			l = path[len(path)-1]
		}
		held, err := w.release(ctx, tx, j.Claim, l)
		if err == nil && !held {
			return errClaimLost
		}
		return err
	})
}

func (w *Worker) release(ctx context.Context, tx *postgres.Tx, claim queue.Claim, l Listing) (held bool, err error) {
	if l.Status == Ending || l.Status == Live && l.Revision.Status == RevisionPending {
		tx.AfterCommit(w.work.Wake)
		return w.work.Repeat(ctx, tx, claim, 0)
	}
	if l.UnderWay() {
		return w.work.Repeat(ctx, tx, claim, withJitter(w.cfg.StatusInterval))
	}
	return w.work.Finish(ctx, tx, claim)
}
