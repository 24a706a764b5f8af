package listings

import (
	"context"
	"fmt"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
)

// Waiting is the work for listings that waits while the account is not connected to the marketplace. It implements
// connections.Listings. It needs no marketplace, so commands can use it too.
type Waiting struct{ work, polls *queue.Queue }

// NewWaiting returns the work that waits in the queues of r.
func NewWaiting(r *Reviser) *Waiting {
	return &Waiting{work: r.work, polls: queue.New("marketplace_polls", "marketplace")}
}

// OpenOn reports whether the account has listings on the marketplace that are publishing, live or ending.
func (w *Waiting) OpenOn(
	ctx context.Context, q postgres.Querier, accountID, marketplace string,
) (open bool, err error) {
	err = q.Get(ctx, &open, `
		SELECT EXISTS (SELECT FROM listings WHERE account_id = $1 AND marketplace = $2
			AND status IN ('publishing', 'live', 'ending'))`, accountID, marketplace)
	if err != nil {
		return false, fmt.Errorf("list open listings: %w", err)
	}
	return open, nil
}

// SampleOn returns the newest listings of the account that are live or ending on the marketplace, at most limit. It
// leaves out those that the marketplace has not accepted.
func (w *Waiting) SampleOn(
	ctx context.Context, q postgres.Querier, accountID, marketplace string, limit int,
) (ids []string, err error) {
	err = q.Select(ctx, &ids, `
		SELECT id FROM listings WHERE account_id = $1 AND marketplace = $2
			AND status IN ('live', 'ending') AND external_id IS NOT NULL
		ORDER BY created_at DESC, id DESC LIMIT $3`, accountID, marketplace, limit)
	if err != nil {
		return nil, fmt.Errorf("sample listings: %w", err)
	}
	return ids, nil
}

// maxResumed limits the listings that Resume makes due at once. The others wait for their next attempt.
const maxResumed = 1000

// Resume makes the poll for sales due, and the listings that have to be published, ended or revised. Status checks keep
// their time.
func (w *Waiting) Resume(ctx context.Context, tx *postgres.Tx, accountID, marketplace string) error {
	var ids []string
	err := tx.Select(ctx, &ids, `
		SELECT id FROM listings WHERE account_id = $1 AND marketplace = $2
			AND status IN ('publishing', 'live', 'ending')
			AND (status <> 'live' OR revision_status = 'pending')
		ORDER BY created_at, id LIMIT $3`, accountID, marketplace, maxResumed)
	if err != nil {
		return fmt.Errorf("resume listings: %w", err)
	}
	if err := w.polls.EnqueueWithin(ctx, tx, accountID, 0, marketplace); err != nil || len(ids) == 0 {
		return err
	}
	return w.work.EnqueueUnclaimed(ctx, tx, accountID, ids...)
}
