package accounts

import (
	"context"
	"crypto/sha256"
	"testing"
	"testing/synctest"
	"time"
)

// TestCache_StuckLookupIsNotJoined: a look-up that hangs holds up those who came with it, and nobody after them.
func TestCache_StuckLookupIsNotJoined(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, sum := newCache(), sha256.Sum256([]byte("secret"))
		stuck := make(chan error)
		go func() {
			_, err := c.get(t.Context(), sum, func(ctx context.Context) (identity, error) {
				<-ctx.Done()
				return identity{}, ctx.Err()
			})
			stuck <- err
		}()
		time.Sleep(joinTime + time.Millisecond)
		begun := time.Now()
		found, err := c.get(t.Context(), sum, func(context.Context) (identity, error) { return identity{exists: true}, nil })
		if err != nil || !found.exists || time.Since(begun) > 0 {
			t.Errorf("the next caller: %v, %v after %v", found, err, time.Since(begun))
		}
		if err := <-stuck; err == nil {
			t.Error("the look-up that hung succeeded")
		}
	})
}
