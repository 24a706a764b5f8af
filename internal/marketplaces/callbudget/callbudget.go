// Package callbudget limits how many calls to a marketplace's API an account makes in a day (UTC). A marketplace limits
// the calls of an installation, which its accounts share: the budget keeps one account from using up the calls of the
// others.
//
// Calls are counted in the database before they are made, so that all processes share a count that a crash does not
// lose. The package makes no calls, and it does not know why one is made but for its Use.
package callbudget

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Use is what a call is for. Uses that can wait leave calls to those that cannot.
type Use int

const (
	// Following is a call that must not wait, such as one that ends a listing or reads sales. It may use all calls.
	Following Use = iota
	// Publishing is a call that publishes or revises listings. It leaves a fifth of the calls.
	Publishing
	// Checking is a call that checks whether a listing still exists. Such calls leave half of the day's calls to
	// others. They use the other half evenly over the day, at most an hour ahead.
	Checking
)

// keepDays is how long counts are kept.
const keepDays = 90

// pace is how long a check waits that came too early in the day.
const pace = time.Hour

// Budget is the number of calls a day that each account may make to one marketplace.
type Budget struct {
	db          *postgres.DB
	marketplace string
	perDay      int64
}

// New returns the budget of a marketplace with perDay calls, at least 1.
func New(db *postgres.DB, marketplace string, perDay int) *Budget {
	return &Budget{db, marketplace, int64(perDay)}
}

// limit returns how many calls of a day may be made before one for the use waits.
func (b *Budget) limit(use Use) int64 {
	switch use {
	case Publishing:
		return max(b.perDay*4/5, 1)
	case Checking:
		return max(b.perDay/2, 1)
	}
	return b.perDay
}

// Take counts a call that is about to be made. It returns an unavailable fault with the time to wait if the calls for
// the use are used up.
func (b *Budget) Take(ctx context.Context, accountID string, use Use) error {
	var taken struct {
		Calls *int64  `db:"calls"` // of the day; nil if there are none left
		Left  float64 `db:"left"`  // seconds of the day
	}
	err := b.db.Get(ctx, &taken, `
		WITH clock AS (
			SELECT at, extract(epoch FROM at - date_trunc('day', at)) / 86400 AS over
			FROM (SELECT now() AT TIME ZONE 'UTC' AS at) utc
		), taken AS (
			INSERT INTO marketplace_calls AS c (account_id, marketplace, day, calls)
			SELECT $1, $2, at::date, 1 FROM clock
			ON CONFLICT (account_id, marketplace, day) DO UPDATE SET calls = c.calls + 1
			WHERE c.calls < $3 * CASE WHEN $4 THEN (SELECT over + 1/24.0 FROM clock) ELSE 1 END
			RETURNING calls
		)
		SELECT (SELECT calls FROM taken) AS calls, ((1 - over) * 86400)::float8 AS left FROM clock`,
		accountID, b.marketplace, b.limit(use), use == Checking)
	switch {
	case err != nil:
		return fmt.Errorf("reserve calls: %w", err)
	case taken.Calls == nil:
		return b.usedUp(use, time.Duration(taken.Left*float64(time.Second)))
	case *taken.Calls == 1:
		b.prune(ctx, accountID)
	}
	return nil
}

// ErrUsedUp is the cause of the fault of a call for which nothing is left.
var ErrUsedUp = errors.New("the calls to the marketplace are used up")

// usedUp returns the fault of a call that must wait. left is the rest of the day.
func (b *Budget) usedUp(use Use, left time.Duration) error {
	if use == Checking {
		return fault.New(fault.Unavailable, "checks of listings on %s are spread over the day", b.marketplace).
			WithRetryAfter(min(left, pace)).WithCause(ErrUsedUp)
	}
	return fault.New(fault.Unavailable, "The account has used its calls to %s for today. They continue at 00:00 UTC.",
		b.marketplace).WithRetryAfter(left).WithCause(ErrUsedUp)
}

// prune deletes the account's old counts.
func (b *Budget) prune(ctx context.Context, accountID string) {
	_, err := b.db.Exec(ctx, `
		DELETE FROM marketplace_calls
		WHERE account_id = $1 AND marketplace = $2 AND day < (now() AT TIME ZONE 'UTC')::date - $3::int`,
		accountID, b.marketplace, keepDays)
	if err != nil {
		slog.WarnContext(ctx, "old counts of calls were not deleted", "marketplace", b.marketplace, "error", err)
	}
}

// Day is the state of an account's budget on a day.
type Day struct {
	Calls  int64 `json:"calls"`
	PerDay int64 `json:"per_day"`
	// PublishingWaits is true if nothing is published or revised until the next day.
	PublishingWaits bool `json:"publishing_waits"`
}

// Today returns the state of the account's budget.
func (b *Budget) Today(ctx context.Context, accountID string) (Day, error) {
	var calls int64
	err := b.db.Get(ctx, &calls, `
		SELECT coalesce(sum(calls), 0)::bigint FROM marketplace_calls
		WHERE account_id = $1 AND marketplace = $2 AND day = (now() AT TIME ZONE 'UTC')::date`,
		accountID, b.marketplace)
	if err != nil {
		return Day{}, fmt.Errorf("count calls: %w", err)
	}
	return Day{Calls: calls, PerDay: b.perDay, PublishingWaits: calls >= b.limit(Publishing)}, nil
}

// PublishingSince returns the end of the last day on which publishing had to wait for calls, or the zero time. It is
// in the future if that is today.
func (b *Budget) PublishingSince(ctx context.Context, accountID string) (time.Time, error) {
	var since *time.Time
	err := b.db.Get(ctx, &since, `
		SELECT (max(day) + 1)::timestamp AT TIME ZONE 'UTC' FROM marketplace_calls
		WHERE account_id = $1 AND marketplace = $2 AND calls >= $3`, accountID, b.marketplace, b.limit(Publishing))
	if err != nil {
		return time.Time{}, fmt.Errorf("read start of publishing: %w", err)
	}
	if since == nil {
		return time.Time{}, nil
	}
	return *since, nil
}
