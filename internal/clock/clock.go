// Package clock is the account's clock: the row that every write transaction takes first and keeps
// until it commits.
//
// Taking it orders the account's commits and gives the write a time strictly later than the
// account's last one, on one machine or on several whose own clocks differ. That is what makes
// polling by updated_since miss nothing: whoever sees a time T knows that every change before T
// is committed. Write makes one write in a transaction of its own; package groupcommit combines
// small writes into one transaction. The package never
// reads the time for anything else and knows nothing about what is written.
package clock

import (
	"context"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
)

// Stamp is the moment of one write transaction.
type Stamp struct {
	AccountID string    `db:"account_id"`
	At        time.Time `db:"last_at"`   // UTC, microseconds; strictly rising per account
	Change    int64     `db:"change"`    // counts the account's write transactions
	Endpoints int       `db:"endpoints"` // how many webhook endpoints the account has
	// EndpointsVersion rises with every change of one of them.
	EndpointsVersion int64 `db:"endpoints_version"`
}

// Clock gives stamps. Now is the machine's clock; tests set it to run ahead or behind.
type Clock struct{ Now func() time.Time }

// System is the clock of this machine.
var System = Clock{Now: time.Now}

// Time returns the machine's time in UTC, cut to the microseconds that PostgreSQL keeps.
func (c Clock) Time() time.Time { return c.Now().UTC().Truncate(time.Microsecond) }

// Write runs a write transaction of an account: it locks the account's clock first, which orders the
// account's commits, and commits if fn returns nil. Nothing slow and nothing outside the database may
// happen in fn, because other writers of the account wait; see postgres.DB.InTx for the rest.
//
// While another transaction holds the clock, the write waits; see postgres.DB.InLockedTx for how.
func (c Clock) Write(ctx context.Context, db *postgres.DB, accountID string, fn func(*postgres.Tx, Stamp) error) error {
	return c.WriteWithHook(ctx, db, accountID, nil, fn)
}

// WriteWithHook is Write with a hook that is called after fn, in the same transaction. Services pass the hook that
// they get from the handler of a request: it is committed if and only if the request's change is.
func (c Clock) WriteWithHook(ctx context.Context, db *postgres.DB, accountID string, hook postgres.TxHook,
	fn func(*postgres.Tx, Stamp) error) error {
	var stamp Stamp
	lock := postgres.RowLock{
		Key: accountID,
		Try: func(tx *postgres.Tx) (locked bool, err error) {
			stamp, locked, err = c.tryLock(ctx, tx, accountID)
			return locked, err
		},
		Wait: func(tx *postgres.Tx) (err error) {
			stamp, err = c.lockWaiting(ctx, tx, accountID)
			return err
		},
	}
	return db.InLockedTx(ctx, lock, func(tx *postgres.Tx) error {
		if err := fn(tx, stamp); err != nil {
			return err
		}
		if hook == nil {
			return nil
		}
		return hook(ctx, tx)
	})
}

// ExtendTo has a write end later than its stamp says: for one that makes many changes, each at a time of its
// own up to last, so that who follows changes by time need not read all of them again to see the next.
func (s Stamp) ExtendTo(tx *postgres.Tx, last time.Time) {
	tx.Defer(`UPDATE account_clock SET last_at = greatest(last_at, $2) WHERE account_id = $1`, s.AccountID, last)
}

// Previous is the stamp of the nth write before, in a transaction of several writes.
func (s Stamp) Previous(n int) Stamp {
	s.At, s.Change = s.At.Add(-time.Duration(n)*time.Microsecond), s.Change-int64(n)
	return s
}

// Offset is the stamp's time for the nth change of a lengthened write, from 0.
func (s Stamp) Offset(n int) Stamp {
	s.At = s.At.Add(time.Duration(n) * time.Microsecond)
	return s
}

// Create makes the clock of a new account.
func (c Clock) Create(ctx context.Context, tx *postgres.Tx, accountID string) error {
	_, err := tx.Exec(ctx, `INSERT INTO account_clock (account_id, last_at, change) VALUES ($1, $2, 0)`, accountID, c.Time())
	if err != nil {
		return fmt.Errorf("clock.Create: %w", err)
	}
	return nil
}
