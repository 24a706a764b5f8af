// Package caller carries the account and token of a request in its context. Package api authenticates requests and sets
// the caller; this package checks nothing.
package caller

import (
	"context"
	"slices"

	"github.com/cardvault/cardvault/internal/ratelimit"
)

// Caller is the account and the token of an authenticated request.
type Caller struct {
	AccountID string
	TokenID   string
	Sandbox   bool             // whether it is a sandbox account
	Limits    ratelimit.Limits // of the token; the defaults apply to classes that are 0
	// Largest are the largest limits of the account's tokens that have limits of their own.
	Largest ratelimit.Limits
	Scopes  []Scope // of the token
}

// May reports whether the caller's token has a scope.
func (c Caller) May(scope Scope) bool { return slices.Contains(c.Scopes, scope) }

type key struct{}

// With returns a context that carries c.
func With(ctx context.Context, c Caller) context.Context { return context.WithValue(ctx, key{}, c) }

// From returns the caller of an authenticated request. For other contexts it returns the zero Caller, which owns
// nothing.
func From(ctx context.Context) Caller {
	c, _ := ctx.Value(key{}).(Caller)
	return c
}
