package main

import (
	"cmp"
	"slices"
	"time"
)

// latencies returns how long each event took. A request can arrive before the publisher has been
// told that its commit is done: that counts as no time.
func latencies(from, to Times) []time.Duration {
	took := make([]time.Duration, min(len(from), len(to)))
	for i := range took {
		took[i] = time.Duration(max(0, to[i]-from[i]))
	}
	return took
}

// middle returns the burst in the middle when they are put in order, the best first; the worse one
// of the two in the middle of an even number.
func middle(bursts []burst, order func(a, b burst) int) burst {
	if len(bursts) == 0 {
		return burst{}
	}
	return slices.SortedFunc(slices.Values(bursts), order)[len(bursts)/2]
}

func fastest(a, b burst) int  { return cmp.Compare(b.rate, a.rate) }
func cheapest(a, b burst) int { return cmp.Compare(a.costs.total(), b.costs.total()) }
