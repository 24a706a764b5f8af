package groupcommit

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/tracing"
)

const (
	// maxBatches is the largest number of batches that run at a time. Each holds a connection.
	maxBatches = 8
	// defaultSlowAfter is how long a running batch delays the next one. A batch usually takes a few
	// milliseconds.
	defaultSlowAfter = 30 * time.Millisecond
	// lockTimeout is the longest time that a statement of a batch waits for a row lock.
	lockTimeout = 50 * time.Millisecond
	// batchTimeout is the longest time that a batch runs. After it, its writes run alone, until the
	// contexts of their callers end.
	batchTimeout = 2 * time.Second
)

// Options describe one kind of write.
type Options[T any] struct {
	// MaxBatch is the largest number of writes in one transaction.
	MaxBatch int
	// RowKey returns a key of the row that a write changes, unique within the account. A batch holds
	// no two writes of the same row. If RowKey is nil, no two writes change the same row.
	RowKey func(T) string
	// Apply makes the writes of a batch. The writes of one account follow one another. Apply refuses a write
	// by setting its Err, and then makes no part of it. It should defer its statements (postgres.Tx.Defer). If
	// it returns an error, the whole batch is rolled back and each write runs alone. Apply may get a write
	// again in another transaction, and must have no effect outside the database. It may run after
	// Committer.Write has returned because the caller's context ended.
	Apply func(ctx context.Context, tx *postgres.Tx, batch []*Write[T]) error
}

// Write is one write of a batch.
type Write[T any] struct {
	Value T
	Stamp clock.Stamp // of this write; it names the account
	Err   error       // why Apply refuses the write
}

// Committer makes writes of one kind. It is safe for concurrent use.
type Committer[T any] struct {
	clock     clock.Clock
	db        *postgres.DB
	opts      Options[T]
	scope     postgres.GroupScope
	slowAfter time.Duration // defaultSlowAfter, except in tests

	mu      sync.Mutex
	queue   []*pending[T]   // in order of arrival
	running int             // batches that run
	slow    int             // batches that have run for longer than slowAfter
	busy    map[string]bool // accounts that have a write in a running batch
}

// New returns a Committer.
func New[T any](c clock.Clock, db *postgres.DB, opts Options[T]) *Committer[T] {
	return &Committer[T]{
		clock: c, db: db, opts: opts, scope: db.GroupScope(), slowAfter: defaultSlowAfter, busy: map[string]bool{},
	}
}

// errAlone is the result of a write that has to run in a transaction of its own.
var errAlone = errors.New("groupcommit: the write needs a transaction of its own")

// Write makes a write of the account and returns when it is durable, like clock.Clock.Write. It returns
// the Err of the write, or an error of Apply, unchanged. If ctx ends while the write's batch runs, Write returns
// postgres.UnknownOutcome, because the batch may still commit.
func (c *Committer[T]) Write(ctx context.Context, accountID string, value T) error {
	p := &pending[T]{
		Write: Write[T]{Value: value}, accountID: accountID, ctx: ctx, guard: postgres.GuardOf(ctx),
		result: make(chan error, 1),
	}
	if c.scope == postgres.GroupOff {
		return c.alone(p)
	}
	c.enqueue(p)
	if err := c.await(p); !errors.Is(err, errAlone) {
		return err
	}
	return c.alone(p)
}

// alone makes a write in a transaction of its own.
func (c *Committer[T]) alone(p *pending[T]) error {
	return c.clock.Write(p.ctx, c.db, p.accountID, func(tx *postgres.Tx, stamp clock.Stamp) error {
		w := &Write[T]{Value: p.Value, Stamp: stamp}
		if err := c.opts.Apply(p.ctx, tx, []*Write[T]{w}); err != nil {
			return err
		}
		return w.Err
	})
}

// await waits until the write's batch or the caller's context ends.
func (c *Committer[T]) await(p *pending[T]) (err error) {
	_, span := tracing.Child(p.ctx, trace.SpanKindClient, "transaction",
		attribute.String("db.system.name", "postgresql"))
	defer func() {
		if errors.Is(err, errAlone) {
			span.Event("run alone")
		} else {
			span.Fail(tracing.Class(err))
		}
		span.End()
	}()
	select {
	case err := <-p.result:
		return err
	case <-p.ctx.Done():
	}
	if !c.remove(p) {
		return postgres.UnknownOutcome(p.ctx.Err())
	}
	return fmt.Errorf("write in group: %w", p.ctx.Err())
}
