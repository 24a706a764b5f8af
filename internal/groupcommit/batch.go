package groupcommit

import (
	"context"
	"errors"
	"slices"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
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
			if p.Err == nil {
				p.Err = err
			}
		}
	}
}

func setErrors[T any](batch []*pending[T], err error) {
	for _, p := range batch {
		p.Err = err
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
	rest, err := c.lockClocks(ctx, tx, batch)
	if err != nil {
		return err
	}
	var writes []*Write[T]
	for _, p := range rest {
		if p.Err = p.checkGuard(ctx, tx); p.Err == nil {
			writes = append(writes, &p.Write)
		} else if _, refused := fault.As(p.Err); !refused {
			return p.Err // the transaction may have failed
		}
	}
	if len(writes) > 0 {
		if err := c.opts.Apply(ctx, tx, writes); err != nil {
			return err
		}
	}
	if !slices.ContainsFunc(rest, func(p *pending[T]) bool { return p.Err == nil }) {
		return errAllFailed
	}
	return tx.Flush(ctx)
}

// checkGuard calls the guard of the write's caller, which may refuse the write.
func (p *pending[T]) checkGuard(ctx context.Context, tx *postgres.Tx) error {
	if p.guard == nil {
		return nil
	}
	return p.guard(ctx, tx)
}

// lockClocks locks the clocks that no other transaction holds, and returns the writes of their
// accounts. It gives each write a stamp of its own, in the order of the queue.
func (c *Committer[T]) lockClocks(ctx context.Context, tx *postgres.Tx, batch []*pending[T]) ([]*pending[T], error) {
	byAccount := map[string][]*pending[T]{}
	var requests []clock.Writes
	for _, p := range batch {
		byAccount[p.accountID] = append(byAccount[p.accountID], p)
	}
	for account, writes := range byAccount {
		requests = append(requests, clock.Writes{AccountID: account, Count: len(writes)})
	}
	stamps, err := c.clock.TryLockAll(ctx, tx, lockTimeout, requests)
	if err != nil {
		return nil, err
	}
	var rest []*pending[T]
	for _, last := range stamps {
		writes := byAccount[last.AccountID]
		for i, p := range writes {
			p.Stamp = last.Previous(len(writes) - 1 - i)
			rest = append(rest, p)
		}
	}
	return rest, nil
}
