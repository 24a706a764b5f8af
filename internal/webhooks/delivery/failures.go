package delivery

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// Limits of the failure counts. maxReportedEndpoints limits the labels of the metric, maxTrackedEndpoints the memory:
// further endpoints are not counted until the next window.
const (
	failureWindow        = 5 * time.Minute
	maxReportedEndpoints = 10
	maxTrackedEndpoints  = 10_000
)

// failures counts failed attempts per endpoint in the current and the previous window.
type failures struct {
	mu                sync.Mutex
	windowStart       time.Time // of the current window
	current, previous map[string]int
}

// observe counts a failed attempt.
func (f *failures) observe(endpoint string, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rotate(now)
	if _, known := f.current[endpoint]; known || len(f.current) < maxTrackedEndpoints {
		f.current[endpoint]++
	}
}

// rotate starts a new window if the current one is over.
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

// endpointFailures is the number of failed attempts of an endpoint.
type endpointFailures struct {
	endpoint string
	attempts int
}

// top returns the maxReportedEndpoints endpoints with the most failed attempts in the current and the previous
// window.
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
