package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/cardvault/cardvault/scripts/bench/measure"

	"github.com/cardvault/cardvault/internal/postgres"
)

// bench holds the cluster and the helper processes of all measurements.
type bench struct {
	settings
	key     []byte // seals the endpoints' secrets
	cluster *postgres.DB
	server  measure.Process // the process number of PostgreSQL's postmaster

	publisher, sink, raw *helper
	sinkURL              string
}

// newBench starts the helpers.
func newBench(ctx context.Context, s settings) (b *bench, err error) {
	b = &bench{settings: s, key: make([]byte, 32)}
	rand.Read(b.key) // never fails
	defer func() {
		if err != nil {
			b.close()
		}
	}()
	if b.cluster, err = postgres.Open(postgres.Config{URL: s.database}); err != nil {
		return b, err
	}
	if b.server, err = measure.Postmaster(ctx, b.cluster.SQL()); err != nil {
		return b, err
	}
	for role, h := range map[string]**helper{"publisher": &b.publisher, "sink": &b.sink, "raw": &b.raw} {
		if *h, err = startHelper(ctx, role); err != nil {
			return b, fmt.Errorf("%s: %w", role, err)
		}
	}
	return b, b.sink.call(ctx, "Sink.URL", struct{}{}, &b.sinkURL)
}

func (b *bench) close() {
	for _, h := range []*helper{b.publisher, b.sink, b.raw} {
		if h != nil {
			h.stop()
		}
	}
	if b.cluster != nil {
		b.cluster.Close()
	}
}

// describe returns lines about the machine and the database of the measurement.
func (b *bench) describe(ctx context.Context) ([]string, error) {
	server, err := measure.Server(ctx, b.cluster.SQL())
	return []string{
		measure.Machine(),
		runtime.Version() + "; publisher, engine, PostgreSQL and sink share the machine",
		server,
	}, err
}

// arrivals waits until the sink has everything it expects.
func (b *bench) arrivals(ctx context.Context) (Arrivals, error) {
	var got Arrivals
	if err := b.sink.call(ctx, "Sink.Wait", patience, &got); err != nil {
		return got, err
	}
	return got, got.check()
}

// patience bounds the wait for the last event.
const patience = time.Minute

// say prints progress.
func say(format string, args ...any) { fmt.Fprintf(os.Stderr, "bench: "+format+"\n", args...) }
