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
	"weak"

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
	// picture is the one that it got last. The child does not keep it in the memory of the service.
	picture weak.Pointer[image.RGBA]
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
	c.cmd.SysProcAttr, c.cmd.Env, c.cmd.Stderr = ownSession(), environment(environ), os.Stderr
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

// has reports whether the child has a picture.
func (c *child) has(picture *image.RGBA) bool { return c.picture == weak.Make(picture) }

// exchange sends a request for a picture, with the picture unless the child has it, and returns the lines of the reply.
// It returns errDied if the child cannot be used any more.
func (c *child) exchange(picture *image.RGBA, lines []ppocr.Line) ([]ppocr.Line, error) {
	if err := writeRequest(c.in, picture, c.has(picture), lines); err != nil {
		return nil, fmt.Errorf("%w: %w", errDied, err)
	}
	c.picture = weak.Make(picture)
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
