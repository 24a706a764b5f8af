package postgres_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

func TestWithGuard(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	var steps []string
	step := func(name string, err error) func(context.Context, *postgres.Tx) error {
		return func(context.Context, *postgres.Tx) error {
			steps = append(steps, name)
			return err
		}
	}
	lock := postgres.RowLock{
		Key: "row", Try: func(tx *postgres.Tx) (bool, error) { return true, step("lock", nil)(t.Context(), tx) },
	}
	change := func(tx *postgres.Tx) error { return step("change", nil)(t.Context(), tx) }
	inTx := func(ctx context.Context) error { return db.InTx(ctx, change) }
	inLockedTx := func(ctx context.Context) error { return db.InLockedTx(ctx, lock, change) }
	refused := errors.New("refused")
	for name, tc := range map[string]struct {
		guard postgres.TxHook
		run   func(context.Context) error
		want  []string
		err   error
	}{
		"allowed":                {step("guard", nil), inTx, []string{"guard", "change"}, nil},
		"refused":                {step("guard", refused), inTx, []string{"guard"}, refused},
		"none":                   {nil, inTx, []string{"change"}, nil},
		"after the lock":         {step("guard", nil), inLockedTx, []string{"lock", "guard", "change"}, nil},
		"refused after the lock": {step("guard", refused), inLockedTx, []string{"lock", "guard"}, refused},
	} {
		t.Run(name, func(t *testing.T) {
			steps = nil
			err := tc.run(postgres.WithGuard(t.Context(), tc.guard))
			if diff := cmp.Diff(tc.want, steps); diff != "" || !errors.Is(err, tc.err) {
				t.Errorf("error %v, want %v; steps (-want +got):\n%s", err, tc.err, diff)
			}
		})
	}
}
