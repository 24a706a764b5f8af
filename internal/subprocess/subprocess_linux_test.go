package subprocess

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// output runs a script of the shell and returns what it wrote.
func output(t *testing.T, options Options, script string) string {
	t.Helper()
	var out bytes.Buffer
	c := New(t.Context(), options, "/bin/sh", "-c", script)
	c.Stdout, c.Stderr = &out, &out
	if err := c.Run(); err != nil {
		t.Fatalf("%s: %v: %s", script, err, out.String())
	}
	return strings.TrimSpace(out.String())
}

// A child sees none of the settings and secrets of the service, whatever they are called.
func TestCommand_Environment(t *testing.T) {
	secrets := []string{
		"CARDVAULT_SECRET_KEY", "CARDVAULT_DATABASE_URL", "CARDVAULT_EBAY_CLIENT_SECRET", "AWS_SECRET_ACCESS_KEY",
		"OPENAI_API_KEY", "PGPASSWORD", "HTTPS_PROXY", "A_SECRET_OF_TOMORROW",
	}
	for _, name := range secrets {
		t.Setenv(name, "secret-value")
	}
	t.Setenv("TESSDATA_PREFIX", "/data")
	t.Setenv("GOGC", "77")
	got := output(t, Options{Inherit: []string{"TESSDATA_PREFIX"}, Env: []string{"OMP_THREAD_LIMIT=1"}}, "env")
	if strings.Contains(got, "secret-value") {
		t.Errorf("the environment has a secret:\n%s", got)
	}
	for _, want := range []string{"TESSDATA_PREFIX=/data", "OMP_THREAD_LIMIT=1", "GOGC=77", "PATH="} {
		if !strings.Contains(got, want) {
			t.Errorf("the environment lacks %s:\n%s", want, got)
		}
	}
	if got := output(t, Options{}, "env"); strings.Contains(got, "TESSDATA_PREFIX") {
		t.Errorf("without Inherit, the environment has TESSDATA_PREFIX:\n%s", got)
	}
}

// A child gets no descriptor that the service was started with or that a library opened.
func TestCommand_Descriptors(t *testing.T) {
	t.Parallel()
	file, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	inheritable, err := unix.FcntlInt(file.Fd(), unix.F_DUPFD, 100) // without close-on-exec, so that children get it
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(inheritable)
	got := output(t, Options{}, `for d in /proc/$$/fd/*; do echo "${d##*/}"; done`)
	if strings.Contains(got, strconv.Itoa(inheritable)) {
		t.Errorf("descriptors: got %q, want none of the service", got)
	}
}

// The memory of a child is limited before it can read its input, and it cannot raise the limit.
func TestCommand_Memory(t *testing.T) {
	t.Parallel()
	const limit = 64 << 20
	var out bytes.Buffer
	c := New(t.Context(), Options{Memory: limit}, "/bin/sh", "-c", "read line && ulimit -H -d")
	c.Stdin, c.Stdout = strings.NewReader("go\n"), &out
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(out.String()); got != strconv.Itoa(limit>>10) {
		t.Errorf("limit: got %s KiB, want %d", got, limit>>10)
	}
	if got := output(t, Options{}, "ulimit -d"); got != "unlimited" {
		t.Errorf("without Memory: got a limit of %s KiB", got)
	}
}

// All threads of a child have the low priority, and so has its session, if that is demanded.
func TestCommand_LowPriority(t *testing.T) {
	t.Parallel()
	for _, low := range []bool{true, false} {
		c := New(t.Context(), Options{LowPriority: low}, "/bin/cat")
		in, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		folder := fmt.Sprintf("/proc/%d/", c.Process.Pid)
		threads, err := filepath.Glob(folder + "task/*/stat")
		if err != nil || len(threads) == 0 {
			t.Fatalf("threads: got %v, %v", threads, err)
		}
		for _, thread := range threads {
			stat, err := os.ReadFile(thread)
			if err == nil && nice(t, string(stat)) >= niceness != low { // err: the thread ended
				t.Errorf("low priority %v: got a thread with %s", low, stat)
			}
		}
		session, err := os.ReadFile(folder + "autogroup")
		if err == nil && strings.HasSuffix(string(session), fmt.Sprintf("nice %d\n", niceness)) != low {
			t.Errorf("low priority %v: got the session %q", low, session)
		}
		in.Close()
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
	}
}

// nice returns field 19 of proc_pid_stat(5). The name of the program, which may contain spaces, ends with the last ")".
func nice(t *testing.T, stat string) (value int) {
	t.Helper()
	const skipped = 16 // the fields from state to priority
	fields := strings.Fields(stat[strings.LastIndex(stat, ")")+1:])
	value, err := strconv.Atoi(fields[skipped])
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func TestCommand_NotFound(t *testing.T) {
	t.Parallel()
	if err := New(t.Context(), Options{}, "no-such-program-anywhere").Run(); !errors.Is(err, ErrNotFound) {
		t.Errorf("Run: got %v, want ErrNotFound", err)
	}
}

func TestCommand_EndsWithContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	c := New(ctx, Options{}, "/bin/sleep", "600")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := c.Wait(); err == nil {
		t.Error("Wait: got no error, want that of the kill")
	}
}
