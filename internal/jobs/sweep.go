package jobs

import (
	"context"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

const (
	// sweepInterval is the interval between two sweeps.
	sweepInterval = time.Hour
	// sweepJobs is the number of jobs of one sweep, and sweepRefusals of refusals that a statement deletes.
	sweepJobs     = 100
	sweepRefusals = 10_000
	// editsInterval is the interval between two sweeps of edits and deleted cards.
	editsInterval = 5 * time.Minute
	// sweptCards is the number of deleted cards that a transaction erases. It is small, because the account's writers
	// wait for the transaction.
	sweptCards = 200
	// sweptEdits is the number of rows with edits, each of up to chunkSize cards, that a statement deletes.
	sweptEdits = 50
)

// sweep deletes jobs that finished more than Retention ago. It reports whether there may be more.
func (s *Service) sweep(ctx context.Context) (more bool, err error) {
	var rows []struct {
		AccountID string `db:"account_id"`
		ID        string `db:"id"`
	}
	err = s.db.Select(ctx, &rows, `
		SELECT account_id, id FROM jobs WHERE finished_at < now() - $1 * interval '1 second'
		ORDER BY finished_at LIMIT $2`, Retention.Seconds(), sweepJobs)
	if err != nil {
		return false, fmt.Errorf("delete old jobs: %w", err)
	}
	for _, j := range rows {
		if err := s.remove(ctx, j.AccountID, j.ID); err != nil {
			return false, fmt.Errorf("delete old jobs: %w", err)
		}
	}
	return len(rows) == sweepJobs, nil
}

// sweepEdits deletes the edits of jobs that cannot be undone any more, and erases the cards that they have deleted. It
// reports whether there may be more.
func (s *Service) sweepEdits(ctx context.Context) (more bool, err error) {
	var rows []struct {
		AccountID string `db:"account_id"`
		ID        string `db:"id"`
	}
	err = s.db.Select(ctx, &rows, `
		SELECT j.account_id, j.id FROM jobs AS j
		WHERE j.edits > 0 AND j.finished_at < now() - $1 * interval '1 second' AND NOT EXISTS (
			SELECT FROM jobs AS u WHERE u.account_id = j.account_id AND u.id = j.undone_by AND u.finished_at IS NULL)
		ORDER BY j.finished_at LIMIT $2`, UndoTime.Seconds(), sweepJobs)
	if err != nil {
		return false, fmt.Errorf("delete edits: %w", err)
	}
	for _, j := range rows {
		if err := s.removeEdits(ctx, j.AccountID, j.ID); err != nil {
			return false, fmt.Errorf("delete edits: %w", err)
		}
	}
	return len(rows) == sweepJobs, nil
}

// removeEdits erases the cards that a job has deleted, up to a million, and deletes its edits, up to thousands of rows.
// It does nothing if the job can still be undone by the account's clock, which accepts undos.
func (s *Service) removeEdits(ctx context.Context, accountID, jobID string) error {
	for more := true; more; {
		var photos []cards.Photo
		err := s.clock.Write(ctx, s.db, accountID, func(tx *postgres.Tx, stamp clock.Stamp) (err error) {
			photos, more, err = s.removeSomeEdits(ctx, tx, stamp, jobID)
			return err
		})
		if err != nil {
			return err
		}
		s.photos.RemoveImages(ctx, accountID, photos)
	}
	return nil
}

// removeSomeEdits is a step of removeEdits. It returns the photos of the erased cards and whether there is more to do.
func (s *Service) removeSomeEdits(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, jobID string,
) (photos []cards.Photo, more bool, err error) {
	p, err := find(ctx, tx, stamp.AccountID, jobID)
	if fault.Is(err, fault.JobNotFound) { // another process has removed it
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	if ended, err := s.undoEnded(ctx, tx, &p.Job, stamp.At); err != nil || !ended {
		return nil, false, err
	}
	if p.Kind == Delete {
		count, photos, err := s.cards.EraseIn(ctx, tx, stamp, jobID, sweptCards)
		if err != nil || count == sweptCards {
			return photos, true, err
		}
		more, err := removeEditRows(ctx, tx, &p.Job)
		return photos, more, err
	}
	more, err = removeEditRows(ctx, tx, &p.Job)
	return nil, more, err
}

// undoEnded reports whether the job can be undone no more and no job is undoing it.
func (s *Service) undoEnded(ctx context.Context, tx *postgres.Tx, j *Job, now time.Time) (bool, error) {
	if !j.undoEnded(now) || j.UndoneBy == nil {
		return j.undoEnded(now), nil
	}
	undo, err := find(ctx, tx, j.AccountID, *j.UndoneBy)
	if fault.Is(err, fault.JobNotFound) {
		return true, nil
	}
	return undo.Status.Finished(), err
}

// removeEditRows deletes some rows with edits, and reports whether there may be more.
func removeEditRows(ctx context.Context, tx *postgres.Tx, j *Job) (more bool, err error) {
	result, err := tx.Exec(ctx, `
		DELETE FROM job_edits WHERE account_id = $1 AND job_id = $2 AND place IN (
			SELECT place FROM job_edits WHERE account_id = $1 AND job_id = $2 ORDER BY place LIMIT $3)`,
		j.AccountID, j.ID, sweptEdits)
	if err != nil {
		return false, err
	}
	count, err := result.RowsAffected()
	if err != nil || count == sweptEdits {
		return true, err
	}
	_, err = tx.Exec(ctx, `UPDATE jobs SET edits = 0 WHERE account_id = $1 AND id = $2`, j.AccountID, j.ID)
	return false, err
}

// remove deletes a job after its edits and its refusals, which can be a million.
func (s *Service) remove(ctx context.Context, accountID, jobID string) error {
	if err := s.removeEdits(ctx, accountID, jobID); err != nil {
		return err
	}
	for count := int64(sweepRefusals); count == sweepRefusals; {
		result, err := s.db.Exec(ctx, `
			DELETE FROM job_refusals WHERE account_id = $1 AND job_id = $2 AND refused_at IN (
				SELECT refused_at FROM job_refusals WHERE account_id = $1 AND job_id = $2
				ORDER BY refused_at LIMIT $3)`,
			accountID, jobID, sweepRefusals)
		if err != nil {
			return err
		}
		if count, err = result.RowsAffected(); err != nil {
			return err
		}
	}
	_, err := s.db.Exec(ctx, `DELETE FROM jobs WHERE account_id = $1 AND id = $2`, accountID, jobID)
	return err
}
