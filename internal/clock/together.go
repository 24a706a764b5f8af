package clock

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/tracing"
)

// Together makes small writes of one kind. Those that come while others are being committed share the
// next transaction: one commit, one taking of the clocks, one reading and one writing of rows for all of
// them, which under load is most of what a write costs. Each write is still all or nothing by itself, and
// no write waits for one that it would not have waited for alone but for the moments of a transaction:
// an account whose clock somebody else holds is left out of it.
type Together[T any] struct {
	clock Clock
	db    *postgres.DB
	kind  Kind[T]

	mu       sync.Mutex
	running  int
	underWay map[string]bool // accounts with a shared transaction that runs
	waiting  []*part[T]      // in the order they came
}

// Kind is a kind of write.
type Kind[T any] struct {
	// Most is how many writes share a transaction.
	Most int
	// Row names the row that a write is about: no two in a transaction are about the same. Nil: none are.
	Row func(T) string
	// Load reads what the writes need, in one statement for all of them. Nil: they need nothing.
	Load func(ctx context.Context, tx *postgres.Tx, writes []Loading[T]) error
	// Run makes one write. It may be run again, in another transaction after Load, and must have no effect
	// outside the database. It should run no statement but defer them all; one that fails after it
	// has run statements has all writes of the transaction made again, each by itself.
	Run func(ctx context.Context, tx *postgres.Tx, stamp Stamp, write T) error
}

// Loading is a write that is about to be made.
type Loading[T any] struct {
	AccountID string
	Write     T
}

// NewTogether returns a Together of one kind.
func NewTogether[T any](c Clock, db *postgres.DB, kind Kind[T]) *Together[T] {
	return &Together[T]{clock: c, db: db, kind: kind, underWay: map[string]bool{}}
}

// errApart is a write that has to be made by itself.
var errApart = errors.New("clock: to be written apart")

// Write makes a write of the account, as Clock.Write does. An error of Run comes back as it is.
func (t *Together[T]) Write(ctx context.Context, accountID string, write T) error {
	p := &part[T]{ctx: ctx, account: accountID, write: write, lead: make(chan []*part[T], 1), done: make(chan struct{})}
	if hasBeside(ctx) {
		return t.apart(ctx, p)
	}
	t.join(p)
	if err := t.await(ctx, p); !errors.Is(err, errApart) {
		return err
	}
	return t.apart(ctx, p)
}

// apart makes a write by itself.
func (t *Together[T]) apart(ctx context.Context, p *part[T]) error {
	return t.clock.Write(ctx, t.db, p.account, func(tx *postgres.Tx, stamp Stamp) error {
		if err := t.load(ctx, tx, []*part[T]{p}); err != nil {
			return err
		}
		return t.kind.Run(ctx, tx, stamp, p.write)
	})
}

// await waits for the write to have been made, and makes it if it is this writer's turn to do so for all.
func (t *Together[T]) await(ctx context.Context, p *part[T]) (err error) {
	_, span := tracing.Child(ctx, trace.SpanKindClient, "transaction", attribute.String("db.system.name", "postgresql"))
	defer func() {
		if errors.Is(err, errApart) {
			span.Event("made apart")
		} else {
			span.Fail(tracing.Class(err))
		}
		span.End()
	}()
	select {
	case parts := <-p.lead:
		t.commit(parts)
		return p.err
	case <-p.done:
		return p.err
	case <-ctx.Done():
	}
	if t.leave(p) {
		return fmt.Errorf("clock.Together: %w", ctx.Err())
	}
	// Too late to leave: the write is being made, or this writer is to make it.
	select {
	case parts := <-p.lead:
		t.commit(parts)
	case <-p.done:
	}
	return p.err
}
