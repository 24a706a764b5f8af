package main

import (
	"errors"
	"fmt"
	"time"
)

// What may be used after the warm-up: growth times the most that was used during it, and something to spare,
// which for memory is what a garbage collector's mood explains.
const (
	growth      = 1.25
	spareMemory = 32 << 20
)

// peak is the most that was seen of something, in bytes.
type peak struct {
	name        string
	warm, later int64 // during the warm-up, and after it
	spare       int64
}

// note takes one look at it; warmedUp tells that the warm-up is over.
func (p *peak) note(bytes int64, warmedUp bool) {
	if warmedUp {
		p.later = max(p.later, bytes)
	} else {
		p.warm = max(p.warm, bytes)
	}
}

// bound is what it may grow to after the warm-up.
func (p *peak) bound() int64 { return int64(growth*float64(p.warm)) + p.spare }

// err returns an error if it has grown beyond its bound.
func (p *peak) err() error {
	if p.later > p.bound() {
		return fmt.Errorf("%s grew from %s during the warm-up to %s after it; the bound is %s", p.name, mebibytes(p.warm), mebibytes(p.later), mebibytes(p.bound()))
	}
	return nil
}

// judge prints the peaks with their bounds and returns what has grown.
func (w *watch) judge() (err error) {
	fmt.Printf("\n%-20s %12s %12s %12s\n", "peak", "warm-up", "after it", "bound")
	for _, p := range w.peaks {
		fmt.Printf("%-20s %12s %12s %12s\n", p.name, mebibytes(p.warm), mebibytes(p.later), mebibytes(p.bound()))
		err = errors.Join(err, p.err())
	}
	return err
}

// header prints what the columns of print are.
func (w *watch) header() {
	fmt.Printf("%6s %9s %9s %8s %10s %10s %6s %7s %8s", "time", "events", "arrived", "backlog", "oldest due", "table", "live", "dead", "vacuums")
	for _, p := range w.peaks[1:] {
		fmt.Printf("  %*s", memoryWidth(p), p.name)
	}
	fmt.Println()
}

// print prints one line of figures.
func (w *watch) print(q queue, memory []int64) {
	fmt.Printf("%6s %9d %9d %8d %8.1f s %10s %6d %7d %8d", time.Since(w.began).Round(time.Second), w.house.committed.Load(), w.house.sink.count(),
		q.Backlog, q.OldestDue, mebibytes(q.Bytes), q.Live, q.Dead, q.Vacuums)
	for i, bytes := range memory {
		fmt.Printf("  %*s", memoryWidth(w.peaks[i+1]), mebibytes(bytes))
	}
	fmt.Println()
}

// memoryWidth is the width of a process's column.
func memoryWidth(p peak) int { return max(len(p.name), len("1000.0 MiB")) }

func mebibytes(n int64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }
