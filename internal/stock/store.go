package stock

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/calendar"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

// account holds the account's columns that the package needs.
type account struct {
	TimeZone string    `db:"time_zone"`
	Now      time.Time `db:"now"`    // by the database's clock
	Change   int64     `db:"change"` // number of the account's writes so far
}

// today returns the current date in the account's time zone, as midnight in UTC.
func (a account) today() time.Time {
	return calendar.DateOf(a.Now, calendar.Zone(a.TimeZone))
}

// readAccount returns account_not_found for an account that is being deleted.
func readAccount(ctx context.Context, db *postgres.DB, accountID string) (a account, err error) {
	err = db.Get(ctx, &a, `
		SELECT a.time_zone, now() AS now, c.change
		FROM accounts a JOIN account_clock c ON c.account_id = a.id
		WHERE a.id = $1 AND a.closed_at IS NULL`, accountID)
	if errors.Is(err, sql.ErrNoRows) {
		return account{}, fault.New(fault.AccountNotFound, "there is no account %s", accountID)
	}
	if err != nil {
		return account{}, fmt.Errorf("read account: %w", err)
	}
	return a, nil
}

// row is a row of stock_values.
type row struct {
	Day      time.Time `db:"day"`
	Currency string    `db:"currency"` // "" in the row of all cards of the day
	Cards    int64     `db:"cards"`
	Asking   int64     `db:"asking"`
	Cost     int64     `db:"cost"`
}

// recorded returns the days that were recorded from one date until before another, in order.
func recorded(ctx context.Context, db *postgres.DB, accountID string, from, before time.Time) ([]Day, error) {
	var rows []row
	err := db.Select(ctx, &rows, `
		SELECT day, currency, cards, asking, cost FROM stock_values
		WHERE account_id = $1 AND day >= $2 AND day < $3 ORDER BY day, currency`,
		accountID, from.Format(time.DateOnly), before.Format(time.DateOnly))
	if err != nil {
		return nil, fmt.Errorf("load recorded days: %w", err)
	}
	return daysOf(rows), nil
}

// daysOf returns the days of rows, which are in the order of day and currency.
func daysOf(rows []row) (days []Day) {
	for _, r := range rows {
		if r.Currency == "" {
			days = append(days, Day{Date: r.Day.UTC(), Cards: r.Cards})
			continue
		}
		last := &days[len(days)-1]
		last.Values = append(last.Values, Value{r.Currency, r.Cards, r.Asking, r.Cost})
	}
	return days
}

// lastRecorded returns the last day that was recorded and the change that it includes. The time is zero if there is
// none.
func lastRecorded(ctx context.Context, db *postgres.DB, accountID string) (day time.Time, change int64, err error) {
	var last struct {
		Day    time.Time `db:"day"`
		Change int64     `db:"change"`
	}
	err = db.Get(ctx, &last, `
		SELECT day, change FROM stock_values WHERE account_id = $1 ORDER BY day DESC, currency DESC LIMIT 1`, accountID)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, 0, fmt.Errorf("load last day: %w", err)
	}
	return last.Day.UTC(), last.Change, nil
}

// store records a day as it was at a change of the account, unless a later change is recorded already, and deletes days
// that are no longer kept.
func store(ctx context.Context, db *postgres.DB, accountID string, day Day, change int64) error {
	err := db.InTx(ctx, func(tx *postgres.Tx) error {
		date := day.Date.Format(time.DateOnly)
		newer, err := storeCards(ctx, tx, accountID, date, day.Cards, change)
		if err != nil || !newer {
			return err
		}
		if err := storeValues(ctx, tx, accountID, date, day.Values, change); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `DELETE FROM stock_values WHERE account_id = $1 AND day < $2`,
			accountID, day.Date.AddDate(0, 0, 1-MaxDays).Format(time.DateOnly))
		return err
	})
	if err != nil {
		return fmt.Errorf("store day: %w", err)
	}
	return nil
}

// storeCards stores the number of all cards, and reports whether it did: not if the day has a later change, and not for
// an account that is being deleted, whose rows would stay behind. The row is locked until the transaction ends, so that
// other processes wait for all rows of the day.
func storeCards(
	ctx context.Context, tx *postgres.Tx, accountID, date string, cards, change int64,
) (newer bool, err error) {
	result, err := tx.Exec(ctx, `
		INSERT INTO stock_values AS v (account_id, day, currency, cards, asking, cost, change)
		SELECT id, $2::date, '', $3::bigint, 0, 0, $4::bigint FROM accounts WHERE id = $1 AND closed_at IS NULL
		ON CONFLICT (account_id, day, currency) DO UPDATE SET cards = excluded.cards, change = excluded.change
		WHERE v.change < excluded.change`, accountID, date, cards, change)
	if err != nil {
		return false, err
	}
	rows, err := result.RowsAffected()
	return rows == 1, err
}

// storeValues stores the values of a day, and deletes values in currencies in which no card has a price any more.
func storeValues(
	ctx context.Context, tx *postgres.Tx, accountID, date string, values []Value, change int64,
) error {
	var currencies pq.StringArray
	var cards, asking, cost pq.Int64Array
	for _, v := range values {
		currencies = append(currencies, v.Currency)
		cards, asking, cost = append(cards, v.Cards), append(asking, v.Asking), append(cost, v.Cost)
	}
	_, err := tx.Exec(ctx, `
		INSERT INTO stock_values (account_id, day, currency, cards, asking, cost, change)
		SELECT $1, $2::date, n.currency, n.cards, n.asking, n.cost, $7::bigint
		FROM unnest($3::text[], $4::bigint[], $5::bigint[], $6::bigint[]) AS n (currency, cards, asking, cost)
		ON CONFLICT (account_id, day, currency) DO UPDATE SET
			cards = excluded.cards, asking = excluded.asking, cost = excluded.cost, change = excluded.change`,
		accountID, date, currencies, cards, asking, cost, change)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `DELETE FROM stock_values WHERE account_id = $1 AND day = $2 AND change < $3`,
		accountID, date, change)
	return err
}
