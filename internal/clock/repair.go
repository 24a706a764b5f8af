package clock

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Reading is an account's clock beside the database's.
type Reading struct {
	LastAt time.Time `db:"last_at"` // the time of the account's last change
	Now    time.Time `db:"now"`     // of the database
}

// Ahead is by how much the account's clock is ahead of the database's; negative where its last change is past.
func (r Reading) Ahead() time.Duration { return r.LastAt.Sub(r.Now) }

// Read reads the account's clock; account_not_found if there is none.
func Read(ctx context.Context, db postgres.Querier, accountID string) (Reading, error) {
	return read(ctx, db, `SELECT last_at, clock_timestamp() AS now FROM account_clock WHERE account_id = $1`, accountID)
}

func read(ctx context.Context, db postgres.Querier, query, accountID string) (Reading, error) {
	var r Reading
	err := db.Get(ctx, &r, query, accountID)
	if errors.Is(err, sql.ErrNoRows) {
		return Reading{}, fault.New(fault.AccountNotFound, "there is no account %s", accountID)
	}
	if err != nil {
		return Reading{}, fmt.Errorf("clock.Read: %w", err)
	}
	return r, nil
}

// repairTime bounds each statement of a repair, which may change all rows of an account.
const repairTime = time.Hour

// Repair sets back a clock that a machine has thrown ahead: the next change has the time at which it is made. What was
// changed in the future must change places with it, or clients that poll would see it again and again, and miss
// changes between: restamp gives those rows times after a given one, a microsecond apart in the order of their
// changes, and returns how many it gave. Other writers of the account wait. The time that is returned is the one after
// which the rows have their times; without any, it is still the time from which polling sees all later changes.
func Repair(ctx context.Context, db *postgres.DB, accountID string,
	restamp func(ctx context.Context, tx *postgres.Tx, after time.Time) (int, error)) (after time.Time, err error) {
	ctx = postgres.WithStatementTimeout(ctx, repairTime)
	err = db.InTx(ctx, func(tx *postgres.Tx) error {
		r, err := read(ctx, tx, `
			SELECT last_at, clock_timestamp() AS now FROM account_clock WHERE account_id = $1 FOR UPDATE`, accountID)
		if err != nil {
			return err
		}
		if after = r.Now.UTC(); r.Ahead() <= 0 {
			return nil
		}
		given, err := restamp(ctx, tx, after)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE account_clock SET last_at = $2, change = change + 1 WHERE account_id = $1`,
			accountID, after.Add(time.Duration(given)*time.Microsecond))
		return err
	})
	if err != nil {
		return time.Time{}, fmt.Errorf("clock.Repair: %w", err)
	}
	return after, nil
}

// RestampRows is a restamp of Repair for one table with the columns account_id, id, version, created_at and updated_at.
func RestampRows(ctx context.Context, tx *postgres.Tx, table, accountID string, after time.Time) (int, error) {
	result, err := tx.Exec(ctx, `
		UPDATE `+table+` r
		SET updated_at = later.at, created_at = least(r.created_at, later.at), version = r.version + 1
		FROM (
			SELECT id, ($2::timestamptz AT TIME ZONE 'UTC'
				+ row_number() OVER (ORDER BY updated_at, id) * interval '1 microsecond') AT TIME ZONE 'UTC' AS at
			FROM `+table+` WHERE account_id = $1 AND updated_at > $2
		) later
		WHERE r.account_id = $1 AND r.id = later.id`, accountID, after)
	if err != nil {
		return 0, fmt.Errorf("clock.RestampRows: %s: %w", table, err)
	}
	n, err := result.RowsAffected()
	return int(n), err
}
