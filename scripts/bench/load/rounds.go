package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/cardvault/cardvault/scripts/bench/measure"

	"golang.org/x/sync/errgroup"
)

// maxP99 is the aim for the 99th percentile of an operation's times.
const maxP99 = 30 * time.Millisecond

// warmUp is a round that is not measured. It opens connections, prepares statements and fills caches.
const warmUp = 2 * time.Second

// sample is the measurement of one program, in one round or summed over several.
type sample struct {
	took     []time.Duration // each request's
	rates    []float64       // each round's requests a second
	program  time.Duration   // processor time of the program, on all cores
	database time.Duration   // processor time of PostgreSQL
}

// entrant is a program in a comparison, with its requests.
type entrant struct {
	*process
	operation
}

// compare measures an operation with the entrants in turns and returns a sample per entrant.
func compare(ctx context.Context, s settings, entrants ...entrant) ([]sample, error) {
	for _, e := range entrants {
		if _, err := round(ctx, s, e, warmUp); err != nil {
			return nil, err
		}
	}
	samples := make([]sample, len(entrants))
	for n := range s.rounds {
		progress := fmt.Sprintf("bench: %s, round %d:", entrants[0].operation.name, n+1)
		for i, e := range entrants {
			one, err := round(ctx, s, e, s.round)
			if err != nil {
				return nil, err
			}
			samples[i].add(one)
			progress += fmt.Sprintf(" %s %.0f/s", e.process.name, one.rates[0])
		}
		fmt.Fprintln(os.Stderr, progress)
	}
	return samples, nil
}

// ratio returns the median of the ratios of two programs' rates, by round, so that a slow machine slows both.
func (s *sample) ratio(to sample) float64 {
	ratios := make([]float64, min(len(s.rates), len(to.rates)))
	for n := range ratios {
		ratios[n] = s.rates[n] / to.rates[n]
	}
	return measure.Median(ratios)
}

// round sends the operation's requests over all connections for the given time.
func round(ctx context.Context, s settings, e entrant, length time.Duration) (sample, error) {
	p, o := e.process, e.operation
	connections := make([]*connection, len(o.next))
	for i := range connections {
		c, err := dial(ctx, p.addr)
		if err != nil {
			return sample{}, err
		}
		defer c.Close()
		connections[i] = c
	}
	began, err := readUsage(p, s.server)
	if err != nil {
		return sample{}, err
	}
	took := make([][]time.Duration, len(connections))
	group, ctx := errgroup.WithContext(ctx)
	for i, c := range connections {
		group.Go(func() (err error) {
			took[i], err = c.repeat(ctx, o.next[i], began.at.Add(length))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return sample{}, fmt.Errorf("%s: %s: %w", o.name, p.name, err)
	}
	end, err := readUsage(p, s.server)
	all := slices.Concat(took...)
	return sample{
		took: all, rates: []float64{float64(len(all)) / end.at.Sub(began.at).Seconds()},
		program: end.program - began.program, database: end.database - began.database,
	}, err
}

// usage is the processor time used up to a moment.
type usage struct {
	at                time.Time
	program, database time.Duration
}

func readUsage(p *process, server measure.Process) (u usage, err error) {
	if u.program, err = p.pid().Used(); err != nil {
		return u, err
	}
	u.database, err = server.UsedByFamily()
	u.at = time.Now()
	return u, err
}

// repeat sends requests one after the other until the given time.
func (c *connection) repeat(ctx context.Context, next func() []byte, until time.Time) ([]time.Duration, error) {
	took := make([]time.Duration, 0, 1<<14)
	for began := time.Now(); began.Before(until); {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := c.do(next()); err != nil {
			return nil, err
		}
		end := time.Now()
		took = append(took, end.Sub(began))
		began = end
	}
	return took, nil
}

func (s *sample) add(one sample) {
	s.took = append(s.took, one.took...)
	s.rates = append(s.rates, one.rates...)
	s.program += one.program
	s.database += one.database
}

// perRequest returns the processor time that one request cost the program and PostgreSQL.
func (s *sample) perRequest() (program, database time.Duration) {
	n := time.Duration(max(1, len(s.took)))
	return s.program / n, s.database / n
}

// total returns the seconds of processor time that one request cost altogether.
func (s *sample) total() float64 {
	program, database := s.perRequest()
	return (program + database).Seconds()
}
