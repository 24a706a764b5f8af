package textreader

import (
	"context"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/cardvault/cardvault/internal/identify/ppocr"
)

// ErrTimeout means that reading one picture took longer than Config.Timeout.
var ErrTimeout = errors.New("reading the text took too long")

// errClosed means that the pool was closed.
var errClosed = errors.New("the text reader is closed")

const (
	// attempts is how often a picture is read if a child dies. A picture that ends two children is given up.
	attempts = 2
	// firstDelay and maxDelay are the delays before a child is started after failures in a row.
	firstDelay, maxDelay = 100 * time.Millisecond, 10 * time.Second
)

// Config configures a Pool.
type Config struct {
	// Command is the program of a child and its arguments.
	Command []string
	// Env are variables of a child, in the form name=value, beside a few that it inherits.
	Env []string
	// Size is the maximum number of children. The default is 1.
	Size int
	// Timeout limits one request, after which the child is killed. The default is 15 s.
	Timeout time.Duration
	// StartTimeout limits the start of a child. The default is 30 s.
	StartTimeout time.Duration
}

// Pool reads text in child processes. It is safe for concurrent use.
type Pool struct {
	config Config
	slots  chan struct{} // one for each request

	mu       sync.Mutex
	idle     []*child
	failures int       // in a row
	startAt  time.Time // before that, no child is started
	closed   bool
}

// New returns a Pool. It starts no child yet.
func New(config Config) *Pool {
	config.Size = max(1, config.Size)
	if config.Timeout == 0 {
		config.Timeout = 15 * time.Second
	}
	if config.StartTimeout == 0 {
		config.StartTimeout = 30 * time.Second
	}
	return &Pool{config: config, slots: make(chan struct{}, config.Size)}
}

// Find finds the lines of text on a picture and reads some, as ppocr.Engine.Find does. It waits for a free child. If
// the child dies, it tries another one.
func (p *Pool) Find(ctx context.Context, picture *image.RGBA) ([]ppocr.Line, error) {
	return p.ask(ctx, picture, nil)
}

// Read reads lines that Find returned for the picture, as ppocr.Engine.Read does. It sends the picture again unless a
// free child has it.
func (p *Pool) Read(ctx context.Context, picture *image.RGBA, lines []ppocr.Line) ([]ppocr.Line, error) {
	if len(lines) == 0 {
		return nil, nil
	}
	return p.ask(ctx, picture, lines)
}

func (p *Pool) ask(ctx context.Context, picture *image.RGBA, asked []ppocr.Line) (lines []ppocr.Line, err error) {
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return nil, fmt.Errorf("textreader: %w", ctx.Err())
	}
	for range attempts {
		if lines, err = p.attempt(ctx, picture, asked); !errors.Is(err, errDied) {
			break
		}
		slog.WarnContext(ctx, "reading text again", "error", err)
	}
	if err != nil {
		return nil, fmt.Errorf("textreader: %w", err)
	}
	return lines, nil
}

// attempt asks one child. It kills the child when ctx ends or after Config.Timeout.
func (p *Pool) attempt(ctx context.Context, picture *image.RGBA, asked []ppocr.Line) ([]ppocr.Line, error) {
	c, err := p.take(ctx, picture)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, p.config.Timeout, ErrTimeout)
	defer cancel()
	stop := context.AfterFunc(ctx, c.kill)
	lines, err := c.exchange(picture, asked)
	switch killed := !stop(); {
	case killed:
		c.end()
		if err != nil {
			err = context.Cause(ctx)
		}
	case errors.Is(err, errDied):
		c.end()
		p.note(err)
	default:
		p.note(nil)
		p.put(c)
	}
	return lines, err
}

// take returns an idle child, or starts one. After failures it waits before that. It prefers a child that has the
// picture, and then the one that is idle for the longest time, whose picture is the least likely to be asked for.
func (p *Pool) take(ctx context.Context, picture *image.RGBA) (*child, error) {
	p.mu.Lock()
	if len(p.idle) > 0 {
		at := max(0, slices.IndexFunc(p.idle, func(c *child) bool { return c.has(picture) }))
		c := p.idle[at]
		p.idle = slices.Delete(p.idle, at, at+1)
		p.mu.Unlock()
		return c, nil
	}
	wait, closed := time.Until(p.startAt), p.closed
	p.mu.Unlock()
	if closed {
		return nil, errClosed
	}
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	c, err := start(ctx, p.config.Command, p.config.Env, p.config.StartTimeout)
	if err != nil && ctx.Err() == nil {
		p.note(err)
	}
	return c, err
}

// put makes a child available.
func (p *Pool) put(c *child) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		c.end()
		return
	}
	p.idle = append(p.idle, c)
}

// note records a success, or a failure, after which the next start is delayed.
func (p *Pool) note(failure error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if failure == nil {
		p.failures = 0
		return
	}
	delay := min(maxDelay, firstDelay<<min(p.failures, 10))
	p.failures++
	p.startAt = time.Now().Add(delay)
}

// Close ends the children. Those that read a picture end after it.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, c := range p.idle {
		c.end()
	}
	p.idle = nil
}
