package v1

import (
	"context"
	"encoding/json"
	"net/http"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/events"
)

// ListEvents implements GET /events.
func (s *Server) ListEvents(
	ctx context.Context, r server.ListEventsRequestObject,
) (server.ListEventsResponseObject, error) {
	filter := events.Filter{CreatedSince: r.Params.CreatedSince}
	if r.Params.Event != nil {
		for _, kind := range *r.Params.Event {
			filter.Kinds = append(filter.Kinds, events.Kind(kind))
		}
	}
	list, err := s.Events.List(ctx, caller.From(ctx).AccountID, filter, pageOf(r.Params.Limit, r.Params.Cursor))
	if err != nil {
		return nil, err
	}
	return server.ListEvents200JSONResponse{
		Data: list.Data, HasMore: list.NextCursor != nil, NextCursor: list.NextCursor,
	}, nil
}

// GetEvent implements GET /events/{id}.
func (s *Server) GetEvent(ctx context.Context, r server.GetEventRequestObject) (server.GetEventResponseObject, error) {
	body, err := s.Events.Get(ctx, caller.From(ctx).AccountID, r.ID)
	if err != nil {
		return nil, err
	}
	return envelope(body), nil
}

// envelope is the response with an event as it was recorded. The generated response type would not write it as JSON.
type envelope json.RawMessage

// VisitGetEventResponse implements the generated interface.
func (e envelope) VisitGetEventResponse(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", "application/json")
	_, err := w.Write(e)
	return err
}
