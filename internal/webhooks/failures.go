package webhooks

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// What is known of endpoints that fail. worstShown bounds the labels of a metric, failuresKept the
// memory: when so many endpoints fail, no further one is counted until the next window.
const (
	failureWindow = 5 * time.Minute
	worstShown    = 10
	failuresKept  = 10_000
)

// failures counts failed attempts by endpoint in the current window and the one before it.
type failures struct {
	mu              sync.Mutex
	begun           time.Time // the current window
	current, before map[string]int
}

// observe counts one failed attempt.
func (f *failures) observe(endpoint string, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.turn(now)
	if _, known := f.current[endpoint]; known || len(f.current) < failuresKept {
		f.current[endpoint]++
	}
}

// turn begins a new window when the current one is over.
func (f *failures) turn(now time.Time) {
	past := now.Sub(f.begun)
	if past < failureWindow && f.current != nil {
		return
	}
	f.before = nil
	if past < 2*failureWindow {
		f.before = f.current
	}
	f.begun, f.current = now, map[string]int{}
}

// failing is how often an endpoint failed.
type failing struct {
	endpoint string
	attempts int
}

// worst returns the worstShown endpoints that failed most often in the last one to two windows.
func (f *failures) worst(now time.Time) []failing {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.turn(now)
	sums := make(map[string]int, len(f.current)+len(f.before))
	for _, window := range []map[string]int{f.current, f.before} {
		for endpoint, n := range window {
			sums[endpoint] += n
		}
	}
	list := make([]failing, 0, len(sums))
	for endpoint, n := range sums {
		list = append(list, failing{endpoint, n})
	}
	slices.SortFunc(list, func(a, b failing) int {
		return cmp.Or(cmp.Compare(b.attempts, a.attempts), cmp.Compare(a.endpoint, b.endpoint))
	})
	return list[:min(len(list), worstShown)]
}
