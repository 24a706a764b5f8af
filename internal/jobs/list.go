package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/paging"
)

// List returns a page of the account's jobs, newest first.
func (s *Service) List(ctx context.Context, accountID string, p paging.Request) (paging.Page[Job], error) {
	scope := "jobs " + accountID
	after, err := s.cursors.Start(scope, p)
	if err != nil {
		return paging.Page[Job]{}, err
	}
	list := paging.List{
		Columns: jobColumns, Table: "jobs", Sort: paging.ByTime("created_at"), ID: "id", Account: accountID,
	}
	var rows []struct {
		Job
		paging.Scanned
	}
	if err := paging.Select(ctx, s.db, &rows, list, after, p.Size()); err != nil {
		return paging.Page[Job]{}, fmt.Errorf("list jobs: %w", err)
	}
	var read paging.Read[Job]
	for _, r := range rows {
		read.Add(r.Job, r.Scanned)
	}
	return paging.Cut(s.cursors, scope, read, p.Size(), func(j Job) paging.Position {
		return paging.Position{At: j.CreatedAt, ID: j.ID}
	}), nil
}

// Refusals returns a page of the cards that a job could not change, newest first. It returns job_not_found if the
// account does not have the job.
func (s *Service) Refusals(
	ctx context.Context, accountID, jobID string, p paging.Request,
) (paging.Page[Refusal], error) {
	var none paging.Page[Refusal]
	job, err := s.Get(ctx, accountID, jobID)
	if err != nil {
		return none, err
	}
	scope := "job refusals " + accountID + " " + job.ID
	after, err := s.cursors.Start(scope, p)
	if err != nil {
		return none, err
	}
	list := paging.List{
		Columns: "card_id, refused_at, code, message, details", Table: "job_refusals",
		Sort: paging.ByTime("refused_at"), ID: "card_id", Account: accountID,
		Leading: &paging.LeadingColumn{Column: "job_id", Value: job.ID},
	}
	var rows []struct {
		refusalRow
		paging.Scanned
	}
	if err := paging.Select(ctx, s.db, &rows, list, after, p.Size()); err != nil {
		return none, fmt.Errorf("list refusals: %w", err)
	}
	var read paging.Read[Refusal]
	for _, r := range rows {
		refusal, err := r.refusal()
		if err != nil {
			return none, fmt.Errorf("list refusals: %w", err)
		}
		read.Add(refusal, r.Scanned)
	}
	return paging.Cut(s.cursors, scope, read, p.Size(), func(r Refusal) paging.Position {
		return paging.Position{At: r.RefusedAt, ID: r.CardID}
	}), nil
}

// refusalRow is a row of job_refusals.
type refusalRow struct {
	CardID    string    `db:"card_id"`
	RefusedAt time.Time `db:"refused_at"`
	Code      string    `db:"code"`
	Message   string    `db:"message"`
	Details   string    `db:"details"`
}

func (r refusalRow) refusal() (Refusal, error) {
	f := fault.New(fault.Code(r.Code), "%s", r.Message)
	err := json.Unmarshal([]byte(r.Details), &f.Details)
	return Refusal{CardID: r.CardID, RefusedAt: r.RefusedAt.UTC(), Err: f}, err
}
