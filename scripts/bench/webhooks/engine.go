package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/cardvault/cardvault/scripts/bench/measure"
)

// engine is a process of cardvault worker with its default settings.
type engine struct {
	command *exec.Cmd
	admin   string
	exited  chan struct{}
}

// readyWithin bounds a start-up, which takes less than a second.
const readyWithin = 20 * time.Second

// startEngine starts the worker on a database with its output in a file, and waits until it is ready.
func (b *bench) startEngine(ctx context.Context, database string) (*engine, error) {
	log, err := os.Create(filepath.Join(b.work, "worker.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	e := &engine{admin: measure.FreeAddress(), exited: make(chan struct{})}
	e.command = exec.CommandContext(ctx, b.service, "worker")
	e.command.Env = append(plainEnvironment(), "CARDVAULT_DATABASE_URL="+database, "CARDVAULT_ADMIN_ADDR="+e.admin,
		"CARDVAULT_PHOTO_STORE="+filepath.Join(b.work, "photos"), "CARDVAULT_ALLOW_PRIVATE_NETWORKS=true",
		"CARDVAULT_SECRET_KEY="+base64.StdEncoding.EncodeToString(b.key))
	e.command.Stdout, e.command.Stderr = log, log
	e.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	if err := e.command.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = e.command.Wait() // waitReady fails, or deliveries are missing
		close(e.exited)
	}()
	if err := e.waitReady(ctx); err != nil {
		e.stop()
		return nil, fmt.Errorf("cardvault worker: %w; see %s", err, log.Name())
	}
	return e, nil
}

// plainEnvironment returns the environment without the user's settings, so that defaults are measured.
func plainEnvironment() []string {
	return slices.DeleteFunc(os.Environ(),
		func(setting string) bool { return strings.HasPrefix(setting, "CARDVAULT_") })
}

func (e *engine) waitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	for {
		if err := e.get(ctx, "/readyz", io.Discard); err == nil {
			return nil
		}
		select {
		case <-e.exited:
			return errors.New("it ended before it was ready")
		case <-ctx.Done():
			return fmt.Errorf("not ready: %w", ctx.Err())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// get writes the response of the engine's admin address to out.
func (e *engine) get(ctx context.Context, path string, out io.Writer) error {
	return measure.Get(ctx, "http://"+e.admin+path, out)
}

func (e *engine) pid() measure.Process { return measure.Process(e.command.Process.Pid) }

// stopWithin bounds the shutdown of an engine, whose requests may all hang.
const stopWithin = 3 * time.Second

func (e *engine) stop() {
	_ = e.command.Process.Signal(syscall.SIGTERM) // it may have ended by itself
	select {
	case <-e.exited:
	case <-time.After(stopWithin):
		_ = e.command.Process.Kill()
		<-e.exited
	}
}
