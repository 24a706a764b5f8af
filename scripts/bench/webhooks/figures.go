package main

import (
	"cmp"
	"slices"
	"time"
)

// latencies returns the latencies of the events. A latency is 0 if the request arrived before the publisher's commit
// returned.
func latencies(from, to Times) []time.Duration {
	took := make([]time.Duration, min(len(from), len(to)))
	for i := range took {
		took[i] = time.Duration(max(0, to[i]-from[i]))
	}
	return took
}

// middle returns the median burst, ordered from the best; of an even number, the worse of the middle two.
func middle(bursts []burst, order func(a, b burst) int) burst {
	if len(bursts) == 0 {
		return burst{}
	}
	return slices.SortedFunc(slices.Values(bursts), order)[len(bursts)/2]
}

func fastest(a, b burst) int  { return cmp.Compare(b.rate, a.rate) }
func cheapest(a, b burst) int { return cmp.Compare(a.costs.total(), b.costs.total()) }
