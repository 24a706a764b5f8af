package webhooks

import "time"

// A claim costs nearly the same for one row as for many. So while much is being delivered, an endpoint
// rests between two claims, for as long as keeps all of them together to about claimsPerSecond; while
// little is, nobody waits for anything, whatever fails or hangs. An endpoint with a backlog, whose
// claims come back full, does not rest.
const (
	tempoWindow     = 250 * time.Millisecond // what is counted together; also the longest rest
	tempoHigh       = 125                    // deliveries in a window from which on endpoints rest
	claimsPerSecond = 200
)

// tempo counts, by windows of time, what has been delivered and how many endpoints claimed.
type tempo struct {
	began     time.Time
	window    int // its number, from 1
	now, last count
}

type count struct{ delivered, lanes int }

// turn begins a new window when it is time.
func (t *tempo) turn(now time.Time) {
	age := now.Sub(t.began)
	if age < tempoWindow {
		return
	}
	if t.last = t.now; age >= 2*tempoWindow {
		t.last = count{}
	}
	t.began, t.now = now, count{}
	t.window++
}

func (t *tempo) delivered(now time.Time) {
	t.turn(now)
	t.now.delivered++
}

// claimed notes a lane's claim and returns how long the lane should rest.
func (t *tempo) claimed(l *lane, now time.Time) time.Duration {
	t.turn(now)
	if l.claimedIn != t.window {
		l.claimedIn = t.window
		t.now.lanes++
	}
	if t.last.delivered < tempoHigh {
		return 0
	}
	return min(time.Duration(t.last.lanes)*time.Second/claimsPerSecond, tempoWindow)
}

// rest keeps the lane from claiming for a while.
func (e *Engine) rest(l *lane, d time.Duration) {
	if d <= 0 {
		return
	}
	l.resting = true
	time.AfterFunc(d, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		l.resting = false
		e.settle(l)
		e.serve()
	})
}
