package main

import (
	"context"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cardvault/cardvault/internal/events"
)

// workersAtOnce is the number of publishers, and of senders of raw.
const workersAtOnce = 32

// Times are times in nanoseconds since 1970, by the number of the event.
type Times []int64

// paced calls do for 0 to count-1 from several workers. Call i starts at i times interval or later; with an interval of
// 0 calls start as soon as a worker is free. It returns the times that do returns.
func paced(ctx context.Context, count, workers int, interval time.Duration,
	do func(ctx context.Context, i int) (time.Time, error)) (Times, error) {
	done := make(Times, count)
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	began := time.Now()
	for range workers {
		group.Go(func() error {
			for i := int(next.Add(1)) - 1; i < count; i = int(next.Add(1)) - 1 {
				if err := sleepUntil(ctx, began.Add(time.Duration(i)*interval)); err != nil {
					return err
				}
				at, err := do(ctx, i)
				if err != nil {
					return err
				}
				done[i] = at.UnixNano()
			}
			return nil
		})
	}
	return done, group.Wait()
}

func sleepUntil(ctx context.Context, at time.Time) error {
	wait := time.Until(at)
	if wait <= 0 {
		return ctx.Err()
	}
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// numberField precedes an event's number in its body.
const numberField = `"card_count":`

// numbered is the data of a measured event: its body has about 500 bytes and holds its number.
func numbered(i int) events.BatchCompleted {
	return events.BatchCompleted{BatchID: "bat_benchmark", Name: strings.Repeat("Autumn ", 36), CardCount: i}
}

// numberedUpTo returns the data of events 0 to count-1.
func numberedUpTo(count int) []events.Data {
	all := make([]events.Data, count)
	for i := range all {
		all[i] = numbered(i)
	}
	return all
}

// numberOf reads an event's number from its body, or returns -1. It parses nothing else, so that the sink uses little
// processor time.
func numberOf(body string) int {
	_, rest, _ := strings.Cut(body, numberField)
	digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
	if n, err := strconv.Atoi(digits); err == nil {
		return n
	}
	return -1
}
