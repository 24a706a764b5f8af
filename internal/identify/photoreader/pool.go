package photoreader

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/cardvault/cardvault/internal/identify/ppocr"
	"github.com/cardvault/cardvault/internal/identify/vision"
)

// ErrTimeout means that one request took longer than Config.Timeout. It is a context.DeadlineExceeded.
var ErrTimeout = fmt.Errorf("reading the photo took too long: %w", context.DeadlineExceeded)

// errClosed means that the pool was closed.
var errClosed = errors.New("the reader of photos is closed")

const (
	// attempts is how often a photo is read if a child dies.
	attempts = 2
	// firstDelay and maxDelay are the delays before a child is started after failures in a row.
	firstDelay, maxDelay = 100 * time.Millisecond, 10 * time.Second
	// defaultMemory is the default of Config.Memory. A child takes 250 to 400 MB.
	defaultMemory = 1 << 30
)

// Config configures a Pool.
type Config struct {
	// Command is the program of a child and its arguments.
	Command []string
	// Env are variables of a child, in the form name=value, beside a few that it inherits.
	Env []string
	// Size is the maximum number of children. The default is 1.
	Size int
	// Memory is the maximum memory of a child, in bytes. The default is 1 GiB.
	Memory uint64
	// LowPriority is whether children get a processor only while others leave it, which needs Unix.
	LowPriority bool
	// Timeout limits one request, after which the child is killed. The default is 15 s.
	Timeout time.Duration
	// StartTimeout limits the start of a child. The default is 30 s.
	StartTimeout time.Duration
}

// Pool computes on photos in child processes. It is safe for concurrent use.
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
	if config.Memory == 0 {
		config.Memory = defaultMemory
	}
	if config.Timeout == 0 {
		config.Timeout = 15 * time.Second
	}
	if config.StartTimeout == 0 {
		config.StartTimeout = 30 * time.Second
	}
	return &Pool{config: config, slots: make(chan struct{}, config.Size)}
}

// Survey decodes a photo and surveys it. It waits for a free child. If the child dies, it tries another one.
func (p *Pool) Survey(ctx context.Context, photo []byte) (vision.Survey, error) {
	answer, err := p.ask(ctx, request{Kind: survey}, photo)
	return answer.Survey, err
}

// Find finds the lines of text on an area and reads some, as ppocr.Engine.Find does. It waits for a child as Survey
// does, and sends the photo unless a free child has it.
func (p *Pool) Find(ctx context.Context, area vision.Area) ([]ppocr.Line, error) {
	answer, err := p.ask(ctx, request{Kind: find, Part: area.Part}, area.Photo)
	return answer.Lines, err
}

// Read reads lines that Find returned for the area, as ppocr.Engine.Read does.
func (p *Pool) Read(ctx context.Context, area vision.Area, lines []ppocr.Line) ([]ppocr.Line, error) {
	if len(lines) == 0 {
		return nil, nil
	}
	answer, err := p.ask(ctx, request{Kind: read, Part: area.Part, Lines: lines}, area.Photo)
	return answer.Lines, err
}

func (p *Pool) ask(ctx context.Context, req request, photo []byte) (answer reply, err error) {
	if len(photo) == 0 { // a child would take the last one
		return reply{}, errors.New("photoreader: the photo is empty")
	}
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return reply{}, fmt.Errorf("photoreader: %w", ctx.Err())
	}
	for attempt := range attempts {
		if answer, err = p.attempt(ctx, req, photo); !errors.Is(err, errDied) {
			break
		}
		slog.WarnContext(ctx, "the process that reads photos ended", "attempt", attempt, "error", err)
	}
	if err != nil {
		return reply{}, fmt.Errorf("photoreader: %w", err)
	}
	return answer, nil
}

// attempt asks one child. It kills the child when ctx ends or after Config.Timeout.
func (p *Pool) attempt(ctx context.Context, req request, photo []byte) (reply, error) {
	c, err := p.take(ctx, photo)
	if err != nil {
		return reply{}, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, p.config.Timeout, ErrTimeout)
	defer cancel()
	stop := context.AfterFunc(ctx, c.kill)
	answer, err := c.exchange(req, photo)
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
	return answer, err
}

// take returns an idle child, or starts one. After failures it waits before that. It prefers a child that has the
// photo, and then the one that is idle for the longest time, whose photo is the least likely to be asked for.
func (p *Pool) take(ctx context.Context, photo []byte) (*child, error) {
	p.mu.Lock()
	if len(p.idle) > 0 {
		at := max(0, slices.IndexFunc(p.idle, func(c *child) bool { return c.has(photo) }))
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
	c, err := start(ctx, p.config)
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

// Close ends the children. A child that reads a photo ends after it.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, c := range p.idle {
		c.end()
	}
	p.idle = nil
}
