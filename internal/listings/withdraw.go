package listings

import (
	"context"
	"fmt"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Withdraw ends the listing of a card that was sold elsewhere, inside a transaction that holds the account's clock. A
// listing that is publishing is taken down by the worker that publishes it, because its call may be under way. If the
// marketplace sells the card first, the listing is sold.
func (s *Service) Withdraw(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, listingID string) error {
	l, err := find(ctx, tx, stamp.AccountID, listingID)
	if err != nil || !l.UnderWay() {
		return err
	}
	status, reason := l.Status, SoldElsewhere
	if status == Live {
		status = Ending
	}
	l = l.to(status)
	l.EndReason = &reason
	if err := s.advance(ctx, tx, stamp, []Listing{l}); err != nil || l.Status == Publishing {
		return err
	}
	return s.work.Enqueue(ctx, tx, stamp.AccountID, l.ID)
}

// withdrawnAtOnce is the number of listings that WithdrawAll withdraws in one transaction.
const withdrawnAtOnce = 200

// WithdrawAll requests the end of all listings of an account that are publishing or live, because the account is being
// deleted. Workers then take them down. It returns the number of listings that are not finished yet.
func (s *Service) WithdrawAll(ctx context.Context, accountID string) (unfinished int, err error) {
	for full := true; full; {
		err := s.clock.Write(ctx, s.db, accountID, func(tx *postgres.Tx, stamp clock.Stamp) (err error) {
			full, err = s.withdrawSome(ctx, tx, stamp)
			return err
		})
		if err != nil {
			return 0, fmt.Errorf("withdraw listings: %w", err)
		}
	}
	return s.Unfinished(ctx, s.db, accountID)
}

// withdrawSome requests the end of up to withdrawnAtOnce listings and reports whether it found so many. Like Withdraw,
// it marks a listing that is publishing for the worker that publishes it.
func (s *Service) withdrawSome(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp) (full bool, err error) {
	var rows []row
	err = tx.Select(ctx, &rows, `
		SELECT `+columns+` FROM listings
		WHERE account_id = $1 AND status IN ('publishing', 'live') AND (status = 'live' OR end_reason IS NULL)
		LIMIT $2`, stamp.AccountID, withdrawnAtOnce)
	if err != nil {
		return false, err
	}
	var live, publishing []string
	reason := EndedBySeller
	for _, r := range rows {
		l := r.listing()
		if l.Status == Live {
			live = append(live, l.ID)
			continue
		}
		l = l.to(Publishing)
		l.EndReason, l.UpdatedAt = &reason, stamp.Offset(len(publishing)).At
		if err := update(ctx, tx, l); err != nil {
			return false, err
		}
		publishing = append(publishing, l.ID)
	}
	if len(publishing) > 0 {
		stamp.ExtendTo(tx, stamp.Offset(len(publishing)-1).At)
		if err := s.work.EnqueueUnclaimed(ctx, tx, stamp.AccountID, publishing...); err != nil {
			return false, err
		}
	}
	if len(live) > 0 {
		if _, err := s.EndManyIn(ctx, tx, stamp, live); err != nil {
			return false, err
		}
	}
	return len(rows) == withdrawnAtOnce, nil
}

// Unfinished returns the number of the account's listings that are publishing, live or ending.
func (s *Service) Unfinished(ctx context.Context, q postgres.Querier, accountID string) (n int, err error) {
	err = q.Get(ctx, &n, `
		SELECT count(*) FROM listings WHERE account_id = $1 AND status IN ('publishing', 'live', 'ending')`, accountID)
	if err != nil {
		return 0, fmt.Errorf("count unfinished listings: %w", err)
	}
	return n, nil
}
