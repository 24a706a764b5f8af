package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"runtime"
	"strings"

	_ "github.com/lib/pq" // the driver
)

// describe tells what the figures were measured on.
func describe(ctx context.Context, database string) ([]string, error) {
	server, err := describeServer(ctx, database)
	if err != nil {
		return nil, err
	}
	load, _, _ := strings.Cut(readFile("/proc/loadavg"), " ")
	return []string{
		fmt.Sprintf("%s, %d cores, %s of memory, Linux %s; load average before the run %s",
			field("/proc/cpuinfo", "model name"), runtime.NumCPU(), field("/proc/meminfo", "MemTotal"),
			strings.TrimSpace(readFile("/proc/sys/kernel/osrelease")), load),
		server,
		runtime.Version() + "; service, baseline, PostgreSQL and load generator share the machine",
	}, nil
}

func describeServer(ctx context.Context, database string) (string, error) {
	db, err := sql.Open("postgres", database)
	if err != nil {
		return "", err
	}
	defer db.Close()
	var version, fsync, commit, buffers string
	var cards int64
	err = db.QueryRowContext(ctx, `
		SELECT current_setting('server_version'), current_setting('fsync'), current_setting('synchronous_commit'),
		       current_setting('shared_buffers'), (SELECT count(*) FROM cards)`).Scan(&version, &fsync, &commit, &buffers, &cards)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("PostgreSQL %s, fsync %s, synchronous_commit %s, shared_buffers %s; %d cards", version, fsync, commit, buffers, cards), nil
}

// field returns the first value of a name in a file of "name: value" lines.
func field(path, name string) string {
	for line := range strings.Lines(readFile(path)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return "unknown " + name
}

// readFile returns a file's text, or nothing where there is no such file: a description may have gaps.
func readFile(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(text)
}
