package accounts

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"testing/synctest"
	"time"
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
		c, sum := newCache(), hash("secret")
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
		_, err := newCache().get(t.Context(), hash("secret"), slow(time.Hour))
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) != lookTime {
			t.Errorf("after %v: %v", time.Since(begun), err)
		}
	})
}

func TestCache_UnknownSecretsDisplaceNoToken(t *testing.T) {
	t.Parallel()
	c := newCache()
	looked := 0
	look := func(found identity) func(context.Context) (identity, error) {
		return func(context.Context) (identity, error) { looked++; return found, nil }
	}
	good := hash("good")
	if _, err := c.get(t.Context(), good, look(identity{exists: true})); err != nil {
		t.Fatal(err)
	}
	for i := range cacheSize + 1 {
		if _, err := c.get(t.Context(), hash(strconv.Itoa(i)), look(identity{})); err != nil {
			t.Fatal(err)
		}
	}
	if len(c.unknown) > unknownSize {
		t.Errorf("%d unknown secrets are remembered, want at most %d", len(c.unknown), unknownSize)
	}
	if !c.has(good) || c.has(hash("1")) {
		t.Error("the token was displaced by made-up secrets")
	}
}

func TestCache_KeepsAnswersForAsLongAsTheyHold(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		found identity
		kept  time.Duration
	}{
		"unknown":                 {identity{}, unknownTime},
		"valid":                   {identity{exists: true}, CacheTime},
		"revoked":                 {identity{exists: true, revoked: true, lasts: -time.Hour}, CacheTime},
		"stops in an hour":        {identity{exists: true, lasts: time.Hour}, CacheTime},
		"stops while it is known": {identity{exists: true, lasts: time.Second / 2}, time.Second / 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c, looked := newCache(), 0
				get := func() {
					c.get(t.Context(), hash("secret"), func(context.Context) (identity, error) { looked++; return test.found, nil })
				}
				get()
				time.Sleep(test.kept - 1)
				if get(); looked != 1 {
					t.Errorf("looked up again within %v", test.kept)
				}
				time.Sleep(time.Nanosecond)
				if get(); looked != 2 {
					t.Errorf("not looked up again after %v", test.kept)
				}
			})
		})
	}
}
