package v1

import (
	"context"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/api/idempotency"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/jobs"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// ListJobs implements GET /jobs.
func (s *Server) ListJobs(ctx context.Context, r server.ListJobsRequestObject) (server.ListJobsResponseObject, error) {
	list, err := s.Jobs.List(ctx, caller.From(ctx).AccountID, pageOf(r.Params.Limit, r.Params.Cursor))
	if err != nil {
		return nil, err
	}
	data := make([]server.Job, len(list.Data))
	for i := range list.Data {
		data[i] = job(&list.Data[i])
	}
	return server.ListJobs200JSONResponse{
		Data: data, HasMore: list.NextCursor != nil, NextCursor: list.NextCursor,
	}, nil
}

// CreateJob implements POST /jobs.
func (s *Server) CreateJob(
	ctx context.Context, r server.CreateJobRequestObject,
) (server.CreateJobResponseObject, error) {
	request := jobs.Request{
		Kind: jobs.Kind(r.Body.Kind), Hints: hints(r.Body.Hints), Expected: expected(r.Body.ExpectedCount),
	}
	if r.Body.CardIds != nil {
		request.CardIDs = *r.Body.CardIds
	}
	if r.Body.Filter != nil {
		filter := jobFilter(r.Body.Filter)
		request.Filter = &filter
	}
	if r.Body.Patch != nil {
		change := patch(r.Body.Patch)
		request.Patch = &change
	}
	if r.Body.PriceChange != nil {
		p := priceChange(*r.Body.PriceChange)
		request.PriceChange = &p
	}
	who := caller.From(ctx)
	result, err := s.Jobs.Create(ctx, who.AccountID, request, who.Sandbox, idempotency.Hook(ctx))
	if err != nil {
		return nil, err
	}
	return server.CreateJob202JSONResponse(job(&result)), nil
}

// GetJob implements GET /jobs/{id}.
func (s *Server) GetJob(ctx context.Context, r server.GetJobRequestObject) (server.GetJobResponseObject, error) {
	result, err := s.Jobs.Get(ctx, caller.From(ctx).AccountID, r.ID)
	if err != nil {
		return nil, err
	}
	return server.GetJob200JSONResponse(job(&result)), nil
}

// ListJobRefusals implements GET /jobs/{id}/refusals.
func (s *Server) ListJobRefusals(
	ctx context.Context, r server.ListJobRefusalsRequestObject,
) (server.ListJobRefusalsResponseObject, error) {
	account := caller.From(ctx).AccountID
	list, err := s.Jobs.Refusals(ctx, account, r.ID, pageOf(r.Params.Limit, r.Params.Cursor))
	if err != nil {
		return nil, err
	}
	data := make([]server.JobRefusal, len(list.Data))
	for i, refusal := range list.Data {
		data[i] = server.JobRefusal{CardID: refusal.CardID, RefusedAt: timestamp.Of(refusal.RefusedAt)}
		if data[i].Error, err = itemError(refusal.Err); err != nil {
			return nil, err
		}
	}
	return server.ListJobRefusals200JSONResponse{
		Data: data, HasMore: list.NextCursor != nil, NextCursor: list.NextCursor,
	}, nil
}

// CancelJob implements POST /jobs/{id}/cancel.
func (s *Server) CancelJob(
	ctx context.Context, r server.CancelJobRequestObject,
) (server.CancelJobResponseObject, error) {
	result, err := s.Jobs.Cancel(ctx, caller.From(ctx).AccountID, r.ID, idempotency.Hook(ctx))
	if err != nil {
		return nil, err
	}
	return server.CancelJob200JSONResponse(job(&result)), nil
}

// UndoJob implements POST /jobs/{id}/undo.
func (s *Server) UndoJob(ctx context.Context, r server.UndoJobRequestObject) (server.UndoJobResponseObject, error) {
	undo, err := s.Jobs.Undo(ctx, caller.From(ctx).AccountID, r.ID, idempotency.Hook(ctx))
	if err != nil {
		return nil, err
	}
	return server.UndoJob202JSONResponse(job(&undo)), nil
}

// priceChange converts a change of prices. Its percentage has two decimals.
func priceChange(in server.PriceChange) cards.PriceChange {
	change := cards.ChangeBy(in.Percent, in.RoundTo99 != nil && *in.RoundTo99)
	change.OfEstimate = in.Of != nil && *in.Of == server.Estimate
	return change
}

func job(j *jobs.Job) server.Job {
	return server.Job{
		ID: j.ID, Kind: server.JobKind(j.Kind), Status: server.JobStatus(j.Status), Total: int32(j.Total),
		Done: int32(j.Changed()), Unchanged: int32(j.Unchanged), Refused: int32(j.Refused),
		CreatedAt: timestamp.Of(j.CreatedAt),
		UpdatedAt: timestamp.Of(j.UpdatedAt), FinishedAt: timestamp.Or(j.FinishedAt),
		UndoableUntil: timestamp.Or(j.UndoableUntil()), Undoes: j.Undoes, UndoneBy: j.UndoneBy,
	}
}
