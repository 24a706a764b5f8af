package photos

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/cardvault/cardvault/internal/concurrency"
	"github.com/cardvault/cardvault/internal/fault"
)

// Decoding proves that a photo is complete. Its memory depends on the pixels, not on the bytes. A photo that needs more
// than maxDecode is only checked by its structure (length fields, the CRC of every PNG chunk, end markers): 12,000 ×
// 12,000 pixels are allowed but would need up to 1.1 GiB. The same limits hold for the conversion of HEIC and AVIF.
//
// All concurrent decoding of the process uses at most totalDecode, and one account's decoding uses at most half of it.
// So large photos of one account are decoded one at a time and leave room for photos of other accounts. An account may
// decode as many photos at once as there are processors. The process may decode one more, which is left for other
// accounts.
const (
	maxDecode   = 96 << 20 // a JPEG of 64 megapixels, a PNG of 24
	totalDecode = 2 * maxDecode
	// collectDecode is the size from which the memory of a decoded photo is returned to the system before the
	// next one is decoded. Otherwise the heap doubles before it is collected, and photos of other sizes do not
	// fit into the rest. This takes 10 ms; decoding takes at least 100 ms.
	collectDecode = 16 << 20
)

// decodeTimeout limits the decoding of a photo, however busy the machine is. One of 12 megapixels takes up to four
// seconds of a processor as HEIC, one of 48 eight. Package heif also limits the time of a processor, by the pixels.
const decodeTimeout = time.Minute

// maxDecodeWait is the longest time that a photo waits for others of its account, or of all, to be decoded.
const maxDecodeWait = 20 * time.Second

// decoding limits the photos that are decoded at once.
type decoding struct {
	memory, photos, files *concurrency.Semaphore // by account
}

// maxFiles is how many photos of up to MaxBytes of an account are in memory, while they are received or wait.
const maxFiles = 16

// decoder limits the decoding of this process.
var decoder = newDecoding(int64(runtime.GOMAXPROCS(0)))

// newDecoding returns the limits for so many processors.
func newDecoding(processors int64) decoding {
	return decoding{
		memory: concurrency.NewSemaphore(totalDecode, maxDecode),
		photos: concurrency.NewSemaphore(processors+1, processors),
		files:  concurrency.NewSemaphore(concurrency.Unlimited, maxFiles),
	}
}

// hold waits until the account may have another photo in memory. It returns the same errors as do.
func (d decoding) hold(ctx context.Context, accountID string) (concurrency.Held, error) {
	waiting, cancel := limitWait(ctx)
	defer cancel()
	slot, err := d.files.Acquire(waiting, accountID, 1)
	if err != nil {
		return concurrency.Held{}, errWaited(ctx, err)
	}
	return slot, nil
}

// limitWait returns a context that ends when a photo has waited for too long.
func limitWait(ctx context.Context) (context.Context, context.CancelFunc) {
	wait := maxDecodeWait
	if deadline, ok := ctx.Deadline(); ok {
		wait = min(wait, time.Until(deadline)/2) // decoding needs time too
	}
	return context.WithTimeout(ctx, wait)
}

// do waits for the account's turn, then decodes a photo, which takes cost bytes. The error is the error of decode or
// ctx, or fault.RateLimited or fault.Unavailable if the photo has waited too long.
func (d decoding) do(ctx context.Context, accountID string, cost int64, decode func(context.Context) error) error {
	waiting, cancel := limitWait(ctx)
	defer cancel()
	memory, err := d.memory.Acquire(waiting, accountID, cost)
	if err != nil {
		return errWaited(ctx, err)
	}
	defer memory.Release()
	if cost >= collectDecode {
		defer debug.FreeOSMemory()
	}
	photo, err := d.photos.Acquire(waiting, accountID, 1)
	if err != nil {
		return errWaited(ctx, err)
	}
	defer photo.Release()
	limitedCtx, cancel := context.WithTimeout(ctx, decodeTimeout)
	defer cancel()
	err = decode(limitedCtx)
	if err != nil && ctx.Err() == nil && limitedCtx.Err() != nil {
		return fault.New(fault.PhotoInvalid,
			"decoding the photo takes longer than %v: send it as a smaller JPEG", decodeTimeout).WithCause(err)
	}
	return err
}

// errWaited returns the error of a photo that was not decoded because it waited.
func errWaited(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("wait to decode the photo: %w", ctx.Err())
	case errors.Is(err, concurrency.ErrShare):
		return fault.New(fault.RateLimited, "Too many photos of your account are being decoded. "+
			"Send fewer at the same time.").WithRetryAfter(5 * time.Second)
	}
	return fault.New(fault.Unavailable, "Too many photos are being decoded at the moment. Try again.").
		WithRetryAfter(10 * time.Second)
}

// interruptible is a reader that fails when ctx ends, which ends the decoder that reads from it.
type interruptible struct {
	ctx context.Context
	io.Reader
}

func (r interruptible) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}
