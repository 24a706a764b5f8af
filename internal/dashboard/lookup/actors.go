package lookup

import (
	"context"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/cards"
)

// ActorNames returns how the actors of a history are shown: users by their address, tokens by their name.
func (r *Reader) ActorNames(
	ctx context.Context, accountID string, history []cards.HistoryEntry,
) (map[caller.Actor]string, error) {
	actors := make([]caller.Actor, len(history))
	for i, entry := range history {
		actors[i] = entry.Actor
	}
	return r.NamesOf(ctx, accountID, actors)
}

// NamesOf returns how actors are shown.
func (r *Reader) NamesOf(
	ctx context.Context, accountID string, actors []caller.Actor,
) (map[caller.Actor]string, error) {
	names, ids := map[caller.Actor]string{}, map[caller.ActorType][]string{}
	for _, actor := range actors {
		if _, known := names[actor]; !known {
			names[actor] = actorOf(actor)
			ids[actor.Type] = append(ids[actor.Type], actor.ID)
		}
	}
	tokens, err := r.Accounts.TokenNames(ctx, accountID, ids[caller.TokenActor])
	if err != nil {
		return nil, err
	}
	for id, name := range tokens {
		names[caller.Actor{Type: caller.TokenActor, ID: id}] = "the token " + name
	}
	people, err := r.Users.Emails(ctx, ids[caller.UserActor])
	if err != nil {
		return nil, err
	}
	for id, email := range people {
		names[caller.Actor{Type: caller.UserActor, ID: id}] = email
	}
	return names, nil
}

// actorOf returns how an actor without a name is shown.
func actorOf(a caller.Actor) string {
	switch a.Type {
	case caller.ImportActor:
		return "an import"
	case caller.WorkerActor:
		return "CardVault"
	case caller.TokenActor:
		return "the token " + a.ID
	}
	return a.ID
}
