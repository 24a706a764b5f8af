package main

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

// postmaster is the parent of all processes of the database server on this machine.
type postmaster int

// findPostmaster asks the database for one of its processes and looks up that one's parent.
func findPostmaster(ctx context.Context, database string) (postmaster, error) {
	db, err := sql.Open("postgres", database)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	var backend int
	if err := db.QueryRowContext(ctx, `SELECT pg_backend_pid()`).Scan(&backend); err != nil {
		return 0, err
	}
	stat, err := readStat(backend)
	if err != nil {
		return 0, fmt.Errorf("the database must run on this machine: %w", err)
	}
	return postmaster(stat.parent), nil
}

// cpu returns the processor time that the server's processes have used, those that have ended included.
func (p postmaster) cpu() (time.Duration, error) {
	own, err := readStat(int(p))
	if err != nil {
		return 0, err
	}
	total := own.used + own.ended
	paths, err := filepath.Glob("/proc/[0-9]*")
	for _, path := range paths {
		pid, _ := strconv.Atoi(filepath.Base(path))
		if child, err := readStat(pid); err == nil && child.parent == int(p) {
			total += child.used
		}
	}
	return total, err
}

// stat is what the kernel tells of a process.
type stat struct {
	parent int
	used   time.Duration // by itself, on all cores
	ended  time.Duration // by those of its children that have ended
}

func readStat(pid int) (stat, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return stat{}, err
	}
	_, rest, _ := strings.Cut(string(raw), ") ") // the name before it may hold spaces
	fields := strings.Fields(rest)               // from the state on
	if len(fields) < 15 {
		return stat{}, fmt.Errorf("/proc/%d/stat has %d fields", pid, len(fields))
	}
	var values [5]int
	var errs []error
	for i, at := range []int{1, 11, 12, 13, 14} {
		value, err := strconv.Atoi(fields[at])
		values[i], errs = value, append(errs, err)
	}
	return stat{
		parent: values[0], used: time.Duration(values[1]+values[2]) * clockTick,
		ended: time.Duration(values[3]+values[4]) * clockTick,
	}, errors.Join(errs...)
}
