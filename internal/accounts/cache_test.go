package accounts

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
)

// slow is a look-up that takes a while, as long as it may.
func slow(while time.Duration) func(context.Context) (identity, error) {
	return func(ctx context.Context) (identity, error) {
		select {
		case <-time.After(while):
			return identity{exists: true}, nil
		case <-ctx.Done():
			return identity{}, ctx.Err()
		}
	}
}

func TestOneWhoLeavesTakesNobodyAlong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, sum := newCache(clock.System), hash("secret")
		first, leave := context.WithCancel(t.Context())
		go c.get(first, sum, slow(lookTime/2))
		synctest.Wait()
		answered := make(chan error, 1)
		go func() {
			_, err := c.get(t.Context(), sum, slow(lookTime/2))
			answered <- err
		}()
		synctest.Wait()
		leave()
		if err := <-answered; err != nil {
			t.Errorf("who stayed is told %v", err)
		}
	})
}

func TestALookUpEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		_, err := newCache(clock.System).get(t.Context(), hash("secret"), slow(time.Hour))
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) != lookTime {
			t.Errorf("after %v: %v", time.Since(begun), err)
		}
	})
}
