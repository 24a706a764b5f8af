package remote

import (
	"net/http"
	"testing"
	"time"
)

// TestBreaker goes through the states of a breaker. A step may wait, then call, and end the call.
func TestBreaker(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	b := breaker{now: func() time.Time { return now }}
	succeed := b.succeed
	fail := func(wait time.Duration) func() { return func() { b.fail(wait) } }
	for i, step := range []struct {
		after   time.Duration
		allowed bool
		end     func()
	}{
		{0, true, fail(0)}, {0, true, fail(0)}, {0, true, succeed}, // a success begins again
		{0, true, fail(0)}, {0, true, fail(0)}, {0, true, fail(0)}, {0, true, fail(0)}, {0, true, fail(0)},
		{breakTime - 1, false, nil},
		{1, true, nil},        // the probe is under way
		{0, false, b.release}, // no other call meanwhile; the probe says nothing
		{0, true, fail(0)},
		{0, false, nil},
		{breakTime, true, succeed},
		{0, true, fail(2 * time.Minute)}, // the company names a time
		{119 * time.Second, false, nil},
		{time.Second, true, succeed},
		{0, true, fail(48 * time.Hour)},
		{maxBreakTime - 1, false, nil},
		{1, true, succeed},
		{0, true, succeed},
	} {
		now = now.Add(step.after)
		wait, ok := b.allow()
		if ok != step.allowed || !ok && wait <= 0 {
			t.Errorf("step %d: got %v and %v, want allowed %t", i, wait, ok, step.allowed)
		}
		if step.end != nil {
			step.end()
		}
	}
	if b.isOpen() {
		t.Error("the breaker is open")
	}
}

// A call that began before the breaker opened does not close it, because the time that the company named must hold.
func TestBreaker_LateSuccess(t *testing.T) {
	t.Parallel()
	b := breaker{now: time.Now}
	b.fail(time.Minute)
	b.succeed()
	if _, ok := b.allow(); ok {
		t.Error("a call was allowed")
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"": 0, "7": 7 * time.Second, "-1": 0, "soon": 0, "99999999999": 0,
		"Wed, 25 Nov 2026 12:00:30 GMT": 30 * time.Second, "Wed, 25 Nov 2026 11:00:00 GMT": 0,
	} {
		if got := retryAfter(http.Header{"Retry-After": {text}}, now); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}
