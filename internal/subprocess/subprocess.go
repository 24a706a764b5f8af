// Package subprocess starts the child processes of the service, which process data from customers.
//
// A child gets an allow-list of environment variables, so that it has no secret to lose, and no descriptor of the
// service except its standard ones. Its memory is limited before it can read its input. It leads a session of its own,
// and it can have a lower priority. No other package may start a program: scripts/importcheck enforces it.
package subprocess

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// ErrNotFound means that there is no program of that name.
var ErrNotFound = exec.ErrNotFound

// inherited are the variables that every child gets. The others hold settings and secrets of the service.
var inherited = []string{"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "GOMEMLIMIT", "GOGC", "GOTRACEBACK", "SystemRoot"}

// Options are the limits and the permissions of a child.
type Options struct {
	// Inherit are names of further variables that the child inherits.
	Inherit []string
	// Env are variables that are added, in the form name=value.
	Env []string
	// Memory is the maximum memory that the child may write, in bytes. Beyond it, allocations fail. It is applied on
	// Linux only. 0 means no limit.
	Memory uint64
	// LowPriority is whether the child gets a processor only while others leave it, which needs Unix.
	LowPriority bool
}

// Command is a child that is not started yet. Set its standard input and output before Start or Run.
type Command struct {
	*exec.Cmd
	options Options
}

// New returns a command. The child is killed when ctx ends. args follow the name of the program.
func New(ctx context.Context, options Options, name string, args ...string) *Command {
	c := &Command{exec.CommandContext(ctx, name, args...), options}
	c.Env = environment(os.Environ(), options)
	c.SysProcAttr = ownSession()
	return c
}

// LookPath returns the path of a program, or ErrNotFound.
func LookPath(name string) (string, error) { return exec.LookPath(name) }

// environment returns the variables of a child.
func environment(own []string, options Options) []string {
	entries := slices.DeleteFunc(slices.Clone(own), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return !slices.Contains(inherited, name) && !slices.Contains(options.Inherit, name)
	})
	return append(entries, options.Env...)
}

// Start starts the child. It returns when the child's memory is limited. Until then, the child gets nothing of its
// standard input, unless that is a file.
func (c *Command) Start() error {
	limited := make(chan struct{})
	if _, direct := c.Stdin.(*os.File); c.Stdin != nil && !direct {
		c.Stdin = &gate{open: limited, Reader: c.Stdin}
	}
	withholdDescriptors()
	if err := c.Cmd.Start(); err != nil {
		return err
	}
	err := c.limit()
	close(limited)
	if err != nil {
		_ = c.Process.Kill() // fails if it has ended
		_ = c.Cmd.Wait()     // it reports the kill
	}
	return err
}

// Run starts the child and waits until it has ended.
func (c *Command) Run() error {
	if err := c.Start(); err != nil {
		return err
	}
	return c.Wait()
}

// limit applies the options to the child that runs.
func (c *Command) limit() error {
	if c.options.LowPriority {
		lowerPriority(c.Process.Pid)
	}
	if c.options.Memory == 0 {
		return nil
	}
	if err := limitMemory(c.Process.Pid, c.options.Memory); err != nil {
		return fmt.Errorf("limit the memory of %s: %w", c.Path, err)
	}
	return nil
}

// gate is a reader that waits until open is closed.
type gate struct {
	open <-chan struct{}
	io.Reader
}

func (g *gate) Read(p []byte) (int, error) {
	<-g.open
	return g.Reader.Read(p)
}
