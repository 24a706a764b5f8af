package identify_test

import (
	"testing"
	"time"
)

// A shop that is alone on the machine uses all of its workers.
func TestService_BackgroundUsesAllWorkersForOneAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.waiting()
	w.waiting()
	loop := w.service.Background(2)
	if err := loop.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	for n := range 2 { // neither photo is answered before the other one was asked about
		select {
		case <-w.asked:
		case <-time.After(time.Minute):
			t.Fatalf("%d photos are identified at once, want 2", n)
		}
	}
	for range 2 {
		w.answer <- answer{}
	}
	if err := loop.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
}
