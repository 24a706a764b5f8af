package caller

import "context"

// ActorType is the kind of an Actor.
type ActorType string

// The types of actors.
const (
	TokenActor  ActorType = "token"  // a request; the identifier is the token's
	UserActor   ActorType = "user"   // a page of the dashboard; the identifier is the user's
	ImportActor ActorType = "import" // an accepted import of a file; the identifier is the import's
	WorkerActor ActorType = "worker" // background work; the identifier is the worker's name
)

// Actor is who makes a change, as the history of a card shows it.
type Actor struct {
	Type ActorType
	ID   string
}

type actorKey struct{}

// WithActor returns a context for changes that no request makes.
func WithActor(ctx context.Context, a Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, a)
}

// ActorFrom returns the actor of WithActor, or else the token of the authenticated request. For other contexts it is
// the worker "cardvault".
func ActorFrom(ctx context.Context) Actor {
	if a, ok := ctx.Value(actorKey{}).(Actor); ok {
		return a
	}
	if token := From(ctx).TokenID; token != "" {
		return Actor{TokenActor, token}
	}
	return Actor{WorkerActor, "cardvault"}
}
