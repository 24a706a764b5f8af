package heif

import (
	"context"
	"runtime"
	"time"
)

// The processor time that a picture may take to decode. Measured were up to 0.03 s for a megapixel and 0.3 s for a
// megabyte of data; machines may be a few times slower. No picture needs more than maxBytesPerPixel, so that data alone
// buys no time.
const (
	baseEffort       = time.Second
	pixelEffort      = 250 * time.Nanosecond
	byteEffort       = time.Microsecond
	maxBytesPerPixel = 4
)

// effort returns the processor time that the picture may take.
func (f *File) effort() time.Duration {
	limit := baseEffort + f.colour.effort()
	if f.alpha != nil {
		limit += f.alpha.effort()
	}
	return limit
}

func (l *layer) effort() time.Duration {
	pixels := int64(len(l.tiles)) * int64(l.tileWidth) * int64(l.tileHeight)
	bytes := min(int64(l.size), pixels*maxBytesPerPixel)
	return time.Duration(pixels)*pixelEffort + time.Duration(bytes)*byteEffort
}

// budget is the processor time that is left for a picture. A file can state little and demand much of its decoder in
// ways that no walk of its structure finds, so the time is limited too. It is the time of the thread: a busy machine
// takes nothing of it.
type budget struct {
	left time.Duration
	// since is the time of the thread at which the call that runs began.
	since time.Duration
}

type budgetKey struct{}

// withBudget returns a context in which decoders may take this processor time together.
func withBudget(ctx context.Context, limit time.Duration) context.Context {
	return context.WithValue(ctx, budgetKey{}, &budget{left: limit})
}

// spend runs a call of a decoder on one thread and subtracts its time.
func (b *budget) spend(call func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	b.since = threadTime()
	defer func() { b.left -= threadTime() - b.since }()
	call()
}

// exhausted reports whether the call that runs has used up the time.
func (b *budget) exhausted() bool { return threadTime()-b.since > b.left }
