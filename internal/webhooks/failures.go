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
	failureWindow        = 5 * time.Minute
	maxReportedEndpoints = 10
	maxTrackedEndpoints  = 10_000
)

// failures counts failed attempts by endpoint in the current window and the one before it.
type failures struct {
	mu                sync.Mutex
	windowStart       time.Time // the current window
	current, previous map[string]int
}

// observe counts one failed attempt.
func (f *failures) observe(endpoint string, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rotate(now)
	if _, known := f.current[endpoint]; known || len(f.current) < maxTrackedEndpoints {
		f.current[endpoint]++
	}
}

// turn begins a new window when the current one is over.
func (f *failures) rotate(now time.Time) {
	past := now.Sub(f.windowStart)
	if past < failureWindow && f.current != nil {
		return
	}
	f.previous = nil
	if past < 2*failureWindow {
		f.previous = f.current
	}
	f.windowStart, f.current = now, map[string]int{}
}

// failing is how often an endpoint failed.
type endpointFailures struct {
	endpoint string
	attempts int
}

// worst returns the worstShown endpoints that failed most often in the last one to two windows.
func (f *failures) top(now time.Time) []endpointFailures {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rotate(now)
	sums := make(map[string]int, len(f.current)+len(f.previous))
	for _, window := range []map[string]int{f.current, f.previous} {
		for endpoint, n := range window {
			sums[endpoint] += n
		}
	}
	list := make([]endpointFailures, 0, len(sums))
	for endpoint, n := range sums {
		list = append(list, endpointFailures{endpoint, n})
	}
	slices.SortFunc(list, func(a, b endpointFailures) int {
		return cmp.Or(cmp.Compare(b.attempts, a.attempts), cmp.Compare(a.endpoint, b.endpoint))
	})
	return list[:min(len(list), maxReportedEndpoints)]
}
