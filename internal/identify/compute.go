package identify

import (
	"context"

	"github.com/cardvault/cardvault/internal/identify/lowpriority"
)

// Compute runs work on the pixels of the photo, which takes a processor for up to 0.3 s. It waits until few others do
// the same, so that a processor is left for requests. It returns the error of ctx if that ends before.
func (v *View) Compute(ctx context.Context, work func()) error {
	if v.pixels != nil {
		if err := v.pixels.acquire(ctx, v.background); err != nil {
			return err
		}
		defer v.pixels.release()
	}
	if v.background {
		lowpriority.Run(work)
	} else {
		work()
	}
	return nil
}
