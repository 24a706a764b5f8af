package main

import (
	"context"
	"time"
)

// steadyRate is the events a second of the steady load, steadyP95 the aim for it.
const (
	steadyRate = 200
	steadyP95  = 25 * time.Millisecond
)

// measureSteady compares engine and raw at a steady load, from commit, or for raw from the
// beginning of the request, to the arrival at the sink.
func measureSteady(ctx context.Context, b *bench, t *table) error {
	h, err := b.newEnvironment(ctx, "steady", workersAtOnce)
	if err != nil {
		return err
	}
	defer h.close()
	if _, err := h.steady(ctx, time.Second, steadyRate); err != nil {
		return err
	}
	took, err := h.steady(ctx, b.steady, steadyRate)
	if err != nil {
		return err
	}
	begun, got, err := b.sendRaw(ctx, int(b.steady.Seconds()*steadyRate), time.Second/steadyRate)
	if err != nil {
		return err
	}
	t.addSteady(took, latencies(begun, got.At))
	return nil
}

// steady publishes events at a rate for a time and returns their latencies.
func (h *environment) steady(ctx context.Context, length time.Duration, perSecond int) ([]time.Duration, error) {
	count := int(length.Seconds() * float64(perSecond))
	times, got, err := h.publish(ctx, Publication{Count: count, Interval: time.Second / time.Duration(perSecond)})
	if err != nil {
		return nil, err
	}
	return latencies(times, got.At), nil
}
