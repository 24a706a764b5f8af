package listings

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
)

const (
	// idlePollInterval is the interval at which an account without open listings on a marketplace is
	// checked. Publishing shortens it.
	idlePollInterval = 10 * time.Minute
	// followTime is how long the orders of a sale are read for refunds and cancellations.
	followTime = 90 * 24 * time.Hour
	// clockTolerance is how far the marketplace's clock may be behind ours without missing a sale.
	clockTolerance = time.Hour
)

// notifiedWait is how long a poll waits after a notification, so that one poll reads the sales of several.
const notifiedWait = time.Second

// PollNow makes the account's poll for sales due, because the marketplace notified of a sale.
func (s *Service) PollNow(ctx context.Context, accountID, marketplace string) error {
	return s.db.InTx(ctx, func(tx *postgres.Tx) error {
		return s.polls.EnqueueWithin(ctx, tx, accountID, notifiedWait, marketplace)
	})
}

// handlePoll reads an account's sales on one marketplace with one call for all of its listings.
func (w *Worker) handlePoll(ctx context.Context, claim queue.Claim) error {
	return w.pollSales(ctx, newJob(claim))
}

// pollBackoff returns the delay before a poll that failed with err is repeated.
func (w *Worker) pollBackoff(claim queue.Claim, err error) time.Duration {
	return max(retryDelay(claim, err), w.cfg.PollInterval)
}

func (w *Worker) pollSales(ctx context.Context, j job) error {
	since, open, err := w.pollStart(ctx, j)
	if err != nil {
		return err
	}
	if since == nil {
		return w.storePoll(ctx, j, nil, idlePollInterval)
	}
	seller, err := w.seller(j.AccountID, j.Key)
	if err != nil {
		return err
	}
	var sales marketplaces.Sales
	err = call(ctx, j, "marketplace sales", func(ctx context.Context) (err error) {
		sales, err = seller.Sales(ctx, *since)
		return err
	})
	if err != nil {
		return err
	}
	if err := w.recordSales(ctx, j, sales.Sold); err != nil {
		return err
	}
	interval := w.cfg.PollInterval
	if !open {
		interval = max(interval, idlePollInterval)
	}
	return w.storePoll(ctx, j, &sales.Through, withJitter(interval))
}

// pollStart returns the time from which to read sales: the end of the last poll, or shortly before the oldest open
// listing. It returns nil if no listing is open and no sale is recent. open reports whether a listing is open.
func (w *Worker) pollStart(ctx context.Context, j job) (since *time.Time, open bool, err error) {
	var at struct {
		Through  *time.Time `db:"through"`
		Oldest   *time.Time `db:"oldest"`
		LastSale *time.Time `db:"last_sale_at"`
	}
	err = w.db.Get(ctx, &at, `
		SELECT p.through, (SELECT min(l.created_at) FROM listings l
			WHERE l.account_id = $1 AND l.marketplace = $2 AND l.status IN ('publishing', 'live', 'ending')) AS oldest,
			CASE WHEN p.last_sale_at > now() - $3 * interval '1 microsecond' THEN p.last_sale_at END AS last_sale_at
		FROM marketplace_polls p WHERE p.account_id = $1 AND p.marketplace = $2`,
		j.AccountID, j.Key, followTime.Microseconds())
	if err != nil {
		return nil, false, fmt.Errorf("read start of poll: %w", err)
	}
	open = at.Oldest != nil
	switch {
	case at.Oldest == nil && at.LastSale == nil:
		return nil, open, nil
	case at.Through != nil:
		return at.Through, open, nil
	case at.Oldest == nil:
		at.Oldest = at.LastSale
	}
	start := at.Oldest.Add(-clockTolerance)
	return &start, open, nil
}

// recordSales records the sales that are new, each in its own transaction, and the refunds of those that are not.
func (w *Worker) recordSales(ctx context.Context, j job, sold []marketplaces.Status) error {
	byListing := make(map[string]marketplaces.Status, len(sold))
	for _, sale := range sold {
		if known, ok := byListing[sale.ListingID]; !ok || cancelled(known) {
			byListing[sale.ListingID] = sale
		}
	}
	unsold, err := w.unsold(ctx, j, byListing)
	if err != nil {
		return err
	}
	var failed []error
	for _, l := range unsold {
		if err := w.recordSale(ctx, j.AccountID, l.ID, byListing[l.ID]); err != nil {
			failed = append(failed, err)
		}
	}
	return errors.Join(append(failed, w.followOrders(ctx, j, byListing))...)
}

// unsold returns the listings of the sales that are open or ended: those whose sale is not recorded.
func (w *Worker) unsold(ctx context.Context, j job, sales map[string]marketplaces.Status) ([]Listing, error) {
	if len(sales) == 0 {
		return nil, nil
	}
	listingIDs := slices.Collect(maps.Keys(sales))
	var rows []row
	err := w.db.Select(ctx, &rows, `
		SELECT `+columns+` FROM listings WHERE account_id = $1 AND marketplace = $2 AND id = ANY($3)
		  AND status IN ('publishing', 'live', 'ending', 'ended') ORDER BY id`,
		j.AccountID, j.Key, pq.Array(listingIDs))
	if err != nil {
		return nil, fmt.Errorf("find unsold listings: %w", err)
	}
	found := make([]Listing, len(rows))
	for i, r := range rows {
		found[i] = r.listing()
	}
	return found, nil
}

// recordSale records one sale unless it was recorded before. A claim that a worker holds on the listing
// becomes void.
func (w *Worker) recordSale(ctx context.Context, accountID, listingID string, sale marketplaces.Status) error {
	ctx, cancel := context.WithTimeout(ctx, queue.StoreTime)
	defer cancel()
	return w.clock.Write(ctx, w.db, accountID, func(tx *postgres.Tx, stamp clock.Stamp) error {
		l, err := find(ctx, tx, accountID, listingID)
		if err != nil {
			return err
		}
		if cancelled(sale) { // the listing can still be for sale, or be sold to another buyer
			return w.checkNow(ctx, tx, l)
		}
		path := transitions(l, sale, stamp.At)
		if len(path) == 0 {
			return nil
		}
		if l.Status == Ended {
			return w.recordLateSale(ctx, tx, stamp, path)
		}
		if err := w.advance(ctx, tx, stamp, path); err != nil {
			return err
		}
		if path[len(path)-1].UnderWay() {
			return nil
		}
		return w.work.Drop(ctx, tx, accountID, listingID)
	})
}

// storePoll stores the time up to which sales were read and when the next poll is due.
func (w *Worker) storePoll(ctx context.Context, j job, through *time.Time, pause time.Duration) error {
	return w.db.InTx(ctx, func(tx *postgres.Tx) error {
		held, err := w.polls.Repeat(ctx, tx, j.Claim, pause)
		if err != nil || !held {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE marketplace_polls SET through = $3 WHERE account_id = $1 AND marketplace = $2`,
			j.AccountID, j.Key, through)
		if err != nil {
			return fmt.Errorf("store poll: %w", err)
		}
		return nil
	})
}
