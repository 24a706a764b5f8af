// Package clock orders the write transactions of an account.
//
// Each account has one row in account_clock, its clock. A write transaction locks the clock first, advances it, and
// holds the lock until it commits. This orders the account's commits and gives each commit a Stamp whose time is
// strictly later than the previous one, even if several machines write and their system clocks differ. Polling by
// updated_since therefore misses no change: a client that sees time T knows that every change before T is committed.
//
// The events of a change have their own times. The first event has the time of the change. Each further event comes at
// least a microsecond later, and all come before the next change (Stamp.EventTime).
//
// Clock.Write runs one write in its own transaction. Package groupcommit combines small writes into one transaction.
// CheckSkew compares a machine's clock with the database's. Repair sets back an account's clock after a wrong machine
// has advanced it into the future. The package does not depend on the content of a write.
package clock

import (
	"context"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/quota"
)

// Stamp identifies one write transaction of an account: its time and its change number.
type Stamp struct {
	AccountID string    `db:"account_id"`
	At        time.Time `db:"last_at"`   // UTC, microseconds; at least room after the previous write
	Change    int64     `db:"change"`    // number of the account's writes so far
	Endpoints int       `db:"endpoints"` // number of the account's webhook endpoints
	// EndpointsVersion rises with every change to one of the endpoints.
	EndpointsVersion int64 `db:"endpoints_version"`
}

// Clock issues stamps.
type Clock struct {
	// Now is the machine's clock; tests set it ahead or behind.
	Now func() time.Time
	// Quotas are the quotas of accounts without their own.
	Quotas quota.Limits
}

// System is the clock of this machine.
var System = Clock{Now: time.Now}

// Time returns the machine's time in UTC, truncated to microseconds, the precision of PostgreSQL.
func (c Clock) Time() time.Time { return c.Now().UTC().Truncate(time.Microsecond) }

// Write runs a write transaction of an account: it locks the account's clock, calls fn, and commits if
// fn returns nil. Other writers of the account wait meanwhile, so fn must be quick. It may be called
// again in another transaction and must have no effect outside the database; see postgres.DB.InTx.
//
// Write waits while another transaction holds the clock; see postgres.DB.InLockedTx. It returns
// account_not_found if the account does not exist.
func (c Clock) Write(ctx context.Context, db *postgres.DB, accountID string, fn func(*postgres.Tx, Stamp) error) error {
	return c.WriteWithHook(ctx, db, accountID, nil, fn)
}

// WriteWithHook is like Write and calls hook after fn, in the same transaction. A service passes the
// hook of the request's handler, so the hook's statements commit if and only if the request's change does.
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

// Create inserts the clock of a new account.
func (c Clock) Create(ctx context.Context, tx *postgres.Tx, accountID string) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO account_clock (account_id, last_at, change, counted_to) VALUES ($1, $2, 0, $3)`,
		accountID, c.Time(), CountedAll)
	if err != nil {
		return fmt.Errorf("create clock: %w", err)
	}
	return nil
}
