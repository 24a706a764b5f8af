package accounts

import (
	"context"
	"crypto/sha256"
	"testing"
	"testing/synctest"
	"time"
)

// A lookup that hangs delays only the callers that joined it, not those after joinTime.
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
		begin := time.Now()
		found, err := c.get(t.Context(), sum, func(context.Context) (identity, error) {
			return identity{exists: true}, nil
		})
		if err != nil || !found.exists || time.Since(begin) > 0 {
			t.Errorf("the next caller: got %v, %v after %v, want the identity at once", found, err, time.Since(begin))
		}
		if err := <-stuck; err == nil {
			t.Error("the lookup that hung succeeded")
		}
	})
}
