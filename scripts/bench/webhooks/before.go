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

	"github.com/cardvault/cardvault/scripts/bench/measure"
)

// maxAgainstBefore is how much more processor time an event may take than in the earlier build.
const maxAgainstBefore = 1.05

// program is this program and the program cardvault, both of one build.
type program struct{ bench, service string }

// measureAgainstBefore has this build and an earlier one take turns, each by a process of its own that measures one
// round of bursts, and compares what an event costs. It does nothing if no earlier build is given.
func measureAgainstBefore(ctx context.Context, b *bench, t *table) error {
	if b.before == "" {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var kinds []string
	now, before := map[string][]figure{}, map[string][]figure{}
	for n := range b.rounds {
		for _, one := range []struct {
			name string
			program
			into map[string][]figure
		}{
			{"this build", program{self, b.service}, now},
			{"the earlier build", program{filepath.Join(b.before, "webhooks"), filepath.Join(b.before, "cardvault")}, before},
		} {
			figures, err := b.oneRound(ctx, one.program)
			if err != nil {
				return fmt.Errorf("%s: %w", one.name, err)
			}
			kinds = kinds[:0]
			for _, f := range figures {
				say("turn %d, %s: %s: %.0f/s, %.3f ms", n+1, one.name, f.kind, f.rate, f.cost)
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

// figure is what a round says of one kind of bursts.
type figure struct {
	kind string
	rate float64 // events a second
	cost float64 // milliseconds of processor time of an event
}

// roundLine is a line of standard error of every build of this program.
var roundLine = regexp.MustCompile(`^bench: round 1, (.+): ([0-9]+)/s, ([0-9.]+) ms`)

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
		found := roundLine.FindStringSubmatch(lines.Text())
		if found == nil {
			continue
		}
		f := figure{kind: found[1]}
		if f.rate, err = strconv.ParseFloat(found[2], 64); err != nil {
			return nil, err
		}
		if f.cost, err = strconv.ParseFloat(found[3], 64); err != nil {
			return nil, err
		}
		if figures = append(figures, f); f.kind == lastKind {
			return figures, nil
		}
	}
	return nil, errors.Join(errors.New("the round was not finished"), lines.Err())
}

// addAgainstBefore adds the medians of both builds and the median of the rounds' ratios.
func (t *table) addAgainstBefore(kind string, now, before []figure) {
	var ratios, rates []float64
	for i := range now {
		ratios = append(ratios, now[i].cost/before[i].cost)
		rates = append(rates, now[i].rate/before[i].rate)
	}
	costs := func(figures []figure) (costs []float64) {
		for _, f := range figures {
			costs = append(costs, f.cost)
		}
		return costs
	}
	ratio := measure.Median(ratios)
	name := fmt.Sprintf("%s, against the earlier build: processor time per event", kind)
	text := fmt.Sprintf("%.3f ms against %.3f ms: %.2f × (from %.2f to %.2f), rate %.2f ×", measure.Median(costs(now)), measure.Median(costs(before)),
		ratio, slices.Min(ratios), slices.Max(ratios), measure.Median(rates))
	t.add(name, text, "", fmt.Sprintf("≤ %.2f ×", maxAgainstBefore), ratio <= maxAgainstBefore)
}
