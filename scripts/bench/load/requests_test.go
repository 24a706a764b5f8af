package main

import "testing"

// The limit allows that many requests at once and again after each minute.
func TestMinutes(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		requests, limit int
		want            string
	}{
		{0, 20, "0 min"}, {1, 20, "0 min"}, {20, 20, "0 min"}, {21, 20, "1 min"}, {40, 20, "1 min"},
		{5000, 20, "249 min"}, {600, 60, "9 min"},
	} {
		if got := minutes(tc.requests, tc.limit); got != tc.want {
			t.Errorf("%d requests at %d a minute: %s, want %s", tc.requests, tc.limit, got, tc.want)
		}
	}
}
