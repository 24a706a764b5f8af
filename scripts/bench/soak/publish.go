package main

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/postgres"
)

// publishers is how many transactions may be under way at once.
const publishers = 16

// publish commits events as the service does, one transaction each, at an even rate until the time is over.
// It must keep up: else less would be tested than the figures say.
func (h *house) publish(ctx context.Context) error {
	total := int64(h.duration.Seconds()) * int64(h.rate)
	recorder := events.NewRecorder(h.outbox)
	group, ctx := errgroup.WithContext(ctx)
	began := time.Now()
	var next atomic.Int64
	for range publishers {
		group.Go(func() error {
			for i := next.Add(1) - 1; i < total; i = next.Add(1) - 1 {
				if err := sleepUntil(ctx, began.Add(time.Duration(i)*time.Second/time.Duration(h.rate))); err != nil {
					return err
				}
				err := clock.System.Write(ctx, h.db, h.accounts[i%owners], func(tx *postgres.Tx, stamp clock.Stamp) error {
					return recorder.Record(ctx, tx, stamp, numbered(i))
				})
				if err != nil {
					return fmt.Errorf("publishing: %w", err)
				}
				h.committed.Add(1)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if took := time.Since(began); took > h.duration+h.duration/20 {
		return fmt.Errorf("publishing took %v instead of %v: this machine cannot do %d events a second; give a lower -rate", took, h.duration, h.rate)
	}
	return nil
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

// numbered is the data of an event whose body has about 500 bytes and holds its number.
func numbered(i int64) events.BatchCompleted {
	return events.BatchCompleted{BatchID: "bat_soak", Name: strings.Repeat("Autumn ", 36), CardCount: int(i)}
}
