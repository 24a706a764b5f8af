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

// slot waits until the account gets one of slots, at most for half of the time until ctx ends, because the providers
// need time too.
func (ch Chain) slot(ctx context.Context, slots *Slots, accountID string) (release func(), err error) {
	if slots == nil {
		return func() {}, nil
	}
	waitCtx, cancel := ch.limitWait(ctx)
	defer cancel()
	if release, err = slots.acquire(waitCtx, accountID); err != nil {
		return nil, cmp.Or(ctx.Err(), ErrBusy)
	}
	return release, nil
}

// limitWait returns a context that ends when a photo has waited for too long.
func (ch Chain) limitWait(ctx context.Context) (context.Context, context.CancelFunc) {
	wait := ch.Wait
	if deadline, ok := ctx.Deadline(); ok {
		wait = min(wait, time.Until(deadline)/2)
	}
	return context.WithTimeout(ctx, wait)
}
