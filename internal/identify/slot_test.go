package identify

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardvault/cardvault/internal/concurrency"
	"github.com/cardvault/cardvault/internal/fault"
)

// takes is a provider that returns a confident candidate after some time.
func takes(long time.Duration) func(context.Context) ([]Candidate, error) {
	return func(ctx context.Context) ([]Candidate, error) {
		select {
		case <-time.After(long):
			return finds(1)(ctx)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Many photos arrive at once while one is processed at a time. Waiting is not a failed attempt, and photos
// that get no slot in time fail with ErrBusy.
func TestChain_WaitingForSlotIsNoAttempt(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		wait, limit      time.Duration // limit is the time of a request; 0 means no limit
		identified, busy int
	}{
		"long wait":                       {time.Minute, 0, 18, 0},
		"wait of 10 s":                    {10*time.Second + time.Millisecond, 0, 7, 11},
		"half of a time limit, also 10 s": {time.Minute, 20*time.Second + time.Millisecond, 7, 11},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ch := Chain{
					Threshold: DefaultThreshold, Timeout: 2 * time.Second, Wait: tc.wait,
					Requests:  Resources{Slots: NewSlots(1)},
					Providers: []Provider{provider{"first", takes(1600 * time.Millisecond)}},
				}
				identified, busy := tally(t, ch, 18, tc.limit)
				if identified != tc.identified || busy != tc.busy {
					t.Errorf("got %d identified and %d busy, want %d and %d",
						identified, busy, tc.identified, tc.busy)
				}
			})
		})
	}
}

// tally runs the chain on many photos at once and counts the outcomes.
func tally(t *testing.T, ch Chain, photos int, limit time.Duration) (identified, busy int) {
	t.Helper()
	errs := make(chan error)
	for range photos {
		go func() {
			ctx := t.Context()
			if limit > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, limit)
				defer cancel()
			}
			out, err := ch.Run(ctx, Photo{})
			if err == nil && out.Accepted == nil {
				err = errors.New("not identified: " + string(out.Attempts[0].Outcome))
			}
			errs <- err
		}()
	}
	for range photos {
		switch err := <-errs; {
		case err == nil:
			identified++
		case errors.Is(err, ErrBusy):
			busy++
		default:
			t.Error(err)
		}
	}
	return identified, busy
}

// However many photos of the background are identified, one of a request gets a slot at once, and the other way round.
func TestChain_RequestsAndBackgroundAreIndependent(t *testing.T) {
	t.Parallel()
	for _, background := range []bool{true, false} {
		ch := Chain{
			Threshold: DefaultThreshold, Timeout: time.Minute, Providers: []Provider{provider{"first", finds(1)}},
			Requests: Resources{Slots: NewSlots(1)}, Background: Resources{Slots: NewSlots(1)},
		}
		if _, err := ch.resources(Photo{Background: background}).Slots.acquire(t.Context(), "acc_1"); err != nil {
			t.Fatal(err)
		}
		if _, err := ch.Run(t.Context(), Photo{Background: !background}); err != nil {
			t.Errorf("background %v: %v", !background, err)
		}
		if _, err := ch.Run(t.Context(), Photo{Background: background}); !errors.Is(err, ErrBusy) {
			t.Errorf("background %v: got %v, want ErrBusy", background, err)
		}
	}
}

func TestBusy_HasRetryAfter(t *testing.T) {
	t.Parallel()
	f, ok := fault.As(ErrBusy)
	if !ok || f.Code != fault.Unavailable || f.RetryAfter == 0 {
		t.Errorf("ErrBusy: got %+v, want unavailable with Retry-After", f)
	}
}

func TestChain_WaitEndsWithContext(t *testing.T) {
	t.Parallel()
	ch := Chain{Requests: Resources{Slots: NewSlots(1)}, Wait: time.Hour}
	if _, err := ch.Requests.Slots.acquire(t.Context(), "acc_1"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ch.Run(ctx, Photo{}); !errors.Is(err, context.Canceled) {
		t.Fatalf("Run = %v, want the error of the context", err)
	}
}

// An account has few photos of requests in memory, however many requests it sends. Requests of others do not wait.
func TestService_BoundsPhotosOfRequests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &Service{
			chain: Chain{Wait: time.Minute}, requests: concurrency.NewSemaphore(maxRequests, maxAccountRequests),
		}
		results := make(chan error, 50)
		for range 50 {
			go func() {
				_, err := s.reserve(t.Context(), "acc_hostile")
				results <- err
			}()
		}
		synctest.Wait()
		if len(results) != maxAccountRequests {
			t.Errorf("%d requests of an account have a photo, want %d", len(results), maxAccountRequests)
		}
		held, err := s.reserve(t.Context(), "acc_other")
		if err != nil {
			t.Fatal(err)
		}
		held.Release()
		for range maxAccountRequests {
			<-results
		}
		for range 50 - maxAccountRequests {
			if err := <-results; !errors.Is(err, ErrBusy) {
				t.Fatalf("after the wait: got %v, want ErrBusy", err)
			}
		}
	})
}
