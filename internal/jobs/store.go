package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/quota"
	"github.com/cardvault/cardvault/internal/timestamp"
)

const (
	jobColumns = `account_id, id, kind, status, total, done, refused, created_at, updated_at, finished_at, edits,
		undoes, undone_by, patch, unchanged`
	planColumns = jobColumns + `, filter, most, after_at, after_id, marketplace, hints, actor_type, actor_id`
)

// NotFound returns the error for a job that the account does not have.
func NotFound() error { return fault.NotFound(fault.JobNotFound) }

func find(ctx context.Context, q postgres.Querier, accountID, jobID string) (p plan, err error) {
	err = q.Get(ctx, &p, `SELECT `+planColumns+` FROM jobs WHERE account_id = $1 AND id = $2`, accountID, jobID)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return plan{}, NotFound()
	case err != nil:
		return plan{}, fmt.Errorf("load job: %w", err)
	}
	return p, nil
}

// checkLimit returns job_limit_reached if the account has MaxUnfinished unfinished jobs.
func checkLimit(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp) error {
	var count int64
	err := tx.Get(ctx, &count, `SELECT count(*) FROM job_work WHERE account_id = $1`, stamp.AccountID)
	if err != nil {
		return fmt.Errorf("count jobs: %w", err)
	}
	if count >= MaxUnfinished {
		return fault.New(fault.JobLimitReached,
			"Your account has %d unfinished jobs. Wait until one has finished, or cancel one.", MaxUnfinished)
	}
	return stamp.Quotas(tx).Check(quota.Jobs, count, 1)
}

func insert(ctx context.Context, tx *postgres.Tx, p *plan) error {
	_, err := tx.Exec(ctx, `INSERT INTO jobs (`+planColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
			$23)`,
		p.AccountID, p.ID, string(p.Kind), string(p.Status), p.Total, p.Done, p.Refused, p.CreatedAt, p.UpdatedAt,
		p.FinishedAt, p.Edits, p.Undoes, p.UndoneBy, p.Patch, p.Unchanged, p.Filter, p.Most, p.AfterAt, p.AfterID,
		p.Marketplace,
		p.Hints, p.ActorType, p.ActorID)
	if err != nil {
		return fmt.Errorf("insert job: %w", err)
	}
	return nil
}

func update(ctx context.Context, tx *postgres.Tx, p *plan) error {
	_, err := tx.Exec(ctx, `
		UPDATE jobs SET status = $3, total = $4, done = $5, refused = $6, updated_at = $7, finished_at = $8,
			filter = $9, after_at = $10, after_id = $11, edits = $12, unchanged = $13
		WHERE account_id = $1 AND id = $2`,
		p.AccountID, p.ID, string(p.Status), p.Total, p.Done, p.Refused, p.UpdatedAt, p.FinishedAt, p.Filter,
		p.AfterAt, p.AfterID, p.Edits, p.Unchanged)
	if err != nil {
		return fmt.Errorf("update job: %w", err)
	}
	return nil
}

// chunkSize is the largest number of cards of a chunk.
const chunkSize = paging.MaxLimit

// insertCards appends cards to a job as chunks. place is the place of the first card.
func insertCards(ctx context.Context, tx *postgres.Tx, j *Job, place int, cardIDs []string) error {
	if len(cardIDs) == 0 {
		return nil
	}
	columns := []string{"account_id", "job_id", "place", "card_ids"}
	err := tx.InsertRows(ctx, "job_chunks", columns, func(yield func([]any) bool) {
		for chunk := range slices.Chunk(cardIDs, chunkSize) {
			ids := make([]string, len(chunk))
			for i, cardID := range chunk {
				ids[i] = strings.ToLower(cardID)
			}
			if !yield([]any{j.AccountID, j.ID, place, ids}) {
				return
			}
			place += len(chunk)
		}
	})
	if err != nil {
		return fmt.Errorf("insert cards: %w", err)
	}
	return nil
}

// taken are the next cards of a job, with what to take back if the job undoes another one.
type taken struct {
	cardIDs []string
	edits   []cards.Edit
}

// take returns the next cards of a job, at most limit, or none if the job has no more.
func take(ctx context.Context, tx *postgres.Tx, j *Job, limit int) (next taken, err error) {
	if j.Undoes != nil {
		return takeEdits(ctx, tx, j, limit)
	}
	next.cardIDs, err = takeCards(ctx, tx, j, limit)
	return next, err
}

// takeCards returns the next cards of a job, at most limit, or none if the job has no more. It deletes their chunk if
// they are its last ones.
func takeCards(ctx context.Context, tx *postgres.Tx, j *Job, limit int) ([]string, error) {
	place, left, err := cardsLeft(ctx, tx, j)
	if err != nil || len(left) > limit {
		return left[:min(limit, len(left))], err
	}
	_, err = tx.Exec(ctx, `DELETE FROM job_chunks WHERE account_id = $1 AND job_id = $2 AND place = $3`,
		j.AccountID, j.ID, place)
	if err != nil {
		return nil, fmt.Errorf("take cards: %w", err)
	}
	return left, nil
}

// cardsLeft returns the cards that are left of a job's current chunk and the place of the chunk, or no cards if the job
// has no more.
func cardsLeft(ctx context.Context, q postgres.Querier, j *Job) (place int, left []string, err error) {
	var chunk struct {
		Place   int            `db:"place"`
		CardIDs pq.StringArray `db:"card_ids"`
	}
	err = q.Get(ctx, &chunk, `
		SELECT place, card_ids FROM job_chunks WHERE account_id = $1 AND job_id = $2 ORDER BY place LIMIT 1`,
		j.AccountID, j.ID)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return 0, nil, nil
	case err != nil:
		return 0, nil, fmt.Errorf("count remaining cards: %w", err)
	}
	return chunk.Place, chunk.CardIDs[j.Done+j.Refused-chunk.Place:], nil
}

// deleteCards deletes the chunks that are left of a job.
func deleteCards(ctx context.Context, tx *postgres.Tx, j *Job) error {
	_, err := tx.Exec(ctx, `DELETE FROM job_chunks WHERE account_id = $1 AND job_id = $2`, j.AccountID, j.ID)
	if err != nil {
		return fmt.Errorf("delete cards: %w", err)
	}
	return nil
}

// insertRefusals stores the cards with an error. Each has a time of its own. An error that is not a fault is returned.
func insertRefusals(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, j *Job, cardIDs []string, outcomes []error,
) error {
	var times, ids, codes, messages, details pq.StringArray
	for i, err := range outcomes {
		if err == nil {
			continue
		}
		f, ok := fault.As(err)
		if !ok {
			return err
		}
		fields, err := json.Marshal(f.Details)
		if err != nil {
			return fmt.Errorf("insert refusals: %w", err)
		}
		times, ids = append(times, timestamp.Format(stamp.Offset(i).At)), append(ids, cardIDs[i])
		codes, messages = append(codes, string(f.Code)), append(messages, f.Message)
		details = append(details, string(fields))
	}
	if len(ids) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, `
		INSERT INTO job_refusals (account_id, job_id, refused_at, card_id, code, message, details)
		SELECT $1, $2, r.* FROM unnest($3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[]) AS r`,
		j.AccountID, j.ID, times, ids, codes, messages, details)
	if err != nil {
		return fmt.Errorf("insert refusals: %w", err)
	}
	return nil
}
