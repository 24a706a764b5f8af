package developers

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/ratelimit"
)

func TestNewWindowUsage(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		next ratelimit.Decision
		want windowUsage
	}{
		"unused": {ratelimit.Decision{Limit: 20, Remaining: 19, Allowed: true}, windowUsage{Limit: 20}},
		"a quarter": {
			ratelimit.Decision{Limit: 20, Remaining: 14, Allowed: true}, windowUsage{Used: 5, Limit: 20, Percent: 25},
		},
		"one left": {ratelimit.Decision{Limit: 20, Allowed: true}, windowUsage{Used: 19, Limit: 20, Percent: 95}},
		"used up": {
			ratelimit.Decision{Limit: 20, RetryAfter: 40 * time.Second},
			windowUsage{Used: 20, Limit: 20, Percent: 100, Wait: 40},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tc.want.Class = ratelimit.Write
			if diff := cmp.Diff(tc.want, newWindowUsage(ratelimit.Write, tc.next)); diff != "" {
				t.Errorf("newWindowUsage (-want +got):\n%s", diff)
			}
		})
	}
}
