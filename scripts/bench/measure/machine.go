package measure

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"runtime"
	"strings"
)

// Machine describes this machine: processor, memory, kernel and load.
func Machine() string {
	load, _, _ := strings.Cut(readFile("/proc/loadavg"), " ")
	return fmt.Sprintf("%s, %d cores, %s of memory, Linux %s; load average before the run %s",
		field("/proc/cpuinfo", "model name"), runtime.NumCPU(), field("/proc/meminfo", "MemTotal"),
		strings.TrimSpace(readFile("/proc/sys/kernel/osrelease")), load)
}

// Server describes the version of a PostgreSQL server and the settings that figures depend on, above all whether its
// commits are durable.
func Server(ctx context.Context, db *sql.DB) (text string, err error) {
	err = db.QueryRowContext(ctx, `
		SELECT format('PostgreSQL %s, fsync %s, synchronous_commit %s, shared_buffers %s',
		              current_setting('server_version'), current_setting('fsync'),
		              current_setting('synchronous_commit'), current_setting('shared_buffers'))`,
	).Scan(&text)
	if err != nil {
		return "", fmt.Errorf("describe server: %w", err)
	}
	return text, nil
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

// readFile returns the text of a file, or "" if it cannot be read: a description may have gaps.
func readFile(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(text)
}
