package postgres

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/cardvault/cardvault/internal/concurrency"
)

// GroupScope selects which writes may share a transaction; see package groupcommit.
type GroupScope string

// The scopes of group commit.
const (
	GroupAll     GroupScope = "all"     // writes of any accounts; fastest on one PostgreSQL server
	GroupAccount GroupScope = "account" // writes of one account; avoids two-phase commits on a distributed PostgreSQL
	GroupOff     GroupScope = "off"     // no writes
)

// writersPerRow is how many transactions of one RowLock.Key run at a time. With two, the next transaction
// already waits for the row while one commits, so the row is never idle.
const writersPerRow = 2

// A transaction that finds its row locked and may not wait in the database tries again after a pause.
// The pause doubles from minLockPause to maxLockPause.
const minLockPause, maxLockPause = 5 * time.Millisecond, 100 * time.Millisecond

// admission limits the connections that writers hold, so that reads and authentication always get one
// quickly.
type admission struct {
	transactions *semaphore.Weighted    // running transactions: three quarters of the pool
	lockWaiters  *semaphore.Weighted    // transactions that wait for a row lock: half of the pool
	rows         *concurrency.Semaphore // by RowLock.Key
}

func newAdmission(maxConns int) *admission {
	return &admission{
		transactions: semaphore.NewWeighted(int64(max(1, maxConns-maxConns/4))),
		lockWaiters:  semaphore.NewWeighted(int64(max(1, maxConns/2))),
		rows:         concurrency.NewSemaphore(concurrency.Unlimited, writersPerRow),
	}
}

// RowLock describes a row that a transaction locks first and that other transactions may lock for long.
type RowLock struct {
	// Key identifies the row within the process.
	Key string
	// Try locks the row if no other transaction holds it.
	Try func(tx *Tx) (locked bool, err error)
	// Wait waits until it can lock the row. If it returns ErrLockTimeout, the transaction is tried again.
	Wait func(tx *Tx) error
}

// errRowLocked rolls back a transaction whose row is locked and that may not wait in the database.
var errRowLocked = errors.New("postgres: the row is locked")

// InLockedTx is InTx for a writer that locks one row first, such as its account's clock.
//
// Transactions of the same key wait for each other in the process, in order of arrival, because each
// transaction that waits in the database holds a connection. If another process holds the row, the
// transaction waits in the database as long as lock.Wait does, but only if fewer than half of the pool's
// connections wait. Otherwise it returns its connection and tries again after a pause.
func (db *DB) InLockedTx(ctx context.Context, lock RowLock, fn func(*Tx) error) error {
	slot, err := db.admission.rows.Acquire(ctx, lock.Key, 1)
	if err != nil {
		return mapError(ctx, err)
	}
	defer slot.Release()
	for pause := minLockPause; ; pause = min(2*pause, maxLockPause) {
		err := db.inTx(ctx, func(tx *Tx) error {
			if err := db.lockRow(tx, lock); err != nil {
				return err
			}
			if err := tx.Guard(ctx); err != nil {
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
