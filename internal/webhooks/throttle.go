package webhooks

import "time"

// A claim costs nearly the same for one row as for many. So while much is being delivered, an endpoint
// rests between two claims, for as long as keeps all of them together to about claimsPerSecond; while
// little is, nobody waits for anything, whatever fails or hangs. An endpoint with a backlog, whose
// claims come back full, does not rest.
const (
	throttleWindow     = 250 * time.Millisecond // what is counted together; also the longest rest
	throttleThreshold  = 125                    // deliveries in a window from which on endpoints rest
	maxClaimsPerSecond = 200
)

// tempo counts, by windows of time, what has been delivered and how many endpoints claimed.
type throttle struct {
	windowStart       time.Time
	window            int // its number, from 1
	current, previous windowCount
}

type windowCount struct{ delivered, queues int }

// turn begins a new window when it is time.
func (t *throttle) rotate(now time.Time) {
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

func (t *throttle) recordDelivery(now time.Time) {
	t.rotate(now)
	t.current.delivered++
}

// claimed notes a lane's claim and returns how long the lane should rest.
func (t *throttle) recordClaim(q *endpointQueue, now time.Time) time.Duration {
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

// rest keeps the lane from claiming for a while.
func (e *Engine) throttleClaims(q *endpointQueue, d time.Duration) {
	if d <= 0 {
		return
	}
	q.throttled = true
	time.AfterFunc(d, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		q.throttled = false
		e.schedule(q)
		e.dispatch()
	})
}
