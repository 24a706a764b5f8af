package measure

import (
	"fmt"
	"slices"
	"time"
)

// Percentile returns the value that a part, from 0 to 1, of all values does not exceed, or 0 if there are none.
func Percentile(took []time.Duration, part float64) time.Duration {
	if len(took) == 0 {
		return 0
	}
	ascending := slices.Sorted(slices.Values(took))
	return ascending[min(len(ascending)-1, int(part*float64(len(ascending))))]
}

// Milliseconds writes a time as tables show it: "7.3 ms".
func Milliseconds(d time.Duration) string { return fmt.Sprintf("%.1f ms", d.Seconds()*1e3) }

// Median returns the middle value, or the mean of the middle two of an even number.
func Median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	ascending := slices.Sorted(slices.Values(values))
	middle := len(ascending) / 2
	if len(ascending)%2 == 0 {
		return (ascending[middle-1] + ascending[middle]) / 2
	}
	return ascending[middle]
}
