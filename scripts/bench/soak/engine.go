package main

import (
	"context"
	"encoding/base64"
	"fmt"
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
	name    string
	command *exec.Cmd
	log     string
	exited  chan struct{}
}

func (h *house) startEngine(ctx context.Context, i int) (*engine, error) {
	e := &engine{name: fmt.Sprintf("engine %d", i+1), exited: make(chan struct{}), log: filepath.Join(h.work, fmt.Sprintf("soak-engine-%d.log", i+1))}
	log, err := os.Create(e.log)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	e.command = exec.CommandContext(ctx, h.service, "worker")
	// Defaults are what is tested: the user's own settings are left out.
	e.command.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "CARDVAULT_") })
	e.command.Env = append(e.command.Env, "CARDVAULT_DATABASE_URL="+h.address, "CARDVAULT_ADMIN_ADDR=127.0.0.1:0",
		"CARDVAULT_PHOTO_STORE="+filepath.Join(h.work, "soak-photos"), "CARDVAULT_ALLOW_PRIVATE_NETWORKS=true",
		"CARDVAULT_SECRET_KEY="+base64.StdEncoding.EncodeToString(h.key))
	e.command.Stdout, e.command.Stderr = log, log
	e.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	if err := e.command.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = e.command.Wait() // alive and stop tell
		close(e.exited)
	}()
	return e, nil
}

// alive returns an error if the process has ended.
func (e *engine) alive() error {
	select {
	case <-e.exited:
		return fmt.Errorf("%s ended; see %s", e.name, e.log)
	default:
		return nil
	}
}

func (e *engine) process() measure.Process { return measure.Process(e.command.Process.Pid) }

// stopWithin is what the service allows itself, and a little.
const stopWithin = 20 * time.Second

// stop asks the process to end, and complains if it does not do so in order.
func (e *engine) stop() error {
	_ = e.command.Process.Signal(syscall.SIGTERM) // it may have ended by itself: its exit code tells
	select {
	case <-e.exited:
	case <-time.After(stopWithin):
		_ = e.command.Process.Kill()
		<-e.exited
	}
	if code := e.command.ProcessState.ExitCode(); code != 0 {
		return fmt.Errorf("%s ended with code %d; see %s", e.name, code, e.log)
	}
	return nil
}
