package photoreader

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"unsafe"
	"weak"

	"github.com/cardvault/cardvault/internal/subprocess"
)

// errDied means that a child ended, or sent something else than a reply.
var errDied = errors.New("the process that reads photos ended")

// child is a running process that computes on one photo at a time.
type child struct {
	cmd    *subprocess.Command
	in     io.WriteCloser
	out    *bufio.Reader
	reaped sync.Once
	// photo points to the first byte of the photo that it got last, without keeping that in the memory of the service.
	photo weak.Pointer[byte]
}

// start starts a child and waits until it is ready.
func start(ctx context.Context, config Config) (*child, error) {
	options := subprocess.Options{Env: config.Env, Memory: config.Memory, LowPriority: config.LowPriority}
	// A child serves many requests, so it does not end with the context of the first one.
	c := &child{cmd: subprocess.New(context.Background(), options, config.Command[0], config.Command[1:]...)}
	c.cmd.Stderr = os.Stderr
	in, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.in, c.out = in, bufio.NewReader(out)
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	late := fmt.Errorf("not ready after %v", config.StartTimeout)
	ctx, cancel := context.WithTimeoutCause(ctx, config.StartTimeout, late)
	defer cancel()
	stop := context.AfterFunc(ctx, c.kill)
	ready, err := readReply(c.out)
	switch {
	case !stop():
		err = context.Cause(ctx)
	case err == nil && ready.Error != "":
		err = errors.New(ready.Error)
	}
	if err != nil {
		c.end()
		return nil, fmt.Errorf("the process that reads photos did not start: %w", err)
	}
	return c, nil
}

// has reports whether the child has a photo.
func (c *child) has(photo []byte) bool {
	return len(photo) > 0 && c.photo == weak.Make(unsafe.SliceData(photo))
}

// exchange sends a request about a photo, with the photo unless the child has it, and returns the reply. It returns
// errDied if the child cannot be used any more.
func (c *child) exchange(req request, photo []byte) (reply, error) {
	if err := writeRequest(c.in, req, photo, c.has(photo)); err != nil {
		return reply{}, fmt.Errorf("%w: %w", errDied, err)
	}
	c.photo = weak.Make(unsafe.SliceData(photo))
	answer, err := readReply(c.out)
	if err != nil {
		return reply{}, fmt.Errorf("%w: %w", errDied, err)
	}
	if answer.Error != "" {
		return reply{}, errors.New(answer.Error)
	}
	return answer, nil
}

// kill ends the process at once. The call of exchange that is under way returns.
func (c *child) kill() { _ = c.cmd.Process.Kill() } // fails if it has ended

// end kills the process and frees its resources in the kernel.
func (c *child) end() {
	c.kill()
	c.reaped.Do(func() { _ = c.cmd.Wait() }) // it reports the kill, or a fault that was reported already
}
