package ebay

import (
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

func TestPacer_KeepsIntervalPerAccount(t *testing.T) {
	t.Parallel()
	var p pacer
	now := time.Now()
	for i := range 3 {
		if wait, want := p.reserve("acc_1", now), time.Duration(i)*uploadInterval; wait != want {
			t.Errorf("upload %d waits %v, want %v", i, wait, want)
		}
	}
	if wait := p.reserve("acc_2", now); wait != 0 {
		t.Errorf("another account waits %v", wait)
	}
	if wait := p.reserve("acc_1", now.Add(time.Minute)); wait != 0 {
		t.Errorf("an upload a minute later waits %v", wait)
	}
	if n := wire.ImageRateSeconds * time.Second / uploadInterval; n >= wire.MaxImageRate {
		t.Errorf("%d uploads within %d seconds, want fewer than %d", n, wire.ImageRateSeconds, wire.MaxImageRate)
	}
	for i := range 3 * maxPaced {
		p.reserve(time.Duration(i).String(), now.Add(time.Duration(i)*time.Second))
	}
	if len(p.next) > maxPaced {
		t.Errorf("%d accounts are remembered, want at most %d", len(p.next), maxPaced)
	}
}
