// Package groupcommit combines concurrent small writes into one database transaction.
//
// A Committer queues writes. When no batch runs, the queued writes become the next batch: up to
// Options.MaxBatch of them share a transaction, which locks the clocks of their accounts, loads
// what the writes need in one statement, applies them, and writes their rows in one statement.
// Under load that is most of what a write costs. Each write is still all or nothing by itself: one
// that a rule refuses reports its own error and leaves the others in the batch. If that is not
// possible, because a statement failed or waited for a lock, the batch is rolled back and each
// write runs in a transaction of its own.
//
// Nothing waits for the slowest:
//
//   - Accounts whose clock another transaction holds are left out of the batch.
//   - A batch that waits longer than lockTimeout for a row lock is rolled back.
//   - A batch that runs longer than defaultSlowAfter no longer holds up the next one.
//   - A batch that runs longer than batchTimeout is rolled back.
//   - A writer leaves at its own deadline, also while its batch runs.
//
// postgres.DB.GroupScope says whether writes of several accounts may share a transaction, which a
// distributed database makes slower than none, or whether batches are switched off. The package
// knows nothing about what is written.
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
	// maxBatches bounds the batches that run at once, each of which holds a connection.
	maxBatches = 8
	// defaultSlowAfter is when a running batch stops holding up the next one. A commit takes a few
	// milliseconds.
	defaultSlowAfter = 30 * time.Millisecond
	// lockTimeout is how long a statement of a batch waits for a row lock.
	lockTimeout = 50 * time.Millisecond
	// batchTimeout bounds a batch. Its writes then run alone, for as long as their callers wait.
	batchTimeout = 2 * time.Second
)

// Options describe one kind of write.
type Options[T any] struct {
	// MaxBatch is the largest number of writes in one transaction.
	MaxBatch int
	// RowKey names the row of the account that a write is about. A batch holds no two writes about
	// the same row. Nil: no two writes are about the same row.
	RowKey func(T) string
	// Load reads what the writes need, in one statement for all of them. Nil: they need nothing.
	Load func(ctx context.Context, tx *postgres.Tx, writes []Write[T]) error
	// Apply makes one write. It may run again in another transaction, after another Load, and must
	// have no effect outside the database. It should defer its statements (postgres.Tx.Defer): if it
	// fails after it has run one, the batch is rolled back. Its caller may have left by the time
	// it runs.
	Apply func(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, write T) error
}

// Write is one write of an account.
type Write[T any] struct {
	AccountID string
	Value     T
}

// Committer makes writes of one kind. It is safe for concurrent use.
type Committer[T any] struct {
	clock clock.Clock
	db    *postgres.DB
	opts  Options[T]
	scope postgres.GroupScope
	// slowAfter is defaultSlowAfter but in tests.
	slowAfter time.Duration

	mu      sync.Mutex
	queue   []*pending[T] // in order of arrival
	running int           // batches
	slow    int           // of running, those that run for longer than slowAfter
	busy    map[string]bool
}

// New returns a Committer.
func New[T any](c clock.Clock, db *postgres.DB, opts Options[T]) *Committer[T] {
	return &Committer[T]{clock: c, db: db, opts: opts, scope: db.GroupScope(), slowAfter: defaultSlowAfter, busy: map[string]bool{}}
}

// errAlone is the result of a write that has to run in a transaction of its own.
var errAlone = errors.New("groupcommit: the write needs a transaction of its own")

// Write makes a write of the account and returns when it is durable, as clock.Clock.Write does. An
// error of Apply comes back as it is. If ctx ends while the write's batch runs, the write may
// or may not be made.
func (c *Committer[T]) Write(ctx context.Context, accountID string, value T) error {
	p := &pending[T]{Write: Write[T]{accountID, value}, ctx: ctx, result: make(chan error, 1)}
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
	return c.clock.Write(p.ctx, c.db, p.AccountID, func(tx *postgres.Tx, stamp clock.Stamp) error {
		if err := c.load(p.ctx, tx, []*pending[T]{p}); err != nil {
			return err
		}
		return c.opts.Apply(p.ctx, tx, stamp, p.Value)
	})
}

// await waits for the write's batch, or for the end of the writer's context.
func (c *Committer[T]) await(p *pending[T]) (err error) {
	_, span := tracing.Child(p.ctx, trace.SpanKindClient, "transaction", attribute.String("db.system.name", "postgresql"))
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
	return fmt.Errorf("groupcommit.Write: %w", p.ctx.Err())
}

func (c *Committer[T]) load(ctx context.Context, tx *postgres.Tx, batch []*pending[T]) error {
	if c.opts.Load == nil || len(batch) == 0 {
		return nil
	}
	writes := make([]Write[T], len(batch))
	for i, p := range batch {
		writes[i] = p.Write
	}
	return c.opts.Load(ctx, tx, writes)
}
