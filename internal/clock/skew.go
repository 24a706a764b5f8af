package clock

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

// ErrSkewed means that this machine's clock and the database's differ by more than the tolerance.
var ErrSkewed = errors.New("clock: this machine's clock and the database's differ")

// skewTries is how often CheckSkew measures before it fails. One measurement is wrong if the process is paused
// between its two readings.
const skewTries = 3

// CheckSkew returns ErrSkewed if this machine's clock and the database's differ by more than tolerance.
func (c Clock) CheckSkew(ctx context.Context, db postgres.Querier, tolerance time.Duration) error {
	var skew time.Duration
	for range skewTries {
		var err error
		if skew, err = c.Skew(ctx, db); err != nil {
			return err
		}
		if skew.Abs() <= tolerance {
			return nil
		}
	}
	direction := "ahead of"
	if skew < 0 {
		direction = "behind"
	}
	return fault.New(fault.Unavailable, "This machine's clock is %v %s the database's, more than the %v of "+
		"CARDVAULT_CLOCK_TOLERANCE. Set the clock that is wrong, for example by NTP.",
		skew.Abs().Round(time.Millisecond), direction, tolerance).WithCause(ErrSkewed)
}

// Skew returns how far this machine's clock is ahead of the database's, or behind it if negative. The database
// reads its clock at an unknown time within the round trip, so the true skew lies within half a round trip of the
// measured one. Skew returns the value of that range that is closest to zero.
func (c Clock) Skew(ctx context.Context, db postgres.Querier) (time.Duration, error) {
	start := time.Now()
	here := c.Now()
	var there time.Time
	if err := db.Get(ctx, &there, `SELECT clock_timestamp()`); err != nil {
		return 0, fmt.Errorf("measure clock skew: %w", err)
	}
	half := time.Since(start) / 2
	skew := here.Add(half).Sub(there)
	switch {
	case skew > half:
		return skew - half, nil
	case skew < -half:
		return skew + half, nil
	}
	return 0, nil
}
