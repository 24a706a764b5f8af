// Package spend limits the spending of an account on remote identification providers in a day (UTC), and counts it by
// provider.
//
// The cost of a call is reserved in the database before the call, so that several processes cannot spend more than the
// limit together, and released if the provider does not charge for the call. The package makes no calls. Its caller
// passes the price of a call.
package spend

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"strconv"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Micros is an amount in millionths of a US dollar. A call may cost less than a cent.
type Micros int64

// perDollar is the number of Micros of a dollar.
const perDollar = 1_000_000

// Dollars returns the nearest amount.
func Dollars(dollars float64) Micros { return Micros(math.Round(dollars * perDollar)) }

// Dollars returns the amount in dollars.
func (m Micros) Dollars() float64 { return float64(m) / perDollar }

// String returns the amount as "$1.25", with as many decimals as it needs, at least two.
func (m Micros) String() string {
	if m%(perDollar/100) == 0 {
		return "$" + strconv.FormatFloat(m.Dollars(), 'f', 2, 64)
	}
	return "$" + strconv.FormatFloat(m.Dollars(), 'f', -1, 64)
}

// keepDays is how long counts are kept.
const keepDays = 90

// Budget is what each account may spend in a day.
type Budget struct {
	db     *postgres.DB
	perDay Micros
}

// New returns the budget. With 0, accounts can make only calls that cost nothing.
func New(db *postgres.DB, perDay Micros) *Budget { return &Budget{db, perDay} }

// Reservation is the cost of a call that is being made.
type Reservation struct {
	budget    *Budget
	accountID string
	provider  string
	day       time.Time
	cost      Micros
}

// Reserve counts a call and its cost. It returns an unavailable fault with the time until the next day if the account
// cannot spend as much today.
func (b *Budget) Reserve(ctx context.Context, accountID, provider string, cost Micros) (*Reservation, error) {
	var row struct {
		Day   time.Time `db:"day"`
		Calls *int64    `db:"calls"` // of the day; nil if the cost is not reserved
		Left  float64   `db:"left"`  // seconds of the day
	}
	// The sum is changed first. Its row is locked until the end, so that concurrent calls are counted one by one.
	err := b.db.Get(ctx, &row, `
		WITH clock AS (SELECT now() AT TIME ZONE 'UTC' AS at), total AS (
			INSERT INTO identification_spend AS s (account_id, day, provider, calls, micros)
			SELECT $1, at::date, '', 1, $3 FROM clock WHERE $3::bigint <= $4::bigint
			ON CONFLICT (account_id, day, provider) DO UPDATE
			SET calls = s.calls + 1, micros = s.micros + excluded.micros
			WHERE s.micros + excluded.micros <= $4 OR excluded.micros = 0
			RETURNING calls
		), share AS (
			INSERT INTO identification_spend AS s (account_id, day, provider, calls, micros)
			SELECT $1, at::date, $2, 1, $3 FROM clock, total
			ON CONFLICT (account_id, day, provider) DO UPDATE
			SET calls = s.calls + 1, micros = s.micros + excluded.micros
		)
		SELECT at::date AS day, (SELECT calls FROM total) AS calls,
			extract(epoch FROM date_trunc('day', at) + interval '1 day' - at)::float8 AS left FROM clock`,
		accountID, provider, int64(cost), int64(b.perDay))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reserve spending: %w", err)
	case row.Calls == nil:
		return nil, b.usedUp(time.Duration(row.Left * float64(time.Second)))
	case *row.Calls == 1:
		b.prune(ctx, accountID)
	}
	return &Reservation{b, accountID, provider, row.Day, cost}, nil
}

// usedUp returns the fault of a call that the budget does not allow.
func (b *Budget) usedUp(left time.Duration) error {
	return fault.New(fault.Unavailable,
		"The account has used its budget of %s a day for remote identification. It begins again at 00:00 UTC.",
		b.perDay).WithRetryAfter(left)
}

// Release takes a call that costs nothing out of the count.
func (r *Reservation) Release(ctx context.Context) error {
	_, err := r.budget.db.Exec(ctx, `
		UPDATE identification_spend SET calls = calls - 1, micros = micros - $4
		WHERE account_id = $1 AND day = $2 AND provider IN ('', $3)`,
		r.accountID, r.day.Format(time.DateOnly), r.provider, int64(r.cost))
	if err != nil {
		return fmt.Errorf("release spending: %w", err)
	}
	return nil
}

// prune deletes the account's old counts.
func (b *Budget) prune(ctx context.Context, accountID string) {
	_, err := b.db.Exec(ctx, `
		DELETE FROM identification_spend
		WHERE account_id = $1 AND day < (now() AT TIME ZONE 'UTC')::date - $2::int`, accountID, keepDays)
	if err != nil {
		slog.WarnContext(ctx, "old costs of identifications were not deleted", "error", err)
	}
}

// Day is an account's spending today.
type Day struct {
	PerDay, Spent Micros
	Providers     []Share // called today, by name
}

// Share is an account's spending on a provider today.
type Share struct {
	Provider string `db:"provider"`
	Calls    int64  `db:"calls"`
	Spent    Micros `db:"micros"`
}

// Today returns the account's spending today.
func (b *Budget) Today(ctx context.Context, accountID string) (Day, error) {
	day := Day{PerDay: b.perDay}
	err := b.db.Select(ctx, &day.Providers, `
		SELECT provider, calls, micros FROM identification_spend
		WHERE account_id = $1 AND day = (now() AT TIME ZONE 'UTC')::date AND provider <> '' AND calls > 0
		ORDER BY provider`, accountID)
	if err != nil {
		return Day{}, fmt.Errorf("sum spending: %w", err)
	}
	for _, share := range day.Providers {
		day.Spent += share.Spent
	}
	return day, nil
}
