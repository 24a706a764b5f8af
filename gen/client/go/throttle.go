package cardvault

import (
	"context"
	"math"
	"net/http"
	"sync"
	"time"
)

// RateClass is a group of operations that share a rate limit.
type RateClass string

// The classes of operations.
const (
	RateClassRead  RateClass = "read"
	RateClassWrite RateClass = "write"
	RateClassAI    RateClass = "ai" // identification and price look-up
)

// Wait is a wait of a client for the next window of its rate limit; see [WithOnWait].
type Wait struct {
	Class    RateClass
	Duration time.Duration
}

// throttle delays the requests of a class while the rate limit of the class is used up. All requests of a client share
// what its responses say about the limit: a request that would exceed it waits for the next window, in which the client
// sends only as many requests as the limit allows. Before the first response the limit is unknown and nothing waits.
type throttle struct {
	class  RateClass
	onWait func(Wait)

	turn     chan struct{} // holds a value while a request is at the head of the queue
	changed  chan struct{} // wakes the request at the head
	reported time.Time     // end of the window of the last call of onWait; used by the request at the head

	mu     sync.Mutex
	limit  int64     // the requests per window; 0 before the first response
	left   int64     // the requests that may still be sent in the window
	window time.Time // the RateLimit.Reset of the latest window
	end    time.Time // when the window ends by the local clock; zero until the first response in a new window
}

func newThrottle(class RateClass, onWait func(Wait)) *throttle {
	return &throttle{
		class: class, onWait: onWait, left: math.MaxInt64,
		turn: make(chan struct{}, 1), changed: make(chan struct{}, 1),
	}
}

// acquire waits until the limit allows a request, in the order of the calls. After it, the caller must call observe or
// release.
func (t *throttle) acquire(ctx context.Context) error {
	select {
	case t.turn <- struct{}{}:
		defer func() { <-t.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	for {
		window, end, ok := t.take(time.Now())
		if ok {
			return nil
		}
		t.report(window, end)
		if err := t.await(ctx, end); err != nil {
			return err
		}
	}
}

// take counts a request. If the limit does not allow it, take returns the window and when it ends, which is zero if the
// responses to the first requests of a new window have not arrived yet.
func (t *throttle) take(now time.Time) (window, end time.Time, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.end.IsZero() && !now.Before(t.end) {
		t.end, t.left = time.Time{}, t.limit
	}
	if t.left <= 0 {
		return t.window, t.end, false
	}
	t.left--
	return t.window, t.end, true
}

// report calls onWait once for each window.
func (t *throttle) report(window, end time.Time) {
	if t.onWait != nil && !end.IsZero() && !window.Equal(t.reported) {
		t.reported = window
		t.onWait(Wait{Class: t.class, Duration: time.Until(end)})
	}
}

// await waits until end, unless that is zero, or until a response changes the limit.
func (t *throttle) await(ctx context.Context, end time.Time) error {
	var ended <-chan time.Time
	if !end.IsZero() {
		timer := time.NewTimer(time.Until(end))
		defer timer.Stop()
		ended = timer.C
	}
	select {
	case <-ended:
	case <-t.changed:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// observe updates the limit from a response.
func (t *throttle) observe(response Response) {
	limit := response.RateLimit
	if limit.Limit <= 0 || limit.Reset.IsZero() { // the response does not come from the service
		t.release()
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	isLater := limit.Reset.After(t.window)
	switch {
	case limit.Reset.Before(t.window), !isLater && t.end.IsZero() && !exceedsLimit(response):
		return // a late response of an earlier window
	case isLater && !t.end.IsZero(): // the window ended earlier than expected
		t.left = limit.Remaining
	default:
		t.left = min(t.left, limit.Remaining)
	}
	t.limit, t.window, t.end = limit.Limit, limit.Reset, time.Now().Add(untilReset(response))
	t.wake()
}

// release takes back a request that got no response.
func (t *throttle) release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.left < t.limit {
		t.left++
	}
	t.wake()
}

func (t *throttle) wake() {
	select {
	case t.changed <- struct{}{}:
	default:
	}
}

// exceedsLimit reports whether the service rejected a request because the limit of its class was used up. The service
// also rejects requests if too many run at the same time.
func exceedsLimit(response Response) bool {
	limit := response.RateLimit
	return response.Status == http.StatusTooManyRequests && limit.Limit > 0 && !limit.Reset.IsZero() &&
		limit.Remaining <= 0
}

// untilReset returns the time until the end of the window. The clocks of the service and the client may differ, so it
// uses the service's time of the response if the response has it.
func untilReset(response Response) time.Duration {
	if after := retryAfter(response.Header); after > 0 && exceedsLimit(response) {
		return min(after, maxRetryAfter)
	}
	now := time.Now()
	if date, err := http.ParseTime(response.Header.Get("Date")); err == nil {
		now = date
	}
	return min(response.RateLimit.Reset.Sub(now), rateWindow)
}
