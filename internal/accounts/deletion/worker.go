package deletion

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/worker"
)

const (
	// accountsAtOnce is the number of accounts that a process deletes concurrently.
	accountsAtOnce = 2
	// turnTime is how long an account is worked on before other accounts get a turn.
	turnTime = 2 * time.Second
	// lease is much longer than a turn. A second worker would be harmless.
	lease = time.Minute
	// withdrawTime is how long the deletion waits until the marketplaces have ended the account's listings. It is
	// longer than a weekend, on which a marketplace may be out of order.
	withdrawTime = 3 * 24 * time.Hour
	// withdrawInterval is the interval between two looks at the listings.
	withdrawInterval = 15 * time.Second
	// recheckDelay is longer than requests and background work take that had begun when the account was deleted.
	recheckDelay = 10 * time.Minute
	retryDelay   = 30 * time.Second
)

// Background deletes accounts whose time has come.
func (s *Service) Background() worker.Loop {
	runner := &queue.Runner{
		Queue: s.work, DB: s.db, Parallel: accountsAtOnce, Lease: lease, Handle: s.handle,
		Backoff: func(queue.Claim, error) time.Duration { return retryDelay },
	}
	return runner.Loop("account deletion")
}

// handle does a part of the deletion of an account.
func (s *Service) handle(ctx context.Context, c queue.Claim) error {
	for _, step := range []func(context.Context, string) (time.Duration, error){
		s.close, s.withdraw, s.deleteAccount,
	} {
		wait, err := step(ctx, c.AccountID)
		switch {
		case err != nil:
			return err
		case wait > 0:
			_, err := s.work.Repeat(ctx, s.db, c, wait)
			return err
		case wait < 0:
			_, err := s.work.Finish(ctx, s.db, c)
			return err
		}
	}
	count, finished, err := s.clear(ctx, c.AccountID, time.Now().Add(turnTime))
	switch {
	case err != nil:
		return err
	case !finished:
		_, err := s.work.Repeat(ctx, s.db, c, 0)
		return err
	case count > 0:
		_, err := s.work.Repeat(ctx, s.db, c, recheckDelay)
		return err
	}
	return s.finish(ctx, c)
}

// kept is what close returns for an account whose deletion was cancelled.
const kept = -1

// close deletes the account's tokens and users once the deletion's waiting period is over. It returns how long to wait
// if the period is not over, and kept if the account is not to be deleted. It changes nothing in an account that is
// closed already.
func (s *Service) close(ctx context.Context, accountID string) (wait time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, queue.StoreTime)
	defer cancel()
	err = s.db.InTx(ctx, func(tx *postgres.Tx) error {
		var at struct {
			Left   *float64   `db:"left"` // seconds
			Closed *time.Time `db:"closed_at"`
		}
		err := tx.Get(ctx, &at, `
			SELECT extract(epoch FROM delete_at - now())::float8 AS left, closed_at FROM accounts
			WHERE id = $1 FOR UPDATE`, accountID)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return nil
		case err != nil:
			return err
		case at.Closed != nil:
			return nil
		case at.Left == nil:
			wait = kept
			return nil
		case *at.Left > 0:
			wait = time.Duration(*at.Left*float64(time.Second)) + time.Millisecond
			return nil
		}
		slog.InfoContext(ctx, "deleting an account", "account_id", accountID)
		if err := s.users.DeleteMembersIn(ctx, tx, accountID); err != nil {
			return err
		}
		return execute(ctx, tx, accountID,
			`DELETE FROM token_hashes WHERE account_id = $1`,
			`DELETE FROM tokens WHERE account_id = $1`,
			`UPDATE accounts SET closed_at = now() WHERE id = $1`)
	})
	if err != nil {
		return 0, fmt.Errorf("close account: %w", err)
	}
	return wait, nil
}

// execute runs statements about an account.
func execute(ctx context.Context, tx *postgres.Tx, accountID string, statements ...string) error {
	for _, statement := range statements {
		if _, err := tx.Exec(ctx, statement, accountID); err != nil {
			return err
		}
	}
	return nil
}

// withdraw requests the end of the listings of a closed account, as long as there is time for it. It returns how long
// to wait for the workers that end them. Background work that began before, such as a job, may still publish cards:
// later calls withdraw these too.
func (s *Service) withdraw(ctx context.Context, accountID string) (wait time.Duration, err error) {
	closed, overdue, err := s.closed(ctx, accountID)
	if err != nil || !closed || overdue {
		return 0, err
	}
	open, err := s.listings.WithdrawAll(ctx, accountID)
	if err != nil || open == 0 {
		return 0, err
	}
	return withdrawInterval, nil
}

// closed reports whether the account is closed and not deleted, and whether the time to withdraw its listings is over.
func (s *Service) closed(ctx context.Context, accountID string) (closed, overdue bool, err error) {
	err = s.db.Get(ctx, &overdue, `
		SELECT closed_at + $2 * interval '1 microsecond' <= now() FROM accounts WHERE id = $1`,
		accountID, withdrawTime.Microseconds())
	if errors.Is(err, sql.ErrNoRows) {
		return false, false, nil
	}
	if err != nil {
		return false, false, fmt.Errorf("check for closed account: %w", err)
	}
	return true, overdue, nil
}

// deleteAccount deletes a closed account and its clock, without which no write succeeds. If a listing was published
// since withdraw, it returns how long to wait.
func (s *Service) deleteAccount(ctx context.Context, accountID string) (wait time.Duration, err error) {
	closed, overdue, err := s.closed(ctx, accountID)
	if err != nil || !closed {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, queue.StoreTime)
	defer cancel()
	left := 0
	err = s.db.InTx(ctx, func(tx *postgres.Tx) error {
		err := execute(ctx, tx, accountID,
			`DELETE FROM account_clock WHERE account_id = $1`, // waits for a write that has begun
			`DELETE FROM accounts WHERE id = $1`)
		if err != nil {
			return err
		}
		if left, err = s.listings.Unfinished(ctx, tx, accountID); err == nil && left > 0 && !overdue {
			err = errPublished
		}
		return err
	})
	switch {
	case errors.Is(err, errPublished):
		return withdrawInterval, nil
	case err != nil:
		return 0, fmt.Errorf("delete account: %w", err)
	case left > 0:
		s.left.Add(float64(left))
		slog.ErrorContext(ctx, "listings of a deleted account stay on their marketplace",
			"account_id", accountID, "listings", left)
	}
	return 0, nil
}

// errPublished rolls back the deletion of an account with an unfinished listing.
var errPublished = errors.New("deletion: a listing is not finished")

// finish ends the deletion of an account when no rows and files are left.
func (s *Service) finish(ctx context.Context, c queue.Claim) error {
	err := s.db.InTx(ctx, func(tx *postgres.Tx) error {
		if held, err := s.work.Finish(ctx, tx, c); err != nil || !held {
			return err
		}
		_, err := tx.Exec(ctx, `DELETE FROM queue_accounts WHERE account_id = $1`, c.AccountID)
		return err
	})
	if err != nil {
		return fmt.Errorf("finish deletion: %w", err)
	}
	slog.InfoContext(ctx, "account deleted", "account_id", c.AccountID)
	return nil
}
