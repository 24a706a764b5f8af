package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
)

// clockTick is the unit of times in /proc on Linux, whatever the kernel's own (USER_HZ).
const clockTick = time.Second / 100

// findPostmaster returns the process number of PostgreSQL's first process, which must run here.
func findPostmaster(ctx context.Context, db *postgres.DB) (int, error) {
	var backend int
	if err := db.Get(ctx, &backend, `SELECT pg_backend_pid()`); err != nil {
		return 0, err
	}
	s, err := readStat(backend)
	return s.parent, err
}

// family returns the processor time that a process, its living children and its dead ones have
// used: all of PostgreSQL, given its postmaster.
func family(pid int) (time.Duration, error) {
	own, err := readStat(pid)
	if err != nil {
		return 0, err
	}
	paths, err := filepath.Glob("/proc/[0-9]*")
	total := own.used + own.ended
	for _, path := range paths {
		child, _ := strconv.Atoi(filepath.Base(path))
		if s, err := readStat(child); err == nil && s.parent == pid {
			total += s.used
		}
	}
	return total, err
}

// stat is what the kernel tells of a process.
type stat struct {
	parent      int
	used, ended time.Duration // processor time of itself, and of its children that have ended
}

func readStat(pid int) (stat, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
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
