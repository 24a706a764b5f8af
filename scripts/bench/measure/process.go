// Package measure holds the common parts of the benchmarks and the soak test: descriptions of the machine, processor
// time and memory of processes, percentiles and medians. It starts no process and generates no load.
package measure

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// clockTick is the unit of times in /proc on Linux, whatever the kernel's own (USER_HZ).
const clockTick = time.Second / 100

// Process is a process of this machine by its number.
type Process int

// Postmaster returns the parent of all processes of the database's server, which must run on this
// machine.
func Postmaster(ctx context.Context, db *sql.DB) (Process, error) {
	var backend int
	if err := db.QueryRowContext(ctx, `SELECT pg_backend_pid()`).Scan(&backend); err != nil {
		return 0, fmt.Errorf("find postmaster: %w", err)
	}
	s, err := Process(backend).stat()
	if err != nil {
		return 0, fmt.Errorf("find postmaster: the database must run on this machine: %w", err)
	}
	return Process(s.parent), nil
}

// Used returns the processor time that the process itself has used, on all cores.
func (p Process) Used() (time.Duration, error) {
	s, err := p.stat()
	return s.used, err
}

// UsedByFamily returns the processor time that the process, its living children and its dead ones have
// used: all of PostgreSQL, given its postmaster.
func (p Process) UsedByFamily() (time.Duration, error) {
	own, err := p.stat()
	if err != nil {
		return 0, err
	}
	paths, err := filepath.Glob("/proc/[0-9]*")
	total := own.used + own.ended
	for _, path := range paths {
		pid, _ := strconv.Atoi(filepath.Base(path))
		if child, err := Process(pid).stat(); err == nil && child.parent == int(p) {
			total += child.used
		}
	}
	return total, err
}

// Memory returns a field of the process's status in bytes: VmRSS is the resident memory, VmHWM its maximum.
func (p Process) Memory(field string) (int64, error) {
	raw, err := os.ReadFile(p.file("status"))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(raw)) {
		if value, ok := strings.CutPrefix(line, field+":"); ok {
			kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
			return kib << 10, err
		}
	}
	return 0, fmt.Errorf("%s has no %s", p.file("status"), field)
}

func (p Process) file(name string) string { return fmt.Sprintf("/proc/%d/%s", p, name) }

// stat holds the kernel's figures of a process.
type stat struct {
	parent      int
	used, ended time.Duration // processor time of itself, and of its children that have ended
}

func (p Process) stat() (stat, error) {
	raw, err := os.ReadFile(p.file("stat"))
	if err != nil {
		return stat{}, err
	}
	return parseStat(string(raw))
}

// parseStat reads the line of /proc/PID/stat; see proc(5).
func parseStat(line string) (stat, error) {
	// The second field is the program's name in brackets and may itself hold brackets and spaces.
	fields := strings.Fields(line[strings.LastIndexByte(line, ')')+1:])
	const parent, user, endedSystem = 1, 11, 14
	if len(fields) <= endedSystem {
		return stat{}, fmt.Errorf("/proc/PID/stat has %d fields after the name", len(fields))
	}
	var s stat
	var err error
	var ticks [4]int // user, system, and both of ended children
	for i := range ticks {
		value, bad := strconv.Atoi(fields[user+i])
		ticks[i], err = value, errors.Join(err, bad)
	}
	s.used = time.Duration(ticks[0]+ticks[1]) * clockTick
	s.ended = time.Duration(ticks[2]+ticks[3]) * clockTick
	var bad error
	s.parent, bad = strconv.Atoi(fields[parent])
	return s, errors.Join(err, bad)
}
