package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/cardvault/cardvault/scripts/bench/measure"

	"golang.org/x/sync/errgroup"
)

// The aims for bursts.
const (
	minRate = 2500                   // events a second, until the last is delivered
	maxCost = 350 * time.Microsecond // processor time of an event, in all processes together
)

// warmUp is a burst that is not measured. It opens connections, prepares statements and fills caches.
const warmUp = 1000

// burst is the result of one burst.
type burst struct {
	rate  float64 // events a second, from the first's beginning to the last's arrival
	costs costs   // of one event
	again int     // events that came more than once
}

// costs is the processor time by process. raw's sender counts as engine.
type costs struct{ publisher, engine, database, sink time.Duration }

func (c costs) total() time.Duration { return c.publisher + c.engine + c.database + c.sink }

// bulk is the number of events of a transaction that changes many cards.
const bulk = 100

// measureBursts measures engine and raw in turns, round by round, so that a machine that slows down slows both: 32
// accounts with a publisher each, then all publishers in one account, then events of bulk changes, then commits and
// reads alone, then raw.
func measureBursts(ctx context.Context, b *bench, t *table) error {
	many, err := b.newEnvironment(ctx, "burst", workersAtOnce)
	if err != nil {
		return err
	}
	defer many.close()
	one := *many
	one.accounts = many.accounts[:1]
	kinds := []struct {
		name string
		send func(ctx context.Context, events int) (burst, error)
	}{
		{"32 publishers, an account each", many.burst},
		{"32 publishers, all in one account", one.burst},
		{fmt.Sprintf("%d to a transaction", bulk), many.bulkBurst},
		{"commits alone", many.alone("Publisher.Commit", 1)},
		{"reads alone", many.alone("Publisher.Read", 5)},
		{lastKind, b.rawBurst},
	}
	const engines = 3 // kinds that deliver
	got := make([][]burst, len(kinds))
	for n := range b.rounds + 1 {
		events := b.events
		if n == 0 {
			events = min(warmUp, events)
		}
		for i, kind := range kinds {
			result, err := kind.send(ctx, events)
			if err != nil {
				return fmt.Errorf("%s: %w", kind.name, err)
			}
			if n > 0 {
				fmt.Fprintln(os.Stderr, roundText(n, kind.name, result))
				got[i] = append(got[i], result)
			}
		}
	}
	for i, kind := range kinds[:engines] {
		t.addBursts(fmt.Sprintf("%d events, %s", b.events, kind.name), got[i], got[len(kinds)-1])
	}
	t.addYardstick("durable transactions of one small row, without events", got[engines])
	t.addYardstick(fmt.Sprintf("rows read by primary key over %d connections", readers), got[engines+1])
	return many.takeProfile(ctx)
}

// roundText is the progress line of a round's burst; readRound reads it.
func roundText(n int, kind string, b burst) string {
	return fmt.Sprintf("bench: round %d, %s: %.0f/s, %s", n, kind, b.rate, b.costs)
}

// burst publishes events as fast as possible and waits until they are delivered and their results are stored.
func (h *environment) burst(ctx context.Context, events int) (burst, error) {
	return h.send(ctx, Publication{Count: events})
}

func (h *environment) bulkBurst(ctx context.Context, events int) (burst, error) {
	return h.send(ctx, Publication{Count: events, Together: bulk})
}

// alone measures another method of the publisher, with factor calls for each event of the other bursts.
func (h *environment) alone(what string, factor int) func(ctx context.Context, events int) (burst, error) {
	return func(ctx context.Context, events int) (burst, error) {
		times := factor * events
		// The first is preparation.
		if err := h.publisher.call(ctx, what, 1, &struct{}{}); err != nil {
			return burst{}, err
		}
		began, err := h.usage(h.publisher.pid(), 0)
		if err != nil {
			return burst{}, err
		}
		start := time.Now()
		if err := h.publisher.call(ctx, what, times, &struct{}{}); err != nil {
			return burst{}, err
		}
		took := time.Since(start)
		end, err := h.usage(h.publisher.pid(), 0)
		c := end.since(began, times)
		c.sink = 0 // idle
		return burst{rate: float64(times) / took.Seconds(), costs: c}, err
	}
}

func (h *environment) send(ctx context.Context, o Publication) (burst, error) {
	began, err := h.usage(h.publisher.pid(), h.engine.pid())
	if err != nil {
		return burst{}, err
	}
	start := time.Now()
	_, got, err := h.publish(ctx, o)
	if err != nil {
		return burst{}, err
	}
	if err := h.waitStored(ctx); err != nil {
		return burst{}, err
	}
	end, err := h.usage(h.publisher.pid(), h.engine.pid())
	return burst{rate(start, got.At), end.since(began, o.Count), got.Duplicates}, err
}

// rawBurst sends the same requests without a database.
func (b *bench) rawBurst(ctx context.Context, events int) (burst, error) {
	began, err := b.usage(0, b.raw.pid())
	if err != nil {
		return burst{}, err
	}
	start := time.Now()
	_, got, err := b.sendRaw(ctx, events, 0)
	if err != nil {
		return burst{}, err
	}
	end, err := b.usage(0, b.raw.pid())
	c := end.since(began, events)
	c.database = 0 // idle, but for its own housekeeping
	return burst{rate(start, got.At), c, got.Duplicates}, err
}

// sendRaw has raw send and returns when each request was begun and when it came.
func (b *bench) sendRaw(ctx context.Context, count int, interval time.Duration) (begun Times, got Arrivals, err error) {
	const path, secret = "/raw", "whsec_benchmark"
	if err := b.sink.call(ctx, "Sink.Expect", Expectation{map[string]string{path: secret}, count},
		&struct{}{}); err != nil {
		return nil, got, err
	}
	if err := b.raw.call(ctx, "Raw.Send", Sending{b.sinkURL + path, secret, count, interval}, &begun); err != nil {
		return nil, got, err
	}
	got, err = b.arrivals(ctx)
	return begun, got, err
}

// usage reads the processor time that each process has used; a publisher or an engine of 0 is none.
func (b *bench) usage(publisher, engine measure.Process) (c costs, err error) {
	for _, part := range []struct {
		pid  measure.Process
		into *time.Duration
	}{{publisher, &c.publisher}, {engine, &c.engine}, {b.server, &c.database}, {b.sink.pid(), &c.sink}} {
		if part.pid == 0 {
			continue
		}
		if *part.into, err = part.pid.UsedByFamily(); err != nil {
			return c, err
		}
	}
	return c, nil
}

// since returns the cost per event since an earlier reading.
func (c costs) since(began costs, events int) costs {
	n := time.Duration(max(1, events))
	return costs{
		(c.publisher - began.publisher) / n, (c.engine - began.engine) / n,
		(c.database - began.database) / n, (c.sink - began.sink) / n,
	}
}

// rate returns arrivals a second up to the last.
func rate(start time.Time, at Times) float64 {
	if len(at) == 0 {
		return 0
	}
	return float64(len(at)) / time.Unix(0, slices.Max(at)).Sub(start).Seconds()
}

// takeProfile takes a CPU profile of the engine during a burst, if -profile is set.
func (h *environment) takeProfile(ctx context.Context) error {
	if h.profile == "" {
		return nil
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		_, err := h.burst(ctx, h.events)
		return err
	})
	group.Go(func() error {
		var profile bytes.Buffer
		if err := h.engine.get(ctx, "/debug/pprof/profile?seconds=5", &profile); err != nil {
			return err
		}
		return os.WriteFile(h.bench.profile, profile.Bytes(), 0o600)
	})
	return group.Wait()
}
