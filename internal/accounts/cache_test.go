package accounts

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"testing/synctest"
	"time"
)

// slow returns a lookup that takes the given time.
func slow(delay time.Duration) func(context.Context) (identity, error) {
	return func(ctx context.Context) (identity, error) {
		select {
		case <-time.After(delay):
			return identity{exists: true}, nil
		case <-ctx.Done():
			return identity{}, ctx.Err()
		}
	}
}

func TestCache_LookupOutlivesCanceledCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, sum := newCache(), hash("secret")
		first, cancel := context.WithCancel(t.Context())
		go c.get(first, sum, slow(lookupTimeout/2))
		synctest.Wait()
		second := make(chan error, 1)
		go func() {
			_, err := c.get(t.Context(), sum, slow(lookupTimeout/2))
			second <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-second; err != nil {
			t.Errorf("the second caller of the lookup: got %v, want no error because only the first was canceled", err)
		}
	})
}

func TestCache_LookupTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		_, err := newCache().get(t.Context(), hash("secret"), slow(time.Hour))
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != lookupTimeout {
			t.Errorf("get: got %v after %v, want a timeout after %v", err, time.Since(begin), lookupTimeout)
		}
	})
}

func TestCache_UnknownSecretsDisplaceNoToken(t *testing.T) {
	t.Parallel()
	c := newCache()
	find := func(found identity) func(context.Context) (identity, error) {
		return func(context.Context) (identity, error) { return found, nil }
	}
	good := hash("good")
	if _, err := c.get(t.Context(), good, find(identity{exists: true})); err != nil {
		t.Fatal(err)
	}
	for i := range cacheSize + 1 {
		if _, err := c.get(t.Context(), hash(strconv.Itoa(i)), find(identity{})); err != nil {
			t.Fatal(err)
		}
	}
	if len(c.unknown) > unknownSize {
		t.Errorf("cached unknown secrets: got %d, want at most %d", len(c.unknown), unknownSize)
	}
	if !c.has(good) || c.has(hash("1")) {
		t.Error("want the token in the cache, and the unknown secret not among the tokens")
	}
}

func TestCache_Expiry(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		found identity
		want  time.Duration
	}{
		"unknown":           {identity{}, unknownTime},
		"valid":             {identity{exists: true}, CacheTime},
		"revoked":           {identity{exists: true, revoked: true, lasts: -time.Hour}, CacheTime},
		"ends in an hour":   {identity{exists: true, lasts: time.Hour}, CacheTime},
		"ends while cached": {identity{exists: true, lasts: time.Second / 2}, time.Second / 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c, lookups := newCache(), 0
				get := func() {
					c.get(t.Context(), hash("secret"), func(context.Context) (identity, error) {
						lookups++
						return test.found, nil
					})
				}
				get()
				time.Sleep(test.want - 1)
				if get(); lookups != 1 {
					t.Errorf("lookups before %v: got %d, want 1", test.want, lookups)
				}
				time.Sleep(time.Nanosecond)
				if get(); lookups != 2 {
					t.Errorf("lookups after %v: got %d, want 2", test.want, lookups)
				}
			})
		})
	}
}
