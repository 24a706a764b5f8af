// Package tesseract reads text from images with the Tesseract command line program.
//
// Every image is read in a separate process, so that a crash, a hang or a leak in native code ends with
// that process. The number of concurrent processes, their memory and their run time are limited. The package never
// writes to disk.
package tesseract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"strconv"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/subprocess"
)

// ErrMissing means that the tesseract program is not installed.
var ErrMissing error = fault.New(fault.Unavailable,
	"the program tesseract, which reads the text on cards, is not installed: install the package tesseract-ocr")

// ErrTimeout means that reading one picture took longer than Config.Timeout.
var ErrTimeout = errors.New("reading the text took too long")

// Mode is Tesseract's page segmentation mode.
type Mode int

// The modes that are used, with the numbers of tesseract --psm.
const (
	Block  Mode = 6  // one block of lines
	Sparse Mode = 11 // as much text as possible, in no particular order
)

// childOptions are the limits of a process. It has the usual priority: with a lower one, it would get nothing of a busy
// processor until its time is over.
var childOptions = subprocess.Options{
	// Where the trained data is, if the operator has moved it.
	Inherit: []string{"TESSDATA_PREFIX"},
	// One thread, because Tesseract is slower with several threads on small pictures.
	Env: []string{"OMP_THREAD_LIMIT=1"},
	// Measured were up to 100 MB.
	Memory: 1 << 30,
}

// Config configures an Engine.
type Config struct {
	// Command is the program's name or path. The default is "tesseract".
	Command string
	// Concurrency is the maximum number of concurrent processes. The default is 1.
	Concurrency int
	// Timeout limits one process. The default is 10 s.
	Timeout time.Duration
}

// Engine reads text. It is safe for concurrent use.
type Engine struct {
	command string
	timeout time.Duration
	slots   chan struct{}
}

// New returns an Engine. It does not check that the program is installed; Check and Read do.
func New(config Config) *Engine {
	e := &Engine{
		command: config.Command, timeout: config.Timeout, slots: make(chan struct{}, max(1, config.Concurrency)),
	}
	if e.command == "" {
		e.command = "tesseract"
	}
	if e.timeout == 0 {
		e.timeout = 10 * time.Second
	}
	return e
}

// Check returns ErrMissing if the program is not installed.
func (e *Engine) Check() error {
	if _, err := subprocess.LookPath(e.command); err != nil {
		return ErrMissing
	}
	return nil
}

// Read returns the words of a picture in reading order. It waits for a free slot. It fails when ctx ends, after
// Config.Timeout (ErrTimeout), and if the program is missing (ErrMissing) or fails.
func (e *Engine) Read(ctx context.Context, picture *image.Gray, mode Mode) ([]Word, error) {
	select {
	case e.slots <- struct{}{}:
		defer func() { <-e.slots }()
	case <-ctx.Done():
		return nil, fmt.Errorf("run tesseract: %w", ctx.Err())
	}
	ctx, cancel := context.WithTimeoutCause(ctx, e.timeout, ErrTimeout)
	defer cancel()
	cmd := subprocess.New(ctx, childOptions, e.command, "stdin", "stdout", "-l", "eng", "--oem", "1",
		"--psm", strconv.Itoa(int(mode)), "--dpi", "300", "tsv")
	cmd.Stdin = bytes.NewReader(portableGreymap(picture))
	stdout, stderr := limitedBuffer{limit: 4 << 20}, limitedBuffer{limit: 4 << 10}
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("run tesseract: %w", explain(ctx, err, stderr.Bytes()))
	}
	return parseTSV(stdout.Bytes()), nil
}

// explain returns the cause of a failed run.
func explain(ctx context.Context, err error, stderr []byte) error {
	switch {
	case errors.Is(err, subprocess.ErrNotFound), errors.Is(err, os.ErrNotExist):
		return ErrMissing
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return fmt.Errorf("tesseract: %w: %s", err, bytes.TrimSpace(stderr))
}

// portableGreymap encodes a picture as binary PGM, which needs no compression and which Tesseract reads from a pipe.
func portableGreymap(picture *image.Gray) []byte {
	w, h := picture.Rect.Dx(), picture.Rect.Dy()
	out := fmt.Appendf(make([]byte, 0, w*h+32), "P5\n%d %d\n255\n", w, h)
	for y := range h {
		out = append(out, picture.Pix[y*picture.Stride:][:w]...)
	}
	return out
}

// limitedBuffer keeps the first limit bytes and discards the rest, so that a malfunctioning program
// cannot fill the memory.
type limitedBuffer struct {
	bytes.Buffer
	limit int
}

// Write implements io.Writer. It does not fail, because an error would end the program with a broken pipe.
func (b *limitedBuffer) Write(p []byte) (int, error) {
	b.Buffer.Write(p[:min(len(p), b.limit-b.Len())])
	return len(p), nil
}
