package processtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// cluster is a PostgreSQL that belongs to one test, which may restart and kill it. Unlike the server that the other
// tests share, it is durable: commits are on disk.
type cluster struct {
	t   testing.TB
	dir string
}

// newCluster starts a cluster and removes it when the test ends.
func newCluster(t testing.TB) *cluster {
	t.Helper()
	// The path is short because the server's socket is in it, and readable for the user that PostgreSQL runs as.
	home, err := os.MkdirTemp("", "cv")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	if err := os.Chmod(home, 0o755); err != nil {
		t.Fatal(err)
	}
	c := &cluster{t, filepath.Join(home, "pg")}
	t.Cleanup(func() { c.must("remove") })
	c.must("start")
	return c
}

// script runs a command of scripts/postgres.sh on the cluster and returns its output. The script starts the server with
// other standard streams: if the server inherited the pipe, Output would wait until the server ends.
func (c *cluster) script(command string) (string, error) {
	out, err := exec.Command("../../../scripts/postgres.sh", command, c.dir).Output()
	return strings.TrimSpace(string(out)), err
}

func (c *cluster) must(command string) string {
	c.t.Helper()
	out, err := c.script(command)
	if err != nil {
		detail := ""
		if exit, ok := err.(*exec.ExitError); ok {
			detail = string(exit.Stderr)
		}
		c.t.Fatalf("scripts/postgres.sh %s: %v: %s", command, err, detail)
	}
	return out
}

// url returns the address of the cluster's database.
func (c *cluster) url() string { return c.must("url") }

// restart ends the server without a checkpoint and starts it again.
func (c *cluster) restart() { c.must("restart") }

// crash kills the server and starts it again as soon as the processes and the lock file of the old one allow it.
func (c *cluster) crash() {
	c.t.Helper()
	lockFile, err := os.ReadFile(filepath.Join(c.dir, "postmaster.pid"))
	if err != nil {
		c.t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(lockFile), "\n")
	pid, err := strconv.Atoi(line)
	if err != nil || pid < 2 {
		c.t.Fatalf("postmaster.pid begins with %q, want a process id", line)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		c.t.Fatal(err)
	}
	// The script starts nothing while the old process runs. A zombie has no command line.
	eventually(c.t, "PostgreSQL ends", func() bool {
		commandLine, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		return err != nil || len(commandLine) == 0
	})
	eventually(c.t, "PostgreSQL starts again", func() bool { _, err := c.script("start"); return err == nil })
}
