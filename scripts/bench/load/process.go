package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/cardvault/cardvault/scripts/bench/measure"
)

// process is a running server program.
type process struct {
	name    string
	addr    string // of the API
	admin   string // of the service's metrics and profiles
	command *exec.Cmd
	exited  chan error
	startUp time.Duration // from exec to the first 200 of /readyz
}

// startService starts cardvault serve, workers included, with additional settings given as NAME=VALUE, and waits until
// it is ready. The name is for the table and the log.
func startService(ctx context.Context, s settings, name string, b build, other ...string) (*process, error) {
	addr, admin := measure.FreeAddress(), measure.FreeAddress()
	p, err := start(ctx, s, name, addr, append(environment(s, b.database, addr, admin), other...), b.program, "serve")
	if err != nil {
		return nil, err
	}
	p.admin = admin
	return p, nil
}

// environment returns the environment of the service's commands: the settings that production needs, with the addresses
// given.
func environment(s settings, database, addr, admin string) []string {
	key := make([]byte, 32)
	rand.Read(key) // never fails
	return append(os.Environ(),
		"CARDVAULT_DATABASE_URL="+database,
		"CARDVAULT_ADDR="+addr,
		"CARDVAULT_ADMIN_ADDR="+admin,
		"CARDVAULT_PHOTO_STORE="+filepath.Join(s.work, "photos"),
		"CARDVAULT_SECRET_KEY="+base64.StdEncoding.EncodeToString(key))
}

func startBaseline(ctx context.Context, s settings) (*process, error) {
	addr := measure.FreeAddress()
	return start(ctx, s, "baseline", addr, os.Environ(), s.baseline, "-database", s.database, "-addr", addr)
}

// readyWithin bounds a start-up, which takes less than a second.
const readyWithin = 30 * time.Second

// start runs a program with its output in a file, and waits until it is ready.
func start(ctx context.Context, s settings, name, addr string, env []string, program string,
	args ...string) (*process, error) {
	log, err := os.Create(filepath.Join(s.work, name+".log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	p := &process{name: name, addr: addr, command: exec.Command(program, args...), exited: make(chan error, 1)}
	p.command.Env, p.command.Stdout, p.command.Stderr = env, log, log
	p.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	began := time.Now()
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	go func() { p.exited <- p.command.Wait() }()
	if err := p.waitReady(ctx); err != nil {
		p.stop()
		return nil, fmt.Errorf("%s: %w; see %s", name, err, log.Name())
	}
	p.startUp = time.Since(began)
	return p, nil
}

func (p *process) waitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.addr+"/readyz", nil)
	if err != nil {
		return err
	}
	for {
		if answer, err := http.DefaultClient.Do(request); err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case err := <-p.exited:
			p.exited <- err
			return errors.New("it ended before it was ready")
		case <-ctx.Done():
			return fmt.Errorf("not ready: %w", ctx.Err())
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// stop stops the program gracefully and waits for its end.
func (p *process) stop() {
	_ = p.command.Process.Signal(syscall.SIGTERM) // it may have ended by itself
	<-p.exited
	p.exited <- nil
}

func (p *process) pid() measure.Process { return measure.Process(p.command.Process.Pid) }
