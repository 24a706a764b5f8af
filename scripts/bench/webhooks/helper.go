package main

import (
	"context"
	"errors"
	"io"
	"net/rpc"
	"os"
	"os/exec"
	"syscall"

	"github.com/cardvault/cardvault/scripts/bench/measure"
)

// helper is this program in another role. Its methods are called over its standard input and output.
type helper struct {
	command *exec.Cmd
	client  *rpc.Client
}

// pipe joins a reader and a writer into a connection.
type pipe struct {
	io.Reader
	io.WriteCloser
}

// startHelper starts this program in a role. It ends when ctx does, or with this process.
func startHelper(ctx context.Context, role string) (*helper, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, program, "-role", role)
	command.Stderr = os.Stderr
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	return &helper{command, rpc.NewClient(pipe{out, in})}, nil
}

// call calls a method of the helper and waits for its reply or the end of ctx.
func (h *helper) call(ctx context.Context, method string, args, reply any) error {
	call := h.client.Go(method, args, reply, make(chan *rpc.Call, 1))
	select {
	case <-call.Done:
		return call.Error
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (h *helper) pid() measure.Process { return measure.Process(h.command.Process.Pid) }

// stop closes the helper's input, which ends it.
func (h *helper) stop() {
	h.client.Close()
	_ = h.command.Wait() // how it ends is of no interest any more
}

// serveHelper serves calls of the receiver's methods until standard input is closed.
func serveHelper(receiver any) error {
	server := rpc.NewServer()
	if err := server.Register(receiver); err != nil {
		return errors.New("a helper has no methods to call")
	}
	server.ServeConn(pipe{os.Stdin, os.Stdout})
	return nil
}
