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

// slow answers after a pause.
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

// TestClock_SkewLeavesOutTheRoundTrip: an answer that was long on its way does not make the clock wrong, and does
// not hide that it is.
func TestClock_SkewLeavesOutTheRoundTrip(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	const way = 2 * time.Second
	for _, c := range []struct {
		name            string
		offset          time.Duration
		before, after   time.Duration
		atLeast, atMost time.Duration
	}{
		{"right", 0, 0, 0, 0, 0},
		{"right, slow question", 0, way, 0, 0, 0},
		{"right, slow answer", 0, 0, way, 0, 0},
		{"ahead", time.Hour, 0, 0, time.Hour - 10*time.Second, time.Hour},
		{"ahead, slow answer", time.Hour, 0, way, time.Hour - way - 10*time.Second, time.Hour},
		{"behind, slow question", -time.Hour, way, 0, -time.Hour, -time.Hour + way + 10*time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			here := clock.Clock{Now: func() time.Time { return time.Now().Add(c.offset) }}
			skew, err := here.Skew(t.Context(), slow{db, c.before, c.after})
			if err != nil || skew < c.atLeast || skew > c.atMost {
				t.Errorf("skew = %v, %v, want %v to %v", skew, err, c.atLeast, c.atMost)
			}
			err = here.CheckSkew(t.Context(), db, time.Minute)
			if errors.Is(err, clock.ErrSkewed) != (c.offset != 0) {
				t.Errorf("CheckSkew = %v", err)
			}
		})
	}
}
