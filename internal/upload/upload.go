// Package upload receives large bodies of requests into storage, such as temporary files.
//
// A Storage limits the bytes of all bodies together, and of an account's bodies. A Body reserves bytes in steps while
// it arrives, so a client that announces a large body and sends nothing does not hold up others. A client that stops
// sending is disconnected. The package does not write the files.
package upload

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/cardvault/cardvault/internal/concurrency"
	"github.com/cardvault/cardvault/internal/fault"
)

const (
	// step is how much storage is reserved at a time, in bytes.
	step = 1 << 20
	// Wait is how long a body waits for storage.
	Wait = 30 * time.Second
	// idleTimeout is how long a client may send nothing.
	idleTimeout = 20 * time.Second
)

// Storage limits the storage of the bodies that are being received or worked on.
type Storage struct{ bytes *concurrency.Semaphore }

// NewStorage returns a Storage. All bodies together occupy at most total bytes, the bodies of an account at most
// perAccount.
func NewStorage(total, perAccount int64) *Storage {
	return &Storage{concurrency.NewSemaphore(total, perAccount)}
}

// Body is a body that is being received. It is not safe for concurrent use.
type Body struct {
	storage *Storage
	ctx     context.Context
	account string
	source  io.Reader

	held []concurrency.Held
	left int64 // bytes that are reserved and have not arrived

	setDeadline func(time.Time) error // of reading from the client; nil for none
	until       time.Time             // when the whole body must have arrived
	extended    time.Time             // when the deadline was set last
}

// Receive returns the body of the request that w responds to, which must arrive within limit. The caller releases it.
func (s *Storage) Receive(
	ctx context.Context, w http.ResponseWriter, body io.Reader, account string, limit time.Duration,
) *Body {
	b := s.Reader(ctx, body, account)
	b.setDeadline = http.NewResponseController(w).SetReadDeadline
	b.until = time.Now().Add(limit)
	return b
}

// Reader returns a body without deadlines. The caller releases it.
func (s *Storage) Reader(ctx context.Context, source io.Reader, account string) *Body {
	return &Body{storage: s, ctx: ctx, account: account, source: source}
}

// Read implements io.Reader. It waits for storage, and fails with unavailable if there is none in time.
func (b *Body) Read(p []byte) (int, error) {
	if b.left == 0 {
		if err := b.reserve(); err != nil {
			return 0, err
		}
	}
	b.extendDeadline()
	n, err := b.source.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	if err == io.EOF && b.setDeadline != nil {
		// The server cancels the request when this deadline passes, and the handler works on.
		_ = b.setDeadline(b.until)
	}
	return n, err
}

func (b *Body) reserve() error {
	slot, ok := b.storage.bytes.TryAcquire(b.account, step)
	if !ok {
		ctx, cancel := context.WithTimeout(b.ctx, Wait)
		defer cancel()
		var err error
		if slot, err = b.storage.bytes.Acquire(ctx, b.account, step); err != nil {
			return fault.New(fault.Unavailable, "Too many uploads are being worked on. Try again.").
				WithRetryAfter(Wait / 6).WithCause(fmt.Errorf("reserve storage: %w", err))
		}
	}
	b.held = append(b.held, slot)
	b.left += step
	return nil
}

// extendDeadline gives the client time for its next bytes. Errors are ignored: the ResponseWriters of tests have no
// deadlines.
func (b *Body) extendDeadline() {
	now := time.Now()
	if b.setDeadline == nil || now.Sub(b.extended) < time.Second {
		return
	}
	b.extended = now
	deadline := now.Add(idleTimeout)
	if b.until.Before(deadline) {
		deadline = b.until
	}
	_ = b.setDeadline(deadline)
}

// Close implements io.Closer. It does nothing: Release frees the storage.
func (b *Body) Close() error { return nil }

// Release frees the storage. The file of the body must be gone by then.
func (b *Body) Release() {
	for _, slot := range b.held {
		slot.Release()
	}
	b.held = nil
}
