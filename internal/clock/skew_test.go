package clock_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// slow delays a query before and after it runs.
type slow struct {
	*postgres.DB
	before, after time.Duration
}

// Get implements postgres.Querier.
func (s slow) Get(ctx context.Context, dest any, query string, args ...any) error {
	time.Sleep(s.before)
	defer time.Sleep(s.after)
	return s.DB.Get(ctx, dest, query, args...)
}

// A slow round trip neither causes a skew nor hides one.
func TestClock_SkewExcludesRoundTrip(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	const delay = 2 * time.Second
	for _, c := range []struct {
		name            string
		offset          time.Duration
		before, after   time.Duration
		atLeast, atMost time.Duration
	}{
		{"right", 0, 0, 0, 0, 0},
		{"right, slow request", 0, delay, 0, 0, 0},
		{"right, slow response", 0, 0, delay, 0, 0},
		{"ahead", time.Hour, 0, 0, time.Hour - 10*time.Second, time.Hour},
		{"ahead, slow response", time.Hour, 0, delay, time.Hour - delay - 10*time.Second, time.Hour},
		{"behind, slow request", -time.Hour, delay, 0, -time.Hour, -time.Hour + delay + 10*time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			here := clock.Clock{Now: func() time.Time { return time.Now().Add(c.offset) }}
			skew, err := here.Skew(t.Context(), slow{db, c.before, c.after})
			if err != nil || skew < c.atLeast || skew > c.atMost {
				t.Errorf("Skew = %v, %v, want %v to %v", skew, err, c.atLeast, c.atMost)
			}
			err = here.CheckSkew(t.Context(), db, time.Minute)
			if errors.Is(err, clock.ErrSkewed) != (c.offset != 0) {
				t.Errorf("CheckSkew = %v, want an error only for a wrong clock", err)
			}
		})
	}
}
