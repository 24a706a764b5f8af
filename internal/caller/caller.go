// Package caller is who a request acts for, as found out once at the edge and carried by the
// request's context. It never authenticates.
package caller

import (
	"context"

	"github.com/cardvault/cardvault/internal/ratelimit"
)

// Caller is the account behind a valid token.
type Caller struct {
	AccountID string
	TokenID   string
	Sandbox   bool             // of a sandbox account
	Limits    ratelimit.Limits // the token's own; classes that are 0 have the service's defaults
}

type key struct{}

// With returns a context that carries c.
func With(ctx context.Context, c Caller) context.Context { return context.WithValue(ctx, key{}, c) }

// From returns the caller of a request that has passed authentication; the zero Caller otherwise,
// which owns nothing.
func From(ctx context.Context) Caller {
	c, _ := ctx.Value(key{}).(Caller)
	return c
}
