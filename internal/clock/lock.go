package clock

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

// next is the clock's time after one more write: the last time of the write's room, at least $2. The arithmetic
// uses UTC without a time zone: with one, the result would depend on the session, which Citus rejects in such a
// statement.
var next = `greatest($2::timestamptz, (c.last_at AT TIME ZONE 'UTC' + ` + roomInterval + `) AT TIME ZONE 'UTC')`

var roomInterval = fmt.Sprintf("interval '%d microseconds'", room.Microseconds())

const returning = `RETURNING c.account_id, c.last_at, c.change, c.endpoints, c.endpoints_version,
	c.cards, c.card_bytes, c.photos, c.photo_bytes, c.counted_to, c.quotas`

// Lock locks the account's clock for tx and advances it. It waits while another transaction holds the
// clock. Other writers of the account then wait until tx ends, so tx must be quick. Lock returns
// account_not_found if the account does not exist.
func (c Clock) Lock(ctx context.Context, tx *postgres.Tx, accountID string) (Stamp, error) {
	var clockRow row
	err := tx.Get(ctx, &clockRow, `
		UPDATE account_clock c SET last_at = `+next+`, change = c.change + 1
		WHERE c.account_id = $1 `+returning, accountID, lastOf(c.Time()))
	if errors.Is(err, sql.ErrNoRows) {
		return Stamp{}, unknownAccount(accountID)
	}
	if err != nil {
		return Stamp{}, fmt.Errorf("lock clock: %w", err)
	}
	return c.stamp(tx, clockRow)
}

// tryLock is like Lock but does not wait. It reports whether it locked the clock.
func (c Clock) tryLock(ctx context.Context, tx *postgres.Tx, accountID string) (stamp Stamp, locked bool, err error) {
	var clockRow row
	err = tx.Get(ctx, &clockRow, `
		WITH free AS MATERIALIZED (
			SELECT account_id FROM account_clock WHERE account_id = $1 FOR UPDATE SKIP LOCKED
		)
		UPDATE account_clock c SET last_at = `+next+`, change = c.change + 1
		FROM free WHERE c.account_id = $1 AND c.account_id = free.account_id `+returning, accountID, lastOf(c.Time()))
	if errors.Is(err, sql.ErrNoRows) {
		return Stamp{}, false, nil
	}
	if err != nil {
		return Stamp{}, false, fmt.Errorf("lock clock: %w", err)
	}
	stamp, err = c.stamp(tx, clockRow)
	return stamp, err == nil, err
}

// lockWait bounds one wait for a clock. If a session's connection breaks silently while the session waits, the
// session still gets the lock and holds it until the server ends its transaction. Several such sessions would
// lock the account one after another. The bound makes them give up instead.
const lockWait = 3 * time.Second

// lockWaiting is like Lock but waits no longer than lockWait, then returns postgres.ErrLockTimeout.
func (c Clock) lockWaiting(ctx context.Context, tx *postgres.Tx, accountID string) (Stamp, error) {
	var session struct {
		Timeout string `db:"lock_timeout"`
		Set     string `db:"set"`
	}
	err := tx.Get(ctx, &session, `
		SELECT current_setting('lock_timeout') AS lock_timeout, set_config('lock_timeout', $1, true) AS set`,
		milliseconds(lockWait))
	if err != nil {
		return Stamp{}, fmt.Errorf("lock clock: %w", err)
	}
	var settings struct {
		row
		Timeout string `db:"lock_timeout"`
	}
	err = tx.Get(ctx, &settings, `
		UPDATE account_clock c SET last_at = `+next+`, change = c.change + 1
		WHERE c.account_id = $1 `+returning+`, set_config('lock_timeout', $3, true) AS lock_timeout`,
		accountID, lastOf(c.Time()), session.Timeout)
	if errors.Is(err, sql.ErrNoRows) {
		return Stamp{}, unknownAccount(accountID)
	}
	if err != nil {
		return Stamp{}, fmt.Errorf("lock clock: %w", err)
	}
	return c.stamp(tx, settings.row)
}

func unknownAccount(accountID string) error {
	return fault.New(fault.AccountNotFound, "no account %s", accountID)
}

// Writes is the number of writes of one account in a transaction.
type Writes struct {
	AccountID string
	Count     int
}

// TryLockAll locks the clocks of several accounts for tx and advances each clock by the account's number of writes. It
// skips clocks that another transaction holds, so transactions that lock several clocks never deadlock. It returns each
// locked account's stamp for its last write; Stamp.Previous returns the stamps of the earlier writes.
//
// It also sets the lock timeout of tx: later statements that wait longer than lockTimeout for a row lock fail with
// SQLSTATE 55P03.
func (c Clock) TryLockAll(ctx context.Context, tx *postgres.Tx, lockTimeout time.Duration,
	writes []Writes) ([]Stamp, error) {
	if len(writes) == 1 {
		return c.tryLockOne(ctx, tx, lockTimeout, writes[0])
	}
	accounts, counts := make([]string, len(writes)), make([]int64, len(writes))
	for i, w := range writes {
		accounts[i], counts[i] = w.AccountID, int64(w.Count)
	}
	var rows []row
	err := tx.Select(ctx, &rows, `
		WITH timeout AS MATERIALIZED (
			SELECT set_config('lock_timeout', $4, true)
		), free AS MATERIALIZED (
			SELECT locked.account_id, w.writes
			FROM timeout CROSS JOIN unnest($1::text[], $3::bigint[]) AS w(account_id, writes)
			CROSS JOIN LATERAL (
				SELECT account_id FROM account_clock WHERE account_id = w.account_id FOR UPDATE SKIP LOCKED
			) locked
		)
		UPDATE account_clock c
		SET last_at = (`+next+` AT TIME ZONE 'UTC' + (free.writes - 1) * `+roomInterval+`) AT TIME ZONE 'UTC',
		    change = c.change + free.writes
		FROM free WHERE c.account_id = free.account_id `+returning,
		pq.Array(accounts), lastOf(c.Time()), pq.Array(counts), milliseconds(lockTimeout))
	if err != nil {
		return nil, fmt.Errorf("lock clocks: %w", err)
	}
	return c.stamps(tx, rows)
}

// stamps returns the stamps of locked rows.
func (c Clock) stamps(tx *postgres.Tx, rows []row) ([]Stamp, error) {
	stamps := make([]Stamp, len(rows))
	for i := range rows {
		var err error
		if stamps[i], err = c.stamp(tx, rows[i]); err != nil {
			return nil, err
		}
	}
	return stamps, nil
}

// tryLockOne is TryLockAll for one account, as a statement that Citus can route to one shard.
func (c Clock) tryLockOne(ctx context.Context, tx *postgres.Tx, lockTimeout time.Duration, w Writes) ([]Stamp, error) {
	var rows []row
	err := tx.Select(ctx, &rows, `
		WITH free AS MATERIALIZED (
			SELECT account_id, set_config('lock_timeout', $4, true)
			FROM account_clock WHERE account_id = $1 FOR UPDATE SKIP LOCKED
		)
		UPDATE account_clock c
		SET last_at = (`+next+` AT TIME ZONE 'UTC' + ($3::bigint - 1) * `+roomInterval+`) AT TIME ZONE 'UTC',
		    change = c.change + $3
		FROM free WHERE c.account_id = $1 AND c.account_id = free.account_id `+returning,
		w.AccountID, lastOf(c.Time()), w.Count, milliseconds(lockTimeout))
	if err != nil {
		return nil, fmt.Errorf("lock clocks: %w", err)
	}
	return c.stamps(tx, rows)
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%dms", d.Milliseconds()) }
