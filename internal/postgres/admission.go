package postgres

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/cardvault/cardvault/internal/keyed"
)

// GroupScope says which writes may share a transaction.
type GroupScope string

// The scopes of group commit.
const (
	GroupAll     GroupScope = "all"     // writes of any accounts: the fastest on one PostgreSQL server
	GroupAccount GroupScope = "account" // writes of one account: on a distributed PostgreSQL, where two cost two-phase commit
	GroupOff     GroupScope = "off"     // none
)

// writersPerRow is how many transactions of one InLockedTx key run at a time: while one commits, the
// next has begun and waits for the row, so that the row is never idle.
const writersPerRow = 2

// A transaction that finds its row locked and no place to wait in the database tries again after a
// pause that doubles between these.
const minLockPause, maxLockPause = 5 * time.Millisecond, 100 * time.Millisecond

// admission keeps writers from taking the whole pool, so that reads and authentication always find a
// connection soon.
type admission struct {
	transactions *semaphore.Weighted // three quarters of the pool
	lockWaiters  *semaphore.Weighted // half of the pool: transactions that wait for a row lock
	rows         *keyed.Semaphore    // by RowLock.Key
}

func newAdmission(maxConns int) *admission {
	return &admission{
		transactions: semaphore.NewWeighted(int64(max(1, maxConns-maxConns/4))),
		lockWaiters:  semaphore.NewWeighted(int64(max(1, maxConns/2))),
		rows:         keyed.NewSemaphore(keyed.Unlimited, writersPerRow),
	}
}

// RowLock is a row that a transaction locks first and that others may hold for long.
type RowLock struct {
	// Key names the row, among those of the process.
	Key string
	// Try locks the row if that is possible at once.
	Try func(tx *Tx) (locked bool, err error)
	// Wait waits for the row and locks it. After ErrLockTimeout the transaction is tried again.
	Wait func(tx *Tx) error
}

// errRowLocked ends a transaction whose row is locked and that may not wait in the database.
var errRowLocked = errors.New("postgres: the row is locked")

// InLockedTx is InTx for writers that lock one row first, such as their account's clock.
//
// Most of them wait in the process, in the order in which they came: in the database, each would
// hold a connection that others need. Those of the same key wait for each other here. When another
// process holds the row, the transaction waits in the database while fewer than half of the pool's
// connections do so, and as long as lock.Wait does; otherwise it gives its connection back and tries
// again after a pause.
func (db *DB) InLockedTx(ctx context.Context, lock RowLock, fn func(*Tx) error) error {
	held, err := db.admission.rows.Acquire(ctx, lock.Key, 1)
	if err != nil {
		return mapError(ctx, err)
	}
	defer held.Release()
	for pause := minLockPause; ; pause = min(2*pause, maxLockPause) {
		err := db.InTx(ctx, func(tx *Tx) error {
			if err := db.lockRow(tx, lock); err != nil {
				return err
			}
			return fn(tx)
		})
		if !errors.Is(err, errRowLocked) {
			return err
		}
		select {
		case <-time.After(pause/2 + rand.N(pause/2)):
		case <-ctx.Done():
			return mapError(ctx, ctx.Err())
		}
	}
}

func (db *DB) lockRow(tx *Tx, lock RowLock) error {
	locked, err := lock.Try(tx)
	if locked || err != nil {
		return err
	}
	if !db.admission.lockWaiters.TryAcquire(1) {
		return errRowLocked
	}
	defer db.admission.lockWaiters.Release(1)
	err = lock.Wait(tx)
	if errors.Is(err, ErrLockTimeout) {
		return errRowLocked
	}
	return err
}
