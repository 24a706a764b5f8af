package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/cardvault/cardvault/scripts/bench/measure"
)

// maxAgainstBefore is the aim for the processor time of an event, relative to the earlier build.
const maxAgainstBefore = 1.05

// program is this program and the program cardvault, both of one build.
type program struct{ bench, service string }

// turn is one round of a build.
type turn struct {
	name string
	program
	into map[string][]figure
}

// measureAgainstBefore runs this build and an earlier one in turns, each as a process that measures one round of
// bursts, and compares the processor time of an event. It does nothing if no earlier build is given.
func measureAgainstBefore(ctx context.Context, b *bench, t *table) error {
	if b.before == "" {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	earlier := program{filepath.Join(b.before, "webhooks"), filepath.Join(b.before, "cardvault")}
	var kinds []string
	now, before := map[string][]figure{}, map[string][]figure{}
	for n := range b.rounds {
		turns := []turn{{"this build", program{self, b.service}, now}, {"the earlier build", earlier, before}}
		if n%2 == 1 {
			slices.Reverse(turns) // the first of two is often the slower one
		}
		for _, one := range turns {
			figures, err := b.oneRound(ctx, one.program)
			if err != nil {
				return fmt.Errorf("%s: %w", one.name, err)
			}
			kinds = kinds[:0]
			for _, f := range figures {
				say("turn %d, %s: %s: %.0f/s, %s", n+1, one.name, f.kind, f.rate, f.costs)
				kinds = append(kinds, f.kind)
				one.into[f.kind] = append(one.into[f.kind], f)
			}
		}
	}
	for _, kind := range kinds {
		t.addAgainstBefore(kind, now[kind], before[kind])
	}
	return nil
}

// figure is a round's figure for a kind of bursts.
type figure struct {
	kind string
	rate float64 // events a second
	costs
}

// roundLine is a line of standard error of every build of this program, and costPart a part of it.
var (
	roundLine = regexp.MustCompile(`^bench: round 1, (.+): ([0-9]+)/s, [0-9.]+ ms \((.+)\)$`)
	costPart  = regexp.MustCompile(`(\w+) ([0-9]+\.[0-9]+)`)
)

// lastKind is the kind that every round ends with.
const lastKind = "raw"

// oneRound runs a build for one round of bursts and ends it then.
func (b *bench) oneRound(ctx context.Context, p program) ([]figure, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	command := exec.CommandContext(ctx, p.bench, "-database", b.database, "-service", p.service, "-work", b.work,
		"-rounds", "1", "-events", strconv.Itoa(b.events))
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGINT) }
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGINT}
	out, err := command.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	figures, err := readRound(out)
	cancel()
	_ = command.Wait() // it was interrupted
	return figures, err
}

// readRound reads figures until the last kind's.
func readRound(out io.Reader) (figures []figure, err error) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		match := roundLine.FindStringSubmatch(lines.Text())
		if match == nil {
			continue
		}
		f := figure{kind: match[1], costs: parseCosts(match[3])}
		if f.rate, err = strconv.ParseFloat(match[2], 64); err != nil {
			return nil, err
		}
		if figures = append(figures, f); f.kind == lastKind {
			return figures, nil
		}
	}
	return nil, errors.Join(errors.New("the round was not finished"), lines.Err())
}

// parseCosts reads the text in brackets of costs.String.
func parseCosts(text string) (c costs) {
	parts := map[string]*time.Duration{"publisher": &c.publisher, "engine": &c.engine, "PostgreSQL": &c.database,
		"sink": &c.sink}
	for _, match := range costPart.FindAllStringSubmatch(text, -1) {
		milliseconds, err := strconv.ParseFloat(match[2], 64)
		if part := parts[match[1]]; part != nil && err == nil {
			*part = time.Duration(milliseconds * float64(time.Millisecond))
		}
	}
	return c
}

// medianCosts returns the medians of the parts.
func medianCosts(figures []figure) costs {
	part := func(of func(costs) time.Duration) time.Duration {
		var all []time.Duration
		for _, f := range figures {
			all = append(all, of(f.costs))
		}
		return measure.Percentile(all, 0.5)
	}
	return costs{
		part(func(c costs) time.Duration { return c.publisher }), part(func(c costs) time.Duration { return c.engine }),
		part(func(c costs) time.Duration { return c.database }), part(func(c costs) time.Duration { return c.sink }),
	}
}

// addAgainstBefore adds the medians of both builds and the median of the rounds' ratios.
func (t *table) addAgainstBefore(kind string, now, before []figure) {
	var ratios, rates []float64
	for i := range now {
		ratios = append(ratios, now[i].total().Seconds()/before[i].total().Seconds())
		rates = append(rates, now[i].rate/before[i].rate)
	}
	ratio := measure.Median(ratios)
	name := fmt.Sprintf("%s, against the earlier build: processor time per event", kind)
	text := fmt.Sprintf("%.2f × (from %.2f to %.2f): %s, earlier %s; rate %.2f ×",
		ratio, slices.Min(ratios), slices.Max(ratios), medianCosts(now), medianCosts(before), measure.Median(rates))
	t.add(name, text, "", fmt.Sprintf("≤ %.2f ×", maxAgainstBefore), ratio <= maxAgainstBefore)
}
