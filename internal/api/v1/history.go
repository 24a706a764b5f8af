package v1

import (
	"context"
	"maps"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// ListCardHistory implements GET /cards/{id}/history.
func (s *Server) ListCardHistory(
	ctx context.Context, r server.ListCardHistoryRequestObject,
) (server.ListCardHistoryResponseObject, error) {
	account := caller.From(ctx).AccountID
	result, err := s.Cards.History(ctx, account, r.ID, pageOf(r.Params.Limit, r.Params.Cursor))
	if err != nil {
		return nil, err
	}
	names, err := s.actorNames(ctx, account, result.Data)
	if err != nil {
		return nil, err
	}
	list := make([]server.CardHistoryEntry, len(result.Data))
	for i := range result.Data {
		list[i] = historyEntry(&result.Data[i], names)
	}
	return server.ListCardHistory200JSONResponse{
		Data: list, HasMore: result.NextCursor != nil, NextCursor: result.NextCursor,
	}, nil
}

// actorNames returns the names of the tokens and the addresses of the users that made the changes, by their
// identifiers.
func (s *Server) actorNames(
	ctx context.Context, accountID string, entries []cards.HistoryEntry,
) (map[string]string, error) {
	ids := map[caller.ActorType][]string{}
	for _, e := range entries {
		ids[e.Actor.Type] = append(ids[e.Actor.Type], e.Actor.ID)
	}
	tokens, err := s.Accounts.TokenNames(ctx, accountID, ids[caller.TokenActor])
	if err != nil {
		return nil, err
	}
	emails, err := s.Users.Emails(ctx, ids[caller.UserActor])
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	maps.Copy(names, tokens)
	maps.Copy(names, emails)
	return names, nil
}

func historyEntry(e *cards.HistoryEntry, names map[string]string) server.CardHistoryEntry {
	actor := server.Actor{Type: server.ActorType(e.Actor.Type), ID: e.Actor.ID, Name: e.Actor.ID}
	if name, ok := names[e.Actor.ID]; ok {
		actor.Name = name
	}
	changes := make([]server.CardChange, len(e.Changes))
	for i, change := range e.Changes {
		changes[i] = server.CardChange{Field: change.Field, From: change.From, To: change.To}
	}
	return server.CardHistoryEntry{At: timestamp.Of(e.At), Version: e.Version, Actor: actor, Changes: changes}
}

// ListDeletions implements GET /deletions.
func (s *Server) ListDeletions(
	ctx context.Context, r server.ListDeletionsRequestObject,
) (server.ListDeletionsResponseObject, error) {
	account, page := caller.From(ctx).AccountID, pageOf(r.Params.Limit, r.Params.Cursor)
	result, err := s.Cards.Deletions(ctx, account, r.Params.UpdatedSince, page)
	if err != nil {
		return nil, err
	}
	list := make([]server.Deletion, len(result.Data))
	for i := range result.Data {
		list[i] = deletion(&result.Data[i])
	}
	return server.ListDeletions200JSONResponse{
		Data: list, HasMore: result.NextCursor != nil, NextCursor: result.NextCursor,
	}, nil
}
