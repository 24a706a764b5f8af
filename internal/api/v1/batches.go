package v1

import (
	"context"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/api/idempotency"
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// ListBatches implements GET /batches.
func (s *Server) ListBatches(
	ctx context.Context, r server.ListBatchesRequestObject,
) (server.ListBatchesResponseObject, error) {
	filter := batches.Filter{Status: (*batches.Status)(r.Params.Status), UpdatedSince: r.Params.UpdatedSince}
	list, err := s.Batches.List(ctx, caller.From(ctx).AccountID, filter, pageOf(r.Params.Limit, r.Params.Cursor))
	if err != nil {
		return nil, err
	}
	data := make([]server.Batch, len(list.Data))
	for i, b := range list.Data {
		data[i] = batch(b)
	}
	return server.ListBatches200JSONResponse{
		Data: data, HasMore: list.NextCursor != nil, NextCursor: list.NextCursor,
	}, nil
}

// CreateBatch implements POST /batches.
func (s *Server) CreateBatch(
	ctx context.Context, r server.CreateBatchRequestObject,
) (server.CreateBatchResponseObject, error) {
	account, hook := caller.From(ctx).AccountID, idempotency.Hook(ctx)
	result, err := s.Batches.Create(ctx, account, r.Body.Name, r.Body.Description, hook)
	if err != nil {
		return nil, err
	}
	return server.CreateBatch201JSONResponse(batch(result)), nil
}

// GetBatch implements GET /batches/{id}.
func (s *Server) GetBatch(ctx context.Context, r server.GetBatchRequestObject) (server.GetBatchResponseObject, error) {
	result, err := s.Batches.Get(ctx, caller.From(ctx).AccountID, r.ID)
	if err != nil {
		return nil, err
	}
	return server.GetBatch200JSONResponse(batch(result)), nil
}

// UpdateBatch implements PATCH /batches/{id}.
func (s *Server) UpdateBatch(
	ctx context.Context, r server.UpdateBatchRequestObject,
) (server.UpdateBatchResponseObject, error) {
	patch := batches.Patch{Name: r.Body.Name}
	if value := r.Body.Description; value.IsSpecified() {
		description, _ := value.Get() // "" if it is null, which removes it too
		patch.Description = &description
	}
	result, err := s.Batches.Update(ctx, caller.From(ctx).AccountID, r.ID, patch, nil)
	if err != nil {
		return nil, err
	}
	return server.UpdateBatch200JSONResponse(batch(result)), nil
}

// CompleteBatch implements POST /batches/{id}/complete.
func (s *Server) CompleteBatch(
	ctx context.Context, r server.CompleteBatchRequestObject,
) (server.CompleteBatchResponseObject, error) {
	result, err := s.Batches.Complete(ctx, caller.From(ctx).AccountID, r.ID, idempotency.Hook(ctx))
	if err != nil {
		return nil, err
	}
	return server.CompleteBatch200JSONResponse(batch(result)), nil
}

// ReopenBatch implements POST /batches/{id}/reopen.
func (s *Server) ReopenBatch(
	ctx context.Context, r server.ReopenBatchRequestObject,
) (server.ReopenBatchResponseObject, error) {
	result, err := s.Batches.Reopen(ctx, caller.From(ctx).AccountID, r.ID, idempotency.Hook(ctx))
	if err != nil {
		return nil, err
	}
	return server.ReopenBatch200JSONResponse(batch(result)), nil
}

func batch(b batches.Batch) server.Batch {
	return server.Batch{
		ID: b.ID, Name: b.Name, Description: b.Description, Status: server.BatchStatus(b.Status),
		CardCount: int32(b.CardCount), CompletedAt: timestamp.Or(b.CompletedAt),
		CreatedAt: timestamp.Of(b.CreatedAt), UpdatedAt: timestamp.Of(b.UpdatedAt),
	}
}
