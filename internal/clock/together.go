package clock

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/lib/pq"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/tracing"
)

// transactionsAtOnce is how many full transactions of a Together run at a time at most. One that is not full
// runs only while no other does: those that come meanwhile are the next to share.
const transactionsAtOnce = 8

// sharedTime bounds a shared transaction: past it each of its writes is made by itself, for as long as
// its own caller waits.
const sharedTime = 10 * time.Second

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

// part is one writer's part of a transaction.
type part[T any] struct {
	ctx     context.Context
	account string
	write   T
	stamp   Stamp
	lead    chan []*part[T] // what this writer is to commit, itself first
	done    chan struct{}
	err     error
}

// errApart is a write that has to be made by itself.
var errApart = errors.New("clock: to be written apart")

// Write makes a write of the account, as Clock.Write does. An error of Run comes back as it is.
func (t *Together[T]) Write(ctx context.Context, accountID string, write T) error {
	p := &part[T]{ctx: ctx, account: accountID, write: write, lead: make(chan []*part[T], 1), done: make(chan struct{})}
	t.join(p)
	if err := t.await(ctx, p); !errors.Is(err, errApart) {
		return err
	}
	return t.clock.Write(ctx, t.db, accountID, func(tx *postgres.Tx, stamp Stamp) error {
		if err := t.load(ctx, tx, []*part[T]{p}); err != nil {
			return err
		}
		return t.kind.Run(ctx, tx, stamp, write)
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

// join puts a writer into the line.
func (t *Together[T]) join(p *part[T]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting = append(t.waiting, p)
	t.start()
}

// leave takes a writer out of the line, unless it is not in there any more.
func (t *Together[T]) leave(p *part[T]) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.Index(t.waiting, p)
	if i < 0 {
		return false
	}
	t.waiting = slices.Delete(t.waiting, i, i+1)
	return true
}

// start has those who wait begin as many transactions as may run. t.mu is held.
func (t *Together[T]) start() {
	for t.running == 0 || t.running < transactionsAtOnce && len(t.waiting) >= t.kind.Most {
		parts := t.pick()
		if len(parts) == 0 || t.running > 0 && len(parts) < t.kind.Most {
			return
		}
		t.running++
		for _, p := range parts {
			t.underWay[p.account] = true
		}
		t.waiting = slices.DeleteFunc(t.waiting, func(p *part[T]) bool { return slices.Contains(parts, p) })
		parts[0].lead <- parts
	}
}

// pick says who of those who wait may share a transaction: the first of each account before the second of
// any, so that an account with a crowd of writers holds up nobody. t.mu is held.
func (t *Together[T]) pick() (picked []*part[T]) {
	var rows []string
	ofAccount := map[string]int{}
	for round, before := 1, -1; len(picked) < t.kind.Most && len(picked) != before; round++ {
		before = len(picked)
		for _, p := range t.waiting {
			if ofAccount[p.account] >= round || t.underWay[p.account] || slices.Contains(picked, p) {
				continue
			}
			if t.kind.Row != nil {
				row := p.account + "/" + t.kind.Row(p.write)
				if slices.Contains(rows, row) {
					continue
				}
				rows = append(rows, row)
			}
			ofAccount[p.account]++
			if picked = append(picked, p); len(picked) == t.kind.Most {
				break
			}
		}
	}
	return picked
}

// end lets the writers of a transaction go, and others begin.
func (t *Together[T]) end(parts []*part[T]) {
	for _, p := range parts[1:] {
		close(p.done)
	}
	runtime.Gosched() // they may have more to write, and are in time for the next transaction
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running--
	for _, p := range parts {
		delete(t.underWay, p.account)
	}
	t.start()
}

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
