package webhooks

import (
	"testing"
	"time"
)

// TestLanesRestWhileMuchIsDelivered has forty lanes claim, after windows of different tempo.
func TestLanesRestWhileMuchIsDelivered(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name             string
		delivered, lanes int
		pause            time.Duration // between that window and the claim
		want             time.Duration
	}{
		{"nothing delivered, whatever was claimed", 0, 40, tempoWindow, 0},
		{"a little", tempoHigh - 1, 40, tempoWindow, 0},
		{"much, by few", tempoHigh, 2, tempoWindow, 10 * time.Millisecond},
		{"much, by many", tempoHigh, 40, tempoWindow, 200 * time.Millisecond},
		{"much, by very many", tempoHigh, 4000, tempoWindow, tempoWindow},
		{"much, but a while ago", tempoHigh, 40, 2 * tempoWindow, 0},
	} {
		now := time.Unix(1_778_513_521, 0)
		var tempo tempo
		for range c.delivered {
			tempo.delivered(now)
		}
		lanes := make([]lane, c.lanes)
		for range 2 { // a lane counts once
			for i := range lanes {
				if rest := tempo.claimed(&lanes[i], now); rest != 0 {
					t.Errorf("%s: a rest of %v at once", c.name, rest)
				}
			}
		}
		if rest := tempo.claimed(&lane{}, now.Add(c.pause)); rest != c.want {
			t.Errorf("%s: a rest of %v, want %v", c.name, rest, c.want)
		}
	}
}
