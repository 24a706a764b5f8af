package textreader

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cardvault/cardvault/internal/identify/ppocr"
)

// errDied means that a child ended, or sent something else than a reply.
var errDied = errors.New("the process that reads text ended")

// child is a running process that reads one picture at a time.
type child struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	reaped sync.Once
}

// inherited are the variables that a child gets. The others hold settings and secrets of the service.
var inherited = []string{"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "GOMEMLIMIT", "GOGC", "GOTRACEBACK", "SystemRoot"}

// environment returns the inherited variables, and the added ones.
func environment(added []string) []string {
	kept := slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return !slices.Contains(inherited, name)
	})
	return append(kept, added...)
}

// start starts a child and waits until it is ready, at most for the timeout.
func start(ctx context.Context, command, environ []string, timeout time.Duration) (*child, error) {
	c := &child{cmd: exec.Command(command[0], command[1:]...)}
	c.cmd.Env, c.cmd.Stderr = environment(environ), os.Stderr
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
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("not ready after %v", timeout))
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
		return nil, fmt.Errorf("the process that reads text did not start: %w", err)
	}
	return c, nil
}

// exchange sends a picture and returns its lines. It returns errDied if the child cannot be used any more.
func (c *child) exchange(picture *image.RGBA) ([]ppocr.Line, error) {
	if err := writePicture(c.in, picture); err != nil {
		return nil, fmt.Errorf("%w: %w", errDied, err)
	}
	answer, err := readReply(c.out)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDied, err)
	}
	if answer.Error != "" {
		return nil, errors.New(answer.Error)
	}
	return answer.Lines, nil
}

// kill ends the process at once. The call of exchange that is under way returns.
func (c *child) kill() { _ = c.cmd.Process.Kill() } // fails if it has ended

// end kills the process and frees what the kernel holds for it.
func (c *child) end() {
	c.kill()
	c.reaped.Do(func() { _ = c.cmd.Wait() }) // its status is that of the kill, or of a fault already reported
}
