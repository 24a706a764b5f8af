// Command backlog measures how fast a running service identifies a queue of photos in the background, and how much that
// delays its requests:
//
//	go run ./scripts/bench/backlog -url URL -token TOKEN -photos DIR -n 1000
//
// It lists cards all the time: while it uploads photos, until every photo is identified, and then while the service is
// idle. It prints the photos a second, and percentiles for the three phases. Photos of the folder are uploaded several
// times if n is larger.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/cardvault/cardvault/scripts/bench/measure"
)

const (
	// idleTime is how long requests are timed after the last photo is identified.
	idleTime = 15 * time.Second
	// getInterval is the time from one timed request to the next: 40 a second, as a shop makes.
	getInterval = 25 * time.Millisecond
	// pollInterval is the time between two looks at the queue.
	pollInterval = time.Second
	// maxTime bounds the measurement.
	maxTime = time.Hour
)

func main() {
	var s shop
	var folder string
	var n int
	flag.StringVar(&s.url, "url", "http://localhost:8080", "address of the service")
	flag.StringVar(&s.token, "token", "", "token with the scope write and high limits")
	flag.StringVar(&folder, "photos", "", "folder of JPEG photos")
	flag.IntVar(&n, "n", 1000, "number of photos")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), maxTime)
	defer cancel()
	if err := run(ctx, s, folder, n); err != nil {
		fmt.Fprintln(os.Stderr, "backlog:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, s shop, folder string, n int) error {
	photos, err := filepath.Glob(filepath.Join(folder, "*.jpg"))
	if err != nil || len(photos) == 0 {
		return fmt.Errorf("%s has no *.jpg: %w", folder, err)
	}
	began := time.Now()
	uploading, err := s.timedFor(ctx, func(ctx context.Context) error { return s.upload(ctx, photos, n) })
	if err != nil {
		return err
	}
	waiting, err := s.timedFor(ctx, s.awaitIdentified)
	if err != nil {
		return err
	}
	took := time.Since(began)
	idle, err := s.timedFor(ctx, func(ctx context.Context) error {
		select {
		case <-time.After(idleTime):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	if err != nil {
		return err
	}
	fmt.Printf("%d photos in %.0f s: %.2f a second\n", n, took.Seconds(), float64(n)/took.Seconds())
	for _, phase := range []struct {
		name  string
		times []time.Duration
	}{{"idle", idle}, {"while photos are identified", waiting}, {"while photos are uploaded too", uploading}} {
		at := func(q float64) time.Duration { return measure.Percentile(phase.times, q) }
		fmt.Printf("GET /cards %s: p50 %s, p99 %s, %.2f × that of idle\n", phase.name, measure.Milliseconds(at(0.5)),
			measure.Milliseconds(at(0.99)), float64(at(0.99))/float64(measure.Percentile(idle, 0.99)))
	}
	return nil
}
