package delivery

import (
	"testing"
	"time"
)

func TestClaimThrottle_RecordClaim(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name              string
		delivered, queues int
		elapsed           time.Duration // between that window and the claim
		want              time.Duration
	}{
		{"no deliveries", 0, 40, throttleWindow, 0},
		{"below threshold", throttleThreshold - 1, 40, throttleWindow, 0},
		{"few queues", throttleThreshold, 2, throttleWindow, 10 * time.Millisecond},
		{"many queues", throttleThreshold, 40, throttleWindow, 200 * time.Millisecond},
		{"very many queues", throttleThreshold, 4000, throttleWindow, throttleWindow},
		{"threshold reached before the last window", throttleThreshold, 40, 2 * throttleWindow, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := time.Unix(1_778_513_521, 0)
			var throttle claimThrottle
			for range c.delivered {
				throttle.recordDelivery(now)
			}
			queues := make([]endpointQueue, c.queues)
			for range 2 { // a queue counts once per window
				for i := range queues {
					if delay := throttle.recordClaim(&queues[i], now); delay != 0 {
						t.Errorf("delay = %v in the first window, want 0", delay)
					}
				}
			}
			if delay := throttle.recordClaim(&endpointQueue{}, now.Add(c.elapsed)); delay != c.want {
				t.Errorf("delay = %v, want %v", delay, c.want)
			}
		})
	}
}
