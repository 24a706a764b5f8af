package v1

import (
	"context"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/timestamp"
	"github.com/cardvault/cardvault/internal/waiting"
)

// GetCardWaiting implements GET /cards/{id}/waiting.
func (s *Server) GetCardWaiting(
	ctx context.Context, r server.GetCardWaitingRequestObject,
) (server.GetCardWaitingResponseObject, error) {
	result, err := s.Cards.Waiting(ctx, caller.From(ctx).AccountID, r.ID)
	if err != nil {
		return nil, err
	}
	photos := make([]server.PhotoWaiting, len(result.Photos))
	for i, photo := range result.Photos {
		photos[i] = server.PhotoWaiting{PhotoID: photo.PhotoID, Waiting: waits(photo.Waiting)}
	}
	return server.GetCardWaiting200JSONResponse{
		Identification: waitsOrNil(result.Identification), Photos: photos,
	}, nil
}

// GetListingWaiting implements GET /listings/{id}/waiting.
func (s *Server) GetListingWaiting(
	ctx context.Context, r server.GetListingWaitingRequestObject,
) (server.GetListingWaitingResponseObject, error) {
	result, err := s.Listings.Waiting(ctx, caller.From(ctx).AccountID, r.ID)
	if err != nil {
		return nil, err
	}
	return server.GetListingWaiting200JSONResponse{Waiting: waitsOrNil(result)}, nil
}

// GetJobWaiting implements GET /jobs/{id}/waiting.
func (s *Server) GetJobWaiting(
	ctx context.Context, r server.GetJobWaitingRequestObject,
) (server.GetJobWaitingResponseObject, error) {
	result, err := s.Jobs.Waiting(ctx, caller.From(ctx).AccountID, r.ID)
	if err != nil {
		return nil, err
	}
	return server.GetJobWaiting200JSONResponse{Waiting: waitsOrNil(result)}, nil
}

// GetAccountWaiting implements GET /account/waiting.
func (s *Server) GetAccountWaiting(
	ctx context.Context, _ server.GetAccountWaitingRequestObject,
) (server.GetAccountWaitingResponseObject, error) {
	account := caller.From(ctx).AccountID
	waiting, err := s.Imports.Unfinished(ctx, account)
	if err != nil {
		return nil, err
	}
	_, export, err := s.Exports.Waiting(ctx, account)
	if err != nil {
		return nil, err
	}
	imports := make([]server.ImportWaiting, len(waiting))
	for i, one := range waiting {
		imports[i] = server.ImportWaiting{ID: one.ImportID, CardsLeft: int32(one.Left), Waiting: waits(one.Waiting)}
	}
	return server.GetAccountWaiting200JSONResponse{Imports: imports, Export: waitsOrNil(export)}, nil
}

func waits(w waiting.Waiting) server.Waiting {
	return server.Waiting{
		Since: timestamp.Of(w.Since), Reason: server.WaitReason(w.Reason), Message: w.Message(),
		NextAttemptAt: timestamp.Or(w.NextAttemptAt),
	}
}

func waitsOrNil(w *waiting.Waiting) *server.Waiting {
	if w == nil {
		return nil
	}
	result := waits(*w)
	return &result
}
