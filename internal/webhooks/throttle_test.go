package webhooks

import (
	"testing"
	"time"
)

func TestThrottle_RecordClaim(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name             string
		delivered, lanes int
		pause            time.Duration // between that window and the claim
		want             time.Duration
	}{
		{"nothing delivered, whatever was claimed", 0, 40, throttleWindow, 0},
		{"a little", throttleThreshold - 1, 40, throttleWindow, 0},
		{"much, by few", throttleThreshold, 2, throttleWindow, 10 * time.Millisecond},
		{"much, by many", throttleThreshold, 40, throttleWindow, 200 * time.Millisecond},
		{"much, by very many", throttleThreshold, 4000, throttleWindow, throttleWindow},
		{"much, but a while ago", throttleThreshold, 40, 2 * throttleWindow, 0},
	} {
		now := time.Unix(1_778_513_521, 0)
		var tempo throttle
		for range c.delivered {
			tempo.recordDelivery(now)
		}
		lanes := make([]endpointQueue, c.lanes)
		for range 2 { // a queue counts once per window
			for i := range lanes {
				if rest := tempo.recordClaim(&lanes[i], now); rest != 0 {
					t.Errorf("%s: a rest of %v at once", c.name, rest)
				}
			}
		}
		if rest := tempo.recordClaim(&endpointQueue{}, now.Add(c.pause)); rest != c.want {
			t.Errorf("%s: a rest of %v, want %v", c.name, rest, c.want)
		}
	}
}
