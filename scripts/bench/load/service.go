package main

import (
	"context"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/scripts/bench/measure"
)

// The aims for the service alone.
const (
	maxDepthRatio = 1.2
	maxMemory     = 150 << 20 // bytes
	maxStartUp    = time.Second
)

const startUps = 5

// measureStartUp starts the service several times.
func measureStartUp(ctx context.Context, s settings, t *table) error {
	var took []float64
	for range startUps {
		p, err := startService(ctx, s, "service", s.build)
		if err != nil {
			return err
		}
		p.stop()
		took = append(took, p.startUp.Seconds())
	}
	value := time.Duration(measure.Median(took) * float64(time.Second))
	t.add(fmt.Sprintf("Start-up to the first 200 of /readyz, median of %d", startUps), seconds(value), "", "",
		"≤ "+seconds(maxStartUp), value <= maxStartUp)
	return nil
}

// measureMemory reads the peak resident memory of the service.
func measureMemory(p *process, t *table) error {
	most, err := p.pid().Memory("VmHWM")
	if err != nil {
		return err
	}
	t.add("Resident memory, the most during all of this", mebibytes(most), "", "", "≤ "+mebibytes(maxMemory),
		most <= maxMemory)
	return nil
}

const (
	depthPages = 10  // how many pages are compared at either depth
	depthTurns = 100 // how often each is asked for
)

// measureDepth compares the first pages of the list with those up to deepPage, in turns, on one
// connection, in both of the list's orders.
func measureDepth(ctx context.Context, stock *stock, s settings, p *process, t *table) error {
	c, err := dial(ctx, p.addr)
	if err != nil {
		return err
	}
	defer c.Close()
	for _, list := range []struct {
		name    string
		targets []string
	}{{"newest first", stock.created}, {"by updated_since", stock.updated}} {
		var first, deep []time.Duration
		for i := range depthTurns * depthPages {
			n := i % depthPages
			if err := c.timed(request("GET", list.targets[n], s.token, ""), &first); err != nil {
				return err
			}
			if err := c.timed(request("GET", list.targets[deepPage-depthPages+n], s.token, ""), &deep); err != nil {
				return err
			}
		}
		near, far := measure.Percentile(first, 0.5), measure.Percentile(deep, 0.5)
		ratio := float64(far) / float64(near)
		t.add(fmt.Sprintf("Page %d of a list, p50 against page 1, %s", deepPage, list.name),
			measure.Milliseconds(far)+" against "+measure.Milliseconds(near), "",
			times(ratio), "≤ "+times(maxDepthRatio), ratio <= maxDepthRatio)
	}
	return nil
}

func (c *connection) timed(request []byte, took *[]time.Duration) error {
	began := time.Now()
	err := c.do(request)
	*took = append(*took, time.Since(began))
	return err
}
