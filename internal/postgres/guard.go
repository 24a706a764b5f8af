package postgres

import "context"

type guardKey struct{}

// WithGuard returns a context whose transactions call guard before they change anything, and fail with its error. The
// guard checks that the caller may still make the change: the caller was authorized before a slow request body, a call
// to another service or a wait for a lock. Transactions on locked rows (InLockedTx, package groupcommit) call it when
// they hold the lock. A nil guard allows everything.
func WithGuard(ctx context.Context, guard TxHook) context.Context {
	return context.WithValue(ctx, guardKey{}, guard)
}

// GuardOf returns the guard of ctx, or nil.
func GuardOf(ctx context.Context) TxHook {
	guard, _ := ctx.Value(guardKey{}).(TxHook)
	return guard
}

// Guard calls the guard of ctx, if it has one.
func (tx *Tx) Guard(ctx context.Context) error {
	guard := GuardOf(ctx)
	if guard == nil {
		return nil
	}
	return guard(ctx, tx)
}
