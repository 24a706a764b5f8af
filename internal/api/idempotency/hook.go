package idempotency

import (
	"context"

	"github.com/cardvault/cardvault/internal/postgres"
)

type hookKey struct{}

// WithHook returns a context that carries the hook of a request to its handler.
func WithHook(ctx context.Context, hook postgres.TxHook) context.Context {
	return context.WithValue(ctx, hookKey{}, hook)
}

// Hook returns the hook of the request, nil if the request has no Idempotency-Key. The handler of an operation that
// accepts a key passes the hook to the service method that makes the change.
func Hook(ctx context.Context) postgres.TxHook {
	hook, _ := ctx.Value(hookKey{}).(postgres.TxHook)
	return hook
}
