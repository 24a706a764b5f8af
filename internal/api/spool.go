package api

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/cardvault/cardvault/internal/concurrency"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/upload"
)

const (
	// smallBody is the largest body, in bytes, that is read into memory directly. A larger one is received into a
	// temporary file first, so that slow clients occupy no memory.
	smallBody = 128 << 10
	// bodyMemory is the memory, in bytes, that all large bodies may use at the same time, accountBodyMemory the memory
	// for one account's bodies.
	bodyMemory, accountBodyMemory = 64 << 20, 32 << 20
	// jsonWeight and pictureWeight are the memory that each byte of a body uses while it is processed: JSON is kept as
	// text, as decoded values and as SQL statements, a picture as received and as stored.
	jsonWeight, pictureWeight = 4, 2
	// bodyWait is how long a body waits for memory or storage.
	bodyWait = 30 * time.Second
)

// tooManyBodies returns the error for a body that waited for bodyWait.
func tooManyBodies(cause error) error {
	return fault.New(fault.Unavailable, "Too many large bodies are being worked on. Try again.").
		WithRetryAfter(bodyWait / 6).WithCause(cause)
}

// spooledBody is the body of a request that may be large. The first Read receives all of it, into a file if it is
// large, and waits until it may be loaded into memory.
type spooledBody struct {
	ctx     context.Context
	storage *upload.Storage
	memory  *concurrency.Semaphore
	account string
	weight  int64 // memory per byte
	client  http.ResponseWriter
	limit   time.Duration // in which the body must arrive

	source io.ReadCloser // nil after the first Read
	err    error         // of receiving the body
	body   io.Reader
	size   int64
	file   *os.File     // nil for a small body
	stored *upload.Body // what the file occupies
	held   *concurrency.Held
}

// spool returns the body of a request whose operation accepts large bodies, otherwise nil.
func (v validator) spool(w http.ResponseWriter, r *http.Request, op *operation, account string) *spooledBody {
	if op.maxBody <= smallBody || r.ContentLength == 0 || op.files != nil {
		return nil
	}
	weight := int64(jsonWeight)
	if op.binary {
		weight = pictureWeight
	}
	return &spooledBody{
		ctx: r.Context(), storage: v.storage, memory: v.memory, account: account, weight: weight,
		client: w, limit: cmp.Or(op.uploadTimeout(), requestTimeout),
	}
}

// Read implements io.Reader.
func (b *spooledBody) Read(p []byte) (int, error) {
	if err := b.receive(); err != nil {
		return 0, err
	}
	return b.body.Read(p)
}

// Size receives the body and returns its length, or 0 if that fails.
func (b *spooledBody) Size() int64 {
	if b.receive() != nil {
		return 0
	}
	return b.size
}

// Close implements io.Closer. It does nothing: release frees the body.
func (b *spooledBody) Close() error { return nil }

// release frees the memory and the file of the body.
func (b *spooledBody) release() {
	if b.file != nil {
		b.file.Close()
	}
	if b.stored != nil {
		b.stored.Release()
	}
	if b.held != nil {
		b.held.Release()
	}
}

// readAll returns the whole body.
func (b *spooledBody) readAll() ([]byte, error) {
	if err := b.receive(); err != nil {
		return nil, err
	}
	if small, ok := b.body.(*bytes.Buffer); ok {
		return small.Bytes(), nil
	}
	text := make([]byte, b.size)
	_, err := io.ReadFull(b.body, text)
	return text, err
}

// receive returns when the whole body has been received and its memory is reserved. It keeps the error for later calls.
func (b *spooledBody) receive() error {
	if b.source == nil {
		return b.err
	}
	source := b.source
	b.source = nil
	start := &bytes.Buffer{}
	if b.size, b.err = io.CopyN(start, source, smallBody); errors.Is(b.err, io.EOF) {
		b.body, b.err = start, nil
		return nil
	}
	if b.err == nil {
		b.err = b.writeFile(io.MultiReader(start, source))
	}
	if b.err == nil {
		b.held, b.err = reserveMemory(b.ctx, b.memory, b.account, b.size*b.weight)
	}
	return b.err
}

// writeFile writes the body to a temporary file without a name, which the system removes when it is closed.
func (b *spooledBody) writeFile(body io.Reader) (err error) {
	if b.file, err = os.CreateTemp("", "cardvault-body-"); err != nil {
		return fmt.Errorf("store a large body: set TMPDIR to a directory that can be written: %w", err)
	}
	if err = os.Remove(b.file.Name()); err != nil {
		return fmt.Errorf("store a large body: %w", err)
	}
	b.stored = b.storage.Receive(b.ctx, b.client, body, b.account, b.limit)
	if b.size, err = io.Copy(b.file, b.stored); err != nil {
		return err
	}
	b.body = b.file
	_, err = b.file.Seek(0, io.SeekStart)
	return err
}

// reserveMemory waits until a body of the account may be loaded into memory.
func reserveMemory(
	ctx context.Context, memory *concurrency.Semaphore, account string, weight int64,
) (*concurrency.Held, error) {
	ctx, cancel := context.WithTimeout(ctx, bodyWait)
	defer cancel()
	result, err := memory.Acquire(ctx, account, weight)
	if err != nil {
		return nil, tooManyBodies(err)
	}
	return &result, nil
}
