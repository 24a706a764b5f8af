package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/keyed"
)

const (
	// smallBody is up to how many bytes a body is read into memory as it arrives. A larger one arrives in a
	// temporary file first, so that a slow client takes no memory.
	smallBody = 128 << 10
	// bodyMemory is what the larger bodies that are being worked on may take of memory together, and
	// accountBodyMemory those of one account.
	bodyMemory, accountBodyMemory = 64 << 20, 32 << 20
	// jsonWeight and pictureWeight are how much memory a byte of a body takes while it is worked on: a JSON
	// body is text, decoded values and statements, a picture is what was sent and what is stored.
	jsonWeight, pictureWeight = 4, 2
	// bodyWait is how long a body that has arrived waits for memory.
	bodyWait = 30 * time.Second
)

// arrival is the body of a request whose operation takes large ones. Nothing is read of it before the
// first Read, which waits until all of it is here and may be taken into memory.
type arrival struct {
	ctx     context.Context
	memory  *keyed.Semaphore
	account string
	weight  int64 // memory for each byte

	source io.ReadCloser // nil once it has arrived
	err    error         // why it has not
	body   io.Reader
	size   int64
	file   *os.File // nil for a small body
	held   *keyed.Held
}

// Read implements io.Reader.
func (a *arrival) Read(p []byte) (int, error) {
	if err := a.wait(); err != nil {
		return 0, err
	}
	return a.body.Read(p)
}

// Size returns the length of the body, which it waits for; 0 if it does not arrive.
func (a *arrival) Size() int64 {
	if a.wait() != nil {
		return 0
	}
	return a.size
}

// Close implements io.Closer for those who read the body; release ends its use.
func (a *arrival) Close() error { return nil }

// release gives back the memory and the file that the body took.
func (a *arrival) release() {
	if a.file != nil {
		a.file.Close()
	}
	if a.held != nil {
		a.held.Release()
	}
}

// readAll returns the whole body.
func (a *arrival) readAll() ([]byte, error) {
	if err := a.wait(); err != nil {
		return nil, err
	}
	if small, ok := a.body.(*bytes.Buffer); ok {
		return small.Bytes(), nil
	}
	text := make([]byte, a.size)
	_, err := io.ReadFull(a.body, text)
	return text, err
}

// wait returns when the body has arrived and its memory is granted, or with the reason why not.
func (a *arrival) wait() error {
	if a.source == nil {
		return a.err
	}
	source := a.source
	a.source = nil
	start := &bytes.Buffer{}
	if a.size, a.err = io.CopyN(start, source, smallBody); errors.Is(a.err, io.EOF) {
		a.body, a.err = start, nil
		return nil
	}
	if a.err == nil {
		a.err = a.store(io.MultiReader(start, source))
	}
	if a.err == nil {
		a.err = a.weigh()
	}
	return a.err
}

// store keeps the body in a file that is gone when it is closed.
func (a *arrival) store(body io.Reader) (err error) {
	if a.file, err = os.CreateTemp("", "cardvault-body-"); err != nil {
		return fmt.Errorf("store a large body: set TMPDIR to a directory that can be written: %w", err)
	}
	if err = os.Remove(a.file.Name()); err != nil {
		return fmt.Errorf("store a large body: %w", err)
	}
	if a.size, err = io.Copy(a.file, body); err != nil {
		return err
	}
	a.body = a.file
	_, err = a.file.Seek(0, io.SeekStart)
	return err
}

// weigh waits until the body may be taken into memory.
func (a *arrival) weigh() error {
	ctx, cancel := context.WithTimeout(a.ctx, bodyWait)
	defer cancel()
	held, err := a.memory.Acquire(ctx, a.account, a.size*a.weight)
	if err != nil {
		return fault.New(fault.Unavailable, "Too many large bodies are being worked on. Try again.").WithRetryAfter(bodyWait / 6).WithCause(err)
	}
	a.held = &held
	return nil
}

// arrival returns the body of a request, still to be read, or nil if it cannot be large.
func (e *edge) arrival(r *http.Request, op *operation, account string) *arrival {
	if op.maxBody <= smallBody || r.ContentLength == 0 {
		return nil
	}
	weight := int64(jsonWeight)
	if op.binary {
		weight = pictureWeight
	}
	return &arrival{ctx: r.Context(), memory: e.bodies, account: account, weight: weight}
}
