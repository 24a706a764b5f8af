package jobs

import (
	"context"
	"fmt"
	"time"
)

const (
	// sweepInterval is the interval between two sweeps.
	sweepInterval = time.Hour
	// sweepJobs is the number of jobs of one sweep, and sweepRefusals of refusals that a statement deletes.
	sweepJobs     = 100
	sweepRefusals = 10_000
	// sweptEdits is the number of rows with edits, each of up to chunkSize cards, that a statement deletes.
	sweptEdits = 500
)

// sweep deletes jobs that finished more than Retention ago. It reports whether there may be more.
func (s *Service) sweep(ctx context.Context) (more bool, err error) {
	var expired []struct {
		AccountID string `db:"account_id"`
		ID        string `db:"id"`
	}
	err = s.db.Select(ctx, &expired, `
		SELECT account_id, id FROM jobs WHERE finished_at < now() - $1 * interval '1 second'
		ORDER BY finished_at LIMIT $2`, Retention.Seconds(), sweepJobs)
	if err != nil {
		return false, fmt.Errorf("jobs.sweep: %w", err)
	}
	for _, j := range expired {
		if err := s.remove(ctx, j.AccountID, j.ID); err != nil {
			return false, fmt.Errorf("jobs.sweep: %w", err)
		}
	}
	return len(expired) == sweepJobs, nil
}

// sweepEdits deletes the edits of jobs that cannot be undone any more, an hour later because clocks may differ. Those
// of a job that is being undone are kept. It reports whether there may be more.
func (s *Service) sweepEdits(ctx context.Context) (more bool, err error) {
	var expired []struct {
		AccountID string `db:"account_id"`
		ID        string `db:"id"`
	}
	err = s.db.Select(ctx, &expired, `
		SELECT j.account_id, j.id FROM jobs AS j
		WHERE j.edits > 0 AND j.finished_at < now() - $1 * interval '1 second' AND NOT EXISTS (
			SELECT FROM jobs AS u WHERE u.account_id = j.account_id AND u.id = j.undone_by AND u.finished_at IS NULL)
		ORDER BY j.finished_at LIMIT $2`, (UndoTime + time.Hour).Seconds(), sweepJobs)
	if err != nil {
		return false, fmt.Errorf("jobs.sweepEdits: %w", err)
	}
	for _, j := range expired {
		if err := s.removeEdits(ctx, j.AccountID, j.ID); err != nil {
			return false, fmt.Errorf("jobs.sweepEdits: %w", err)
		}
	}
	return len(expired) == sweepJobs, nil
}

// removeEdits deletes the edits of a job, which can be thousands of rows.
func (s *Service) removeEdits(ctx context.Context, accountID, jobID string) error {
	for deleted := int64(sweptEdits); deleted == sweptEdits; {
		result, err := s.db.Exec(ctx, `
			DELETE FROM job_edits WHERE account_id = $1 AND job_id = $2 AND place IN (
				SELECT place FROM job_edits WHERE account_id = $1 AND job_id = $2 ORDER BY place LIMIT $3)`,
			accountID, jobID, sweptEdits)
		if err != nil {
			return err
		}
		if deleted, err = result.RowsAffected(); err != nil {
			return err
		}
	}
	_, err := s.db.Exec(ctx, `UPDATE jobs SET edits = 0 WHERE account_id = $1 AND id = $2`, accountID, jobID)
	return err
}

// remove deletes a job after its edits and its refusals, which can be a million.
func (s *Service) remove(ctx context.Context, accountID, jobID string) error {
	if err := s.removeEdits(ctx, accountID, jobID); err != nil {
		return err
	}
	for deleted := int64(sweepRefusals); deleted == sweepRefusals; {
		result, err := s.db.Exec(ctx, `
			DELETE FROM job_refusals WHERE account_id = $1 AND job_id = $2 AND refused_at IN (
				SELECT refused_at FROM job_refusals WHERE account_id = $1 AND job_id = $2
				ORDER BY refused_at LIMIT $3)`,
			accountID, jobID, sweepRefusals)
		if err != nil {
			return err
		}
		if deleted, err = result.RowsAffected(); err != nil {
			return err
		}
	}
	_, err := s.db.Exec(ctx, `DELETE FROM jobs WHERE account_id = $1 AND id = $2`, accountID, jobID)
	return err
}
