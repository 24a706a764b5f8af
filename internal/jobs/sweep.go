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

// remove deletes a job after its refusals, which can be a million.
func (s *Service) remove(ctx context.Context, accountID, jobID string) error {
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
