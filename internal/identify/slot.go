package identify

import (
	"cmp"
	"context"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
)

// ErrBusy means that the photo got no slot in time, because too many photos are being processed. No
// provider was asked.
var ErrBusy error = fault.New(fault.Unavailable,
	"Too many photos are being identified at the moment. Try again.").WithRetryAfter(10 * time.Second)

// slot waits for one of slots, at most for half of the time until ctx ends, because the providers need time too.
func (ch Chain) slot(ctx context.Context, slots *Slots) (release func(), err error) {
	if slots == nil {
		return func() {}, nil
	}
	wait := ch.Wait
	if deadline, ok := ctx.Deadline(); ok {
		wait = min(wait, time.Until(deadline)/2)
	}
	limited, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	if slots.acquire(limited) != nil {
		return nil, cmp.Or(ctx.Err(), ErrBusy)
	}
	return slots.release, nil
}
