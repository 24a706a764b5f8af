package exports

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/quota"
	"github.com/cardvault/cardvault/internal/waiting"
	"github.com/cardvault/cardvault/internal/worker"
)

const (
	// pollInterval is the longest time until an export is found that another process accepted or left.
	pollInterval = 2 * time.Second
	// leaseTime is how long a claim is valid after its last sign of progress. A page or a photo takes much less.
	leaseTime = 2 * time.Minute
	// renewInterval is the shortest time between two signs of progress.
	renewInterval = time.Second
	// maxAttempts is the number of attempts before an export fails.
	maxAttempts = 3
	// retryDelay is the delay after the first failure. It grows with each further one.
	retryDelay = 30 * time.Second
	// callTimeout limits a call to the database that claims an export or stores its state.
	callTimeout = 5 * time.Second
)

var (
	// errLost means that the lease expired and another process writes the archive, or that the account was deleted.
	errLost = errors.New("the claim of the export is no longer valid")
	// errStopping means that the process stops; another one begins the archive again.
	errStopping = errors.New("the process stops")
	// errStalled means that nothing was written during leaseTime.
	errStalled = errors.New("the export made no progress")
	// errCrashed means that no attempt before ended, so the export itself may be what ends processes.
	errCrashed = errors.New("the processes that wrote the export ended")
)

// claim is an export that this process writes.
type claim struct {
	AccountID string    `db:"account_id"`
	ID        string    `db:"id"`
	ClaimID   string    `db:"claim_id"`
	Attempts  int       `db:"attempts"` // including this one
	CreatedAt time.Time `db:"created_at"`
}

// work writes the archive of the export that has waited longest. It reports whether more exports may be waiting.
func (s *Service) work(ctx context.Context) (more bool, err error) {
	if err := s.unclaim(ctx); err != nil {
		return false, err
	}
	c, err := s.claim(ctx)
	if err != nil || c == nil {
		return false, err
	}
	if c.ClaimID == "" { // another process was faster
		return true, nil
	}
	if err = s.attempt(ctx, c); err == nil {
		return true, nil
	}
	slog.WarnContext(ctx, "export interrupted", "account_id", c.AccountID, "export_id", c.ID,
		"attempt", c.Attempts, "error", err)
	return !s.loop.Stopping(), s.release(ctx, c, err)
}

// attempt writes the archive of a claimed export.
func (s *Service) attempt(ctx context.Context, c *claim) (err error) {
	defer worker.Recover(&err)
	if c.Attempts > maxAttempts {
		return errCrashed
	}
	size, err := s.write(ctx, c)
	if err != nil {
		return err
	}
	return s.finish(ctx, c, size)
}

// claim leases the export that is due first. It returns nil if none is due, and a claim without ClaimID if another
// process has claimed it.
func (s *Service) claim(ctx context.Context) (*claim, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var c claim
	err := s.db.Get(ctx, &c, `
		SELECT account_id, id FROM account_exports WHERE due_at <= now() ORDER BY due_at LIMIT 1`)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("claim export: %w", err)
	}
	name := s.db.Process().NewClaimName()
	err = s.db.Get(ctx, &c, `
		UPDATE account_exports
		SET status = $3, due_at = now() + $4 * interval '1 microsecond', claim_id = $5, attempts = attempts + 1,
			part = '', written = 0, size = 0, last_attempt_at = now()
		WHERE account_id = $1 AND id = $2 AND due_at <= now()
		RETURNING account_id, id, claim_id, attempts, created_at`,
		c.AccountID, c.ID, Running, leaseTime.Microseconds(), name)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		s.unconfirmed = &claim{AccountID: c.AccountID, ID: c.ID, ClaimID: name}
		return nil, fmt.Errorf("claim export: %w", err)
	}
	return &c, nil
}

// unclaim makes the export due that a claim without an answer may have leased. The claim does not count as an attempt.
func (s *Service) unclaim(ctx context.Context) error {
	if s.unconfirmed == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	err := s.update(ctx, s.db, s.unconfirmed,
		`status = $4, due_at = now(), claim_id = NULL, attempts = attempts - 1`, Queued)
	if err != nil && !errors.Is(err, errLost) {
		return fmt.Errorf("release claim: %w", err)
	}
	s.unconfirmed = nil
	return nil
}

// renew stores the progress of a claimed export and renews its lease.
func (s *Service) renew(ctx context.Context, c *claim, p progress) error {
	if s.loop.Stopping() {
		return errStopping
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	return s.update(ctx, s.db, c, `due_at = now() + $4 * interval '1 microsecond', part = $5, written = $6, size = $7`,
		leaseTime.Microseconds(), p.part, p.written, p.size)
}

// finish makes the archive of a claimed export ready. Of the account's archives, the newest ones are kept.
func (s *Service) finish(ctx context.Context, c *claim, size int64) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	err := s.clock.Write(ctx, s.db, c.AccountID, func(tx *postgres.Tx, stamp clock.Stamp) error {
		err := s.update(ctx, tx, c, `status = $4, due_at = NULL, claim_id = NULL, part = '', size = $5,
			finished_at = now(), expires_at = now() + $6 * interval '1 microsecond'`,
			Ready, size, Retention.Microseconds())
		if err != nil {
			return err
		}
		limit := stamp.Quotas(tx).Of(quota.Exports)
		if limit == 0 {
			return nil
		}
		_, err = tx.Exec(ctx, `
			UPDATE account_exports SET expires_at = now()
			WHERE account_id = $1 AND status = $2 AND id NOT IN (
				SELECT id FROM account_exports WHERE account_id = $1 AND status = $2
				ORDER BY finished_at DESC LIMIT $3)`,
			c.AccountID, Ready, limit)
		return err
	})
	if err != nil {
		return fmt.Errorf("finish export: %w", err)
	}
	return nil
}

// release ends the claim of an export that was not written. It is written again after a while, or has failed if that
// was its last attempt. The attempt does not count if the process stops.
func (s *Service) release(ctx context.Context, c *claim, failure error) error {
	if errors.Is(failure, errLost) {
		return nil
	}
	stopped := ctx.Err() != nil || errors.Is(failure, errStopping)
	cause := queue.Failure{Reason: waiting.Problem, Err: failure}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), callTimeout)
	defer cancel()
	var err error
	switch {
	case stopped:
		err = s.update(ctx, s.db, c, `status = $4, due_at = now(), claim_id = NULL, attempts = attempts - 1`, Queued)
	case c.Attempts < maxAttempts:
		err = s.update(ctx, s.db, c, `status = $4, due_at = now() + $5 * interval '1 microsecond', claim_id = NULL,
			wait_reason = $6, last_error = $7`, Queued, (time.Duration(c.Attempts) * retryDelay).Microseconds(),
			cause.Reason, cause.Text())
	default:
		err = s.update(ctx, s.db, c, `status = $4, due_at = NULL, claim_id = NULL, finished_at = now(),
			expires_at = now() + $5 * interval '1 microsecond', wait_reason = $6, last_error = $7`,
			Failed, Retention.Microseconds(), cause.Reason, cause.Text())
	}
	if err != nil && !errors.Is(err, errLost) {
		return fmt.Errorf("release exports: %w", err)
	}
	return nil
}

// Release makes the exports due that a process was writing.
func (s *Service) Release(ctx context.Context, process postgres.ProcessID) error {
	var claims []claim
	err := s.db.Select(ctx, &claims, `
		SELECT account_id, id, claim_id FROM account_exports
		WHERE due_at IS NOT NULL AND left(claim_id, 13) = $1`, process.ClaimPrefix())
	if err != nil {
		return fmt.Errorf("load the exports of a process: %w", err)
	}
	for _, c := range claims {
		err := s.update(ctx, s.db, &c, `status = $4, due_at = now(), claim_id = NULL`, Queued)
		if err != nil && !errors.Is(err, errLost) {
			return fmt.Errorf("release an export: %w", err)
		}
	}
	s.loop.Wake()
	return nil
}

// update sets columns of a claimed export. args are the parameters from $4. It returns errLost if the claim is no
// longer valid.
func (s *Service) update(ctx context.Context, q postgres.Querier, c *claim, set string, args ...any) error {
	result, err := q.Exec(ctx, `UPDATE account_exports SET `+set+`
		WHERE account_id = $1 AND id = $2 AND claim_id = $3`,
		slices.Concat([]any{c.AccountID, c.ID, c.ClaimID}, args)...)
	if err != nil {
		return err
	}
	rows, err := result.RowsAffected()
	if err == nil && rows == 0 {
		err = errLost
	}
	return err
}

const (
	sweepInterval = time.Hour
	sweepSize     = 100 // exports of a turn
)

// sweep deletes archives that have expired. The file is deleted first, so that none is left without its row.
func (s *Service) sweep(ctx context.Context) (more bool, err error) {
	var list []Export
	err = s.db.Select(ctx, &list, `
		SELECT `+columns+` FROM account_exports WHERE expires_at <= now() ORDER BY expires_at LIMIT $1`, sweepSize)
	if err != nil {
		return false, fmt.Errorf("delete expired archives: %w", err)
	}
	for _, e := range list {
		if err := s.store.Delete(ctx, key(e.AccountID, e.ID)); err != nil {
			return false, fmt.Errorf("delete expired archives: %w", err)
		}
		_, err := s.db.Exec(ctx, `DELETE FROM account_exports WHERE account_id = $1 AND id = $2`, e.AccountID, e.ID)
		if err != nil {
			return false, fmt.Errorf("delete expired archives: %w", err)
		}
	}
	return len(list) == sweepSize, nil
}
