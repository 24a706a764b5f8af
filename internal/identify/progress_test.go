package identify

import (
	"testing"
	"time"
)

func TestNewProgress(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		waiting, done int
		left          time.Duration
	}{
		"nothing waits":  {0, 100, 0},
		"just begun":     {1000, 4, 0},
		"one a second":   {1000, 120, 1000 * time.Second},
		"many in a time": {MaxWaiting + 1, MaxWaiting + 1, 2 * time.Minute},
	} {
		if got := newProgress(tc.waiting, tc.done); got.Waiting != tc.waiting || got.Left != tc.left {
			t.Errorf("%s: got %+v, want %v left", name, got, tc.left)
		}
	}
}
