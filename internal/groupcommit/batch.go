package groupcommit

import (
	"context"
	"errors"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
)

// errAllFailed rolls back a transaction that has nothing to commit.
var errAllFailed = errors.New("groupcommit: every write of the batch failed")

// commit makes the writes of a batch in one transaction and sets their errors. The error is errAlone
// for a write that has to run in a transaction of its own.
func (c *Committer[T]) commit(batch []*pending[T]) {
	ctx, cancel := context.WithTimeout(context.Background(), batchTimeout)
	defer cancel()
	applied := false
	err := c.db.InTx(ctx, func(tx *postgres.Tx) error {
		setErrors(batch, errAlone)
		err := c.apply(ctx, tx, batch)
		applied = err == nil || errors.Is(err, errAllFailed)
		return err
	})
	late := errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, postgres.ErrCommitUnknown)
	switch {
	case !applied, late: // late: batchTimeout ended before the commit began
		setErrors(batch, errAlone)
	case err != nil && !errors.Is(err, errAllFailed):
		// The commit failed and its outcome is unknown, so no write is repeated.
		for _, p := range batch {
			if p.err == nil {
				p.err = err
			}
		}
	}
}

func setErrors[T any](batch []*pending[T], err error) {
	for _, p := range batch {
		p.err = err
	}
}

// apply makes the writes of the accounts whose clock it can lock, and sets their errors. If it returns
// an error, the transaction must be rolled back; with errAllFailed, the errors of the writes stay. It
// recovers a panic of a write: the write panics again when it runs alone, in its caller's goroutine.
func (c *Committer[T]) apply(ctx context.Context, tx *postgres.Tx, batch []*pending[T]) (err error) {
	defer func() {
		if recover() != nil {
			err = errAlone
		}
	}()
	locked, err := c.lockClocks(ctx, tx, batch)
	if err != nil {
		return err
	}
	if err := c.load(ctx, tx, locked); err != nil {
		return err
	}
	succeeded := 0
	for _, p := range locked {
		p.err = tx.Try(func() error { return c.applyOne(requestValues{ctx, p.ctx}, tx, p) })
		if errors.Is(p.err, postgres.ErrPartiallyApplied) {
			return p.err
		}
		if p.err == nil {
			succeeded++
		}
	}
	if succeeded == 0 {
		return errAllFailed
	}
	return tx.Flush(ctx)
}

// applyOne makes a write, if the guard of its caller allows it.
func (c *Committer[T]) applyOne(ctx context.Context, tx *postgres.Tx, p *pending[T]) error {
	if err := tx.Guard(ctx); err != nil {
		return err
	}
	return c.opts.Apply(ctx, tx, p.stamp, p.Value)
}

// lockClocks locks the clocks that no other transaction holds, and returns the writes of their
// accounts. It gives each write a stamp of its own, in the order of the queue.
func (c *Committer[T]) lockClocks(ctx context.Context, tx *postgres.Tx, batch []*pending[T]) ([]*pending[T], error) {
	byAccount := map[string][]*pending[T]{}
	var wanted []clock.Writes
	for _, p := range batch {
		byAccount[p.AccountID] = append(byAccount[p.AccountID], p)
	}
	for account, writes := range byAccount {
		wanted = append(wanted, clock.Writes{AccountID: account, Count: len(writes)})
	}
	stamps, err := c.clock.TryLockAll(ctx, tx, lockTimeout, wanted)
	if err != nil {
		return nil, err
	}
	var locked []*pending[T]
	for _, last := range stamps {
		writes := byAccount[last.AccountID]
		for i, p := range writes {
			p.stamp = last.Previous(len(writes) - 1 - i)
			locked = append(locked, p)
		}
	}
	return locked, nil
}

// requestValues is the context of a batch together with the values of one caller's context, such as
// its trace.
type requestValues struct {
	context.Context
	request context.Context
}

// Value implements context.Context.
func (v requestValues) Value(key any) any {
	if value := v.Context.Value(key); value != nil {
		return value
	}
	return v.request.Value(key)
}
