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

// handle deletes a part of an account.
func (s *Service) handle(ctx context.Context, c queue.Claim) error {
	wait, err := s.close(ctx, c.AccountID)
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
	deleted, finished, err := s.clear(ctx, c.AccountID, time.Now().Add(turnTime))
	switch {
	case err != nil:
		return err
	case !finished:
		_, err := s.work.Repeat(ctx, s.db, c, 0)
		return err
	case deleted > 0:
		_, err := s.work.Repeat(ctx, s.db, c, recheckDelay)
		return err
	}
	return s.finish(ctx, c)
}

// kept is what close returns for an account whose deletion was cancelled.
const kept = -1

// close deletes what lets anyone act for the account, if its time has come: the account itself, its clock, without
// which no write succeeds, its tokens and its users. It returns how long to wait if its time is later, and kept if the
// account is not to be deleted. An account that was closed before stays so.
func (s *Service) close(ctx context.Context, accountID string) (wait time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, queue.StoreTime)
	defer cancel()
	err = s.db.InTx(ctx, func(tx *postgres.Tx) error {
		var left *float64 // seconds
		err := tx.Get(ctx, &left, `
			SELECT extract(epoch FROM delete_at - now())::float8 FROM accounts WHERE id = $1 FOR UPDATE`, accountID)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return nil
		case err != nil:
			return err
		case left == nil:
			wait = kept
			return nil
		case *left > 0:
			wait = time.Duration(*left*float64(time.Second)) + time.Millisecond
			return nil
		}
		slog.InfoContext(ctx, "deleting an account", "account_id", accountID)
		if err := s.users.DeleteMembersIn(ctx, tx, accountID); err != nil {
			return err
		}
		for _, statement := range []string{
			`DELETE FROM account_clock WHERE account_id = $1`, // first: it waits for a write that has begun
			`DELETE FROM token_hashes WHERE account_id = $1`,
			`DELETE FROM tokens WHERE account_id = $1`,
			`DELETE FROM accounts WHERE id = $1`,
		} {
			if _, err := tx.Exec(ctx, statement, accountID); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("deletion.close: %w", err)
	}
	return wait, nil
}

// finish ends the deletion of an account of which nothing is left.
func (s *Service) finish(ctx context.Context, c queue.Claim) error {
	err := s.db.InTx(ctx, func(tx *postgres.Tx) error {
		if held, err := s.work.Finish(ctx, tx, c); err != nil || !held {
			return err
		}
		_, err := tx.Exec(ctx, `DELETE FROM queue_accounts WHERE account_id = $1`, c.AccountID)
		return err
	})
	if err != nil {
		return fmt.Errorf("deletion.finish: %w", err)
	}
	slog.InfoContext(ctx, "account deleted", "account_id", c.AccountID)
	return nil
}
