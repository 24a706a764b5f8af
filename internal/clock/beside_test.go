package clock_test

import (
	"context"
	"errors"
	"testing"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
)

// What a caller writes beside its write is committed with it and lost with it, alone and in a shared transaction.
func TestWhatIsWrittenBeside(t *testing.T) {
	t.Parallel()
	n := newNotes(t, "a")
	n.exec(`CREATE TABLE beside (name text NOT NULL)`)
	refused := errors.New("refused")
	outcomes := map[string]error{"stands": nil, "fails": refused}
	for name, outcome := range outcomes {
		ctx := clock.Beside(t.Context(), func(ctx context.Context, tx *postgres.Tx) error {
			_, err := tx.Exec(ctx, `INSERT INTO beside VALUES ($1)`, name)
			return err
		})
		err := clock.System.Write(ctx, n.db, "a", func(*postgres.Tx, clock.Stamp) error { return outcome })
		if !errors.Is(err, outcome) {
			t.Errorf("%s alone: %v", name, err)
		}
		if err := n.Write(ctx, "a", note{name: name, do: func(*postgres.Tx) error { return outcome }}); !errors.Is(err, outcome) {
			t.Errorf("%s together: %v", name, err)
		}
	}
	ctx := clock.Beside(t.Context(), func(context.Context, *postgres.Tx) error { return refused })
	if err := n.Write(ctx, "a", note{name: "alone"}); !errors.Is(err, refused) {
		t.Errorf("a write whose caller's part fails: %v", err)
	}
	if got := n.stored(); got != "astands" {
		t.Errorf("stored are %q", got)
	}
	var written []string
	if err := n.db.Select(context.Background(), &written, `SELECT name FROM beside`); err != nil {
		t.Fatal(err)
	}
	if len(written) != 2 || written[0] != "stands" || written[1] != "stands" {
		t.Errorf("beside: %q, want that of the two writes that stand", written)
	}
}
