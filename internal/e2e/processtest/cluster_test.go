package processtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// cluster is a PostgreSQL of the test's own that it may stop and kill. Unlike the one that the other
// tests share it is durable: what it has committed is on disk.
type cluster struct {
	t   testing.TB
	dir string
}

// newCluster starts one that goes away with the test.
func newCluster(t testing.TB) *cluster {
	t.Helper()
	// A short path, because the cluster's socket lies in it, and open to the user that PostgreSQL runs as.
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

// script runs a command of scripts/postgres.sh on the cluster. Standard output may not be a pipe that
// a server inherits, or reading it would wait for the server's end: only errors and addresses are read.
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

// url is the address of the cluster's database.
func (c *cluster) url() string { return c.must("url") }

// restart ends the server without a checkpoint and starts it again.
func (c *cluster) restart() { c.must("restart") }

// crash kills the server and starts it again, as soon as what is left of the old one lets it.
func (c *cluster) crash() {
	c.t.Helper()
	note, err := os.ReadFile(filepath.Join(c.dir, "postmaster.pid"))
	if err != nil {
		c.t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(note), "\n")
	pid, err := strconv.Atoi(line)
	if err != nil || pid < 2 {
		c.t.Fatalf("the number of the server's process is %q", line)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		c.t.Fatal(err)
	}
	eventually(c.t, "PostgreSQL starts again", func() bool { _, err := c.script("start"); return err == nil })
}
