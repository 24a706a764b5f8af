package clock

import (
	"context"

	"github.com/cardvault/cardvault/internal/postgres"
)

type besideKey struct{}

// Beside returns a context whose writes, by Clock.Write or a groupcommit.Committer, have something of their caller's written last
// in the same transaction: committed if, and only if, the write is. An error of beside fails the write. Such a write
// shares its transaction with no other.
func Beside(ctx context.Context, beside func(context.Context, *postgres.Tx) error) context.Context {
	return context.WithValue(ctx, besideKey{}, beside)
}

// HasBeside reports whether ctx has something of its caller's to be written beside its writes.
func HasBeside(ctx context.Context) bool { return ctx.Value(besideKey{}) != nil }

// writeBeside has the caller's part of a write written.
func writeBeside(ctx context.Context, tx *postgres.Tx) error {
	if beside, ok := ctx.Value(besideKey{}).(func(context.Context, *postgres.Tx) error); ok {
		return beside(ctx, tx)
	}
	return nil
}
