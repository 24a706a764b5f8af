package identify

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// computing is a provider that computes on the pixels of each photo for a second.
type computing struct {
	now, most atomic.Int32
}

func (*computing) Name() string { return "computing" }

func (c *computing) Identify(ctx context.Context, photo Photo) ([]Candidate, error) {
	return nil, photo.View.Compute(ctx, func() {
		c.most.Store(max(c.most.Load(), c.now.Add(1)))
		time.Sleep(time.Second) // of the bubble's clock: it ends when all other photos wait
		c.now.Add(-1)
	})
}

// However many photos are identified at once, the pixels of only few are computed on, which leaves a processor for
// requests.
func TestChain_ComputesOnFewPhotos(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		provider := &computing{}
		ch := Chain{
			Providers: []Provider{provider}, Timeout: time.Minute, Wait: time.Minute,
			Slots: NewSlots(4), Pixels: NewSlots(2),
		}
		var running sync.WaitGroup
		for n := range 8 {
			running.Go(func() {
				out, err := ch.Run(t.Context(), Photo{Background: n%2 == 0})
				if err != nil || out.Attempts[0].Err != nil {
					t.Errorf("Run: got %+v, %v", out, err)
				}
			})
		}
		running.Wait()
		if most := provider.most.Load(); most != 2 {
			t.Errorf("photos at once: got %d, want 2", most)
		}
	})
}

func TestView_ComputeEndsWithContext(t *testing.T) {
	t.Parallel()
	v := View{pixels: NewSlots(1)}
	ctx, cancel := context.WithCancel(t.Context())
	err := v.Compute(ctx, func() {
		cancel()
		if err := v.Compute(ctx, func() { t.Error("computed without a slot") }); !errors.Is(err, context.Canceled) {
			t.Errorf("Compute while another one computes: got %v, want the error of the context", err)
		}
	})
	if err != nil {
		t.Errorf("Compute: %v", err)
	}
}

// A damaged photo must not end the process.
func TestView_ComputePanics(t *testing.T) {
	t.Parallel()
	for _, background := range []bool{true, false} {
		v := View{pixels: NewSlots(1), background: background}
		func() {
			defer func() {
				if recover() == nil {
					t.Error("Compute returned, want a panic of the caller")
				}
			}()
			_ = v.Compute(t.Context(), func() { panic("damaged") }) // it panics
		}()
		if err := v.Compute(t.Context(), func() {}); err != nil {
			t.Errorf("Compute after a panic: %v", err)
		}
	}
}
