package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
)

// undoPatch is the patch of a job that undoes another one. It is of kind Update, and processes of earlier versions
// cannot read it: they leave the job to others.
const undoPatch = `["undo"]`

// keptMark stands for the edit of a card that was deleted: package cards keeps the card. Processes of earlier versions
// cannot read it as an edit: they leave the jobs that restore cards to others.
const keptMark = "deleted"

// edited is a card that a job has changed.
type edited struct {
	cardID string
	edit   any // a cards.Edit, or keptMark
}

// editsOf returns the changes in results. It leaves out results without a change.
func editsOf(results []cards.ItemResult) (list []edited) {
	for i := range results {
		if r := &results[i]; r.Err == nil {
			if edit := cards.EditOf(&r.Before, &r.Card); !edit.IsZero() {
				list = append(list, edited{r.Card.ID, edit})
			}
		}
	}
	return list
}

// Undo accepts a job that takes the changes of a finished job back, with the actor of ctx. It changes each card like
// cards.Edit.Undo, or restores it if the job has deleted it. If the job was undone already, Undo returns the job that
// undoes it. Undo fails with job_not_undoable if the job is not finished, kept no values from before, or has finished
// more than UndoTime ago, and with job_limit_reached like Create. The hook is called in the transaction that inserts
// the job.
func (s *Service) Undo(ctx context.Context, accountID, jobID string, hook postgres.TxHook) (job Job, err error) {
	jobID, ok := id.Parse(id.Job, jobID)
	if !ok {
		return Job{}, NotFound()
	}
	actor := caller.ActorFrom(ctx)
	err = s.clock.WriteWithHook(ctx, s.db, accountID, hook, func(tx *postgres.Tx, stamp clock.Stamp) error {
		p, err := find(ctx, tx, accountID, jobID)
		if err != nil {
			return err
		}
		if p.UndoneBy != nil {
			undo, err := find(ctx, tx, accountID, *p.UndoneBy)
			job = undo.Job
			return err
		}
		if err := p.checkUndoable(stamp.At); err != nil {
			return err
		}
		if err := checkLimit(ctx, tx, stamp); err != nil {
			return err
		}
		undo := p.undo(actor, stamp.At)
		job = undo.Job
		if err := insert(ctx, tx, &undo); err != nil {
			return err
		}
		if err := setUndoneBy(ctx, tx, &p.Job, &job.ID, stamp.At); err != nil {
			return err
		}
		return s.work.Enqueue(ctx, tx, accountID, job.ID)
	})
	if err != nil {
		return Job{}, err
	}
	return job, nil
}

// undo returns the job that takes the changes of a job back.
func (p *plan) undo(actor caller.Actor, at time.Time) plan {
	undo := plan{
		Job: Job{
			AccountID: p.AccountID, ID: id.New(id.Job, at), Kind: Restore, Status: Queued, Total: p.Edits,
			CreatedAt: at, UpdatedAt: at, Undoes: &p.ID,
		},
		ActorType: string(actor.Type), ActorID: actor.ID,
	}
	if p.Kind != Delete {
		patch := undoPatch
		undo.Kind, undo.Patch = Update, &patch
	}
	return undo
}

// UndoableUntil returns when the changes of the job can be taken back no more, or nil if they cannot be now.
func (j *Job) UndoableUntil() *time.Time {
	if j.FinishedAt == nil || j.Edits == 0 || j.UndoneBy != nil {
		return nil
	}
	until := j.FinishedAt.Add(UndoTime)
	return &until
}

// checkUndoable returns job_not_undoable unless the changes of the job can be taken back at this time.
func (j *Job) checkUndoable(now time.Time) error {
	until := j.UndoableUntil()
	switch {
	case !j.Status.Finished():
		return fault.New(fault.JobNotUndoable,
			"This job is not finished. Wait until it is, or cancel it, then undo it.")
	case j.Kind == Restore:
		return fault.New(fault.JobNotUndoable, "To delete these cards again, start a job of the kind delete.")
	case !Undoable(j.Kind):
		return fault.New(fault.JobNotUndoable, "Jobs of the kind %s cannot be undone.", j.Kind)
	case j.Kind == Delete && j.undoEnded(now):
		return fault.New(fault.JobNotUndoable,
			"This job finished more than 24 hours ago, so its cards are erased and cannot come back.")
	case j.undoEnded(now):
		return fault.New(fault.JobNotUndoable,
			"This job finished more than 24 hours ago, so it cannot be undone any more.")
	case until == nil:
		return fault.New(fault.JobNotUndoable, "This job has changed no card, so there is nothing to undo.")
	}
	return nil
}

// Undoable reports whether jobs of this kind can be undone.
func Undoable(kind Kind) bool { return kind == Update || kind == Archive || kind == Delete }

// undoEnded reports whether the time in which the job can be undone is over.
func (j *Job) undoEnded(now time.Time) bool {
	return j.FinishedAt != nil && j.FinishedAt.Add(UndoTime).Before(now)
}

// setUndoneBy sets the job that undoes a job, or clears it.
func setUndoneBy(ctx context.Context, tx *postgres.Tx, j *Job, undoneBy *string, at time.Time) error {
	_, err := tx.Exec(ctx, `UPDATE jobs SET undone_by = $3, updated_at = $4 WHERE account_id = $1 AND id = $2`,
		j.AccountID, j.ID, undoneBy, at)
	if err != nil {
		return fmt.Errorf("mark undone job: %w", err)
	}
	return nil
}

// insertEdits stores the changes of a transaction of the job. It runs with the transaction's deferred statements.
func insertEdits(tx *postgres.Tx, p *plan, list []edited) error {
	if len(list) == 0 {
		return nil
	}
	cardIDs, edits := make(pq.StringArray, len(list)), make(pq.StringArray, len(list))
	for i, e := range list {
		text, err := json.Marshal(e.edit)
		if err != nil {
			return fmt.Errorf("insert edits: %w", err)
		}
		cardIDs[i], edits[i] = e.cardID, string(text)
	}
	tx.Defer(`INSERT INTO job_edits (account_id, job_id, place, card_ids, edits) VALUES ($1, $2, $3, $4, $5)`,
		p.AccountID, p.ID, p.Edits, cardIDs, edits)
	p.Edits += len(list)
	return nil
}

// takeEdits returns the next cards that a job takes back, at most limit, with what to take back. It returns none if
// there are no more.
func takeEdits(ctx context.Context, tx *postgres.Tx, j *Job, limit int) (taken, error) {
	var chunk struct {
		Place   int            `db:"place"`
		CardIDs pq.StringArray `db:"card_ids"`
		Edits   pq.StringArray `db:"edits"`
	}
	next := j.Done + j.Refused
	err := tx.Get(ctx, &chunk, `
		SELECT place, card_ids, edits FROM job_edits WHERE account_id = $1 AND job_id = $2 AND place <= $3
		ORDER BY place DESC LIMIT 1`, j.AccountID, *j.Undoes, next)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return taken{}, nil
	case err != nil:
		return taken{}, fmt.Errorf("take edits: %w", err)
	}
	first := min(next-chunk.Place, len(chunk.CardIDs))
	last := min(first+limit, len(chunk.CardIDs))
	if j.Kind == Restore {
		return taken{cardIDs: chunk.CardIDs[first:last]}, nil
	}
	edits := make([]cards.Edit, last-first)
	for i, text := range chunk.Edits[first:last] {
		if err := json.Unmarshal([]byte(text), &edits[i]); err != nil {
			return taken{}, fmt.Errorf("take edits: %w", err)
		}
	}
	return taken{chunk.CardIDs[first:last], edits}, nil
}
