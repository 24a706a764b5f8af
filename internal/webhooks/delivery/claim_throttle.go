package delivery

import "time"

// A claim of one row costs nearly as much as a claim of many. While many deliveries succeed, each endpoint therefore
// waits between two claims, for as long as keeps the total near maxClaimsPerSecond. At low rates there is no delay, so
// failing or hanging endpoints do not hold up others. Endpoints with a backlog, whose claims return the maximum, do
// not wait.
const (
	throttleWindow     = 250 * time.Millisecond // length of a counting window; also the longest delay
	throttleThreshold  = 125                    // deliveries per window at which endpoints start to wait
	maxClaimsPerSecond = 200
)

// claimThrottle limits how often queues claim. It counts deliveries and claiming queues per window.
type claimThrottle struct {
	windowStart       time.Time
	window            int // number of the current window, from 1
	current, previous windowCount
}

type windowCount struct{ delivered, queues int }

// rotate starts a new window if the current one is over.
func (t *claimThrottle) rotate(now time.Time) {
	age := now.Sub(t.windowStart)
	if age < throttleWindow {
		return
	}
	if t.previous = t.current; age >= 2*throttleWindow {
		t.previous = windowCount{}
	}
	t.windowStart, t.current = now, windowCount{}
	t.window++
}

func (t *claimThrottle) recordDelivery(now time.Time) {
	t.rotate(now)
	t.current.delivered++
}

// recordClaim counts the queue's claim and returns the delay before its next one.
func (t *claimThrottle) recordClaim(q *endpointQueue, now time.Time) time.Duration {
	t.rotate(now)
	if q.lastClaimWindow != t.window {
		q.lastClaimWindow = t.window
		t.current.queues++
	}
	if t.previous.delivered < throttleThreshold {
		return 0
	}
	return min(time.Duration(t.previous.queues)*time.Second/maxClaimsPerSecond, throttleWindow)
}
