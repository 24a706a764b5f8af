package clock

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
)

// sharedTime bounds a shared transaction: past it each of its writes is made by itself, for as long as
// its own caller waits.
const sharedTime = 10 * time.Second

// commit makes the writes in one transaction, or leaves them to be made apart.
func (t *Together[T]) commit(parts []*part[T]) {
	defer t.end(parts)
	setApart(parts) // stands if what follows panics: whose fault it is will panic again, in its own goroutine
	ctx, cancel := context.WithTimeout(context.Background(), sharedTime)
	defer cancel()
	settled := false
	err := t.db.InTx(ctx, func(tx *postgres.Tx) error {
		setApart(parts)
		err := t.run(ctx, tx, parts)
		settled = err == nil || errors.Is(err, errAllFailed)
		return err
	})
	switch {
	case !settled:
		setApart(parts)
	case err != nil && !errors.Is(err, errAllFailed):
		for _, p := range parts {
			if p.err == nil {
				p.err = err // of the commit: whether it happened is not known, so nothing is made again
			}
		}
	}
}

func setApart[T any](parts []*part[T]) {
	for _, p := range parts {
		p.err = errApart
	}
}

// errAllFailed is a transaction in which nothing is left to commit.
var errAllFailed = errors.New("clock: every write of the transaction failed")

// run makes the writes whose account's clock is free, each with its own error. Any but errAllFailed means
// that none of them stands.
func (t *Together[T]) run(ctx context.Context, tx *postgres.Tx, parts []*part[T]) (err error) {
	defer func() {
		if recover() != nil {
			err = errApart
		}
	}()
	free, err := t.take(ctx, tx, parts)
	if err != nil {
		return err
	}
	if err := t.load(ctx, tx, free); err != nil {
		return err
	}
	left := 0
	for _, p := range free {
		p.err = tx.Part(func() error { return t.kind.Run(within{ctx, p.ctx}, tx, p.stamp, p.write) })
		if errors.Is(p.err, postgres.ErrSpoilt) {
			return p.err
		}
		if p.err == nil {
			left++
		}
	}
	if left == 0 {
		return errAllFailed
	}
	return tx.Flush(ctx)
}

func (t *Together[T]) load(ctx context.Context, tx *postgres.Tx, parts []*part[T]) error {
	if t.kind.Load == nil || len(parts) == 0 {
		return nil
	}
	writes := make([]Loading[T], len(parts))
	for i, p := range parts {
		writes[i] = Loading[T]{p.account, p.write}
	}
	return t.kind.Load(ctx, tx, writes)
}

// take takes the clocks that nobody holds and returns the writes of their accounts, which it gives their
// stamps: one for each write, in the order of the writes.
func (t *Together[T]) take(ctx context.Context, tx *postgres.Tx, parts []*part[T]) ([]*part[T], error) {
	var accounts []string
	byAccount := map[string][]*part[T]{}
	for _, p := range parts {
		if len(byAccount[p.account]) == 0 {
			accounts = append(accounts, p.account)
		}
		byAccount[p.account] = append(byAccount[p.account], p)
	}
	writes := make([]int64, len(accounts))
	for i, account := range accounts {
		writes[i] = int64(len(byAccount[account]))
	}
	last, err := t.clock.takeFree(ctx, tx, accounts, writes)
	if err != nil {
		return nil, err
	}
	var free []*part[T]
	for _, stamp := range last {
		ofAccount := byAccount[stamp.AccountID]
		for i, p := range ofAccount {
			before := int64(len(ofAccount) - 1 - i)
			p.stamp = stamp
			p.stamp.At, p.stamp.Change = stamp.At.Add(-time.Duration(before)*time.Microsecond), stamp.Change-before
			free = append(free, p)
		}
	}
	return free, nil
}

// takeFree takes the clocks of those of the accounts of which it is free, for so many writes each, and
// returns the stamps of their last writes. It waits for no clock, so transactions that take several
// cannot wait for one another.
func (c Clock) takeFree(ctx context.Context, tx *postgres.Tx, accounts []string, writes []int64) ([]Stamp, error) {
	var last []Stamp
	err := tx.Select(ctx, &last, `
		WITH free AS MATERIALIZED (
			SELECT taken.account_id, w.writes
			FROM unnest($1::text[], $2::bigint[]) AS w(account_id, writes)
			CROSS JOIN LATERAL (
				SELECT account_id FROM account_clock WHERE account_id = w.account_id FOR UPDATE SKIP LOCKED
			) taken
		)
		UPDATE account_clock c
		SET last_at = greatest($3, c.last_at + interval '1 microsecond') + (free.writes - 1) * interval '1 microsecond',
		    change = c.change + free.writes
		FROM free WHERE c.account_id = free.account_id
		RETURNING c.account_id, c.last_at, c.change, c.endpoints, c.endpoints_version`,
		pq.Array(accounts), pq.Array(writes), c.Time())
	if err != nil {
		return nil, fmt.Errorf("clock.takeFree: %w", err)
	}
	return last, nil
}

// within is a transaction's context with the values of the request that a part of it is for.
type within struct {
	context.Context
	request context.Context
}

// Value implements context.Context.
func (w within) Value(key any) any {
	if v := w.Context.Value(key); v != nil {
		return v
	}
	return w.request.Value(key)
}
