package clock

import (
	"context"

	"github.com/cardvault/cardvault/internal/postgres"
)

type besideKey struct{}

// Beside returns a context whose writes, by Clock.Write or a Together, write something of their caller's too: if,
// and only if, they are committed themselves. beside may only defer statements; it is called again when a write is.
func Beside(ctx context.Context, beside func(*postgres.Tx)) context.Context {
	return context.WithValue(ctx, besideKey{}, beside)
}

// writeBeside adds to a write what its caller has to write beside it.
func writeBeside(ctx context.Context, tx *postgres.Tx) {
	if beside, ok := ctx.Value(besideKey{}).(func(*postgres.Tx)); ok {
		beside(tx)
	}
}
