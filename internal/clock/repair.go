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

// Reading is an account's clock and the database's, read at the same time.
type Reading struct {
	LastAt time.Time `db:"last_at"` // the time of the account's last change
	Now    time.Time `db:"now"`     // of the database
}

// Ahead returns how far the account's clock is ahead of the database's. It is usually negative.
func (r Reading) Ahead() time.Duration { return r.LastAt.Sub(r.Now) }

// Read reads the account's clock. It returns account_not_found if there is none.
func Read(ctx context.Context, db postgres.Querier, accountID string) (Reading, error) {
	return read(ctx, db, `SELECT last_at, clock_timestamp() AS now FROM account_clock WHERE account_id = $1`, accountID)
}

func read(ctx context.Context, db postgres.Querier, query, accountID string) (Reading, error) {
	var r Reading
	err := db.Get(ctx, &r, query, accountID)
	if errors.Is(err, sql.ErrNoRows) {
		return Reading{}, fault.New(fault.AccountNotFound, "no account %s", accountID)
	}
	if err != nil {
		return Reading{}, fmt.Errorf("read clock: %w", err)
	}
	return r, nil
}

// repairTime bounds each statement of a repair, because a statement may change all rows of an account.
const repairTime = time.Hour

// Repair sets back an account's clock that a machine with a wrong system clock has advanced into the future. Without a
// repair, the account's changes have times in the future until real time catches up.
//
// Rows that were changed at a time in the future must move back as well, or clients that poll by updated_since would
// read them again and again and miss changes in between. Repair calls restamp for them. It gives these rows times after
// the given one, one microsecond apart in the order of their changes, and returns their number.
//
// The returned time is the database's: restamped rows and later changes come after it, so clients poll from it.
// Other writers of the account wait until Repair returns. Repair does not change a clock that is not ahead.
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
		count, err := restamp(ctx, tx, after)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE account_clock SET last_at = $2, change = change + 1 WHERE account_id = $1`,
			accountID, after.Add(time.Duration(count)*time.Microsecond))
		return err
	})
	if err != nil {
		return time.Time{}, fmt.Errorf("repair clock: %w", err)
	}
	return after, nil
}

// RestampRows implements the restamp function of Repair for one table with the columns account_id, id, version,
// created_at and updated_at.
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
		return 0, fmt.Errorf("restamp rows of %s: %w", table, err)
	}
	n, err := result.RowsAffected()
	return int(n), err
}
