// Command webhooks measures the webhook engine under bursts, under a steady load, and with slow and failing endpoints.
// It creates databases in a cluster with durable commits and prints a Markdown table of figures and aims.
// scripts/bench-webhooks.sh builds it and starts the cluster.
//
// Publisher, engine, sink and PostgreSQL are separate processes, so that their processor time is measured separately.
// For comparison, "raw" sends the same signed requests in a loop without a database. All traffic stays on this machine.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"
)

// settings say what to measure and for how long.
type settings struct {
	database string        // the cluster's URL
	service  string        // the program cardvault
	before   string        // folder with an earlier build's programs webhooks and cardvault, or "" for no comparison
	work     string        // folder for logs and photos
	profile  string        // file for a CPU profile of the engine, or "" for none
	events   int           // of a burst
	rounds   int           // bursts per kind
	steady   time.Duration // how long the steady load lasts
	trouble  time.Duration // how long deliveries are watched, idle and beside endpoints in trouble
	pairs    int           // comparisons of endpoints that hang with endpoints that respond
	only     string        // the measurement to make; "" for all
	limit    time.Duration // for all of it
}

func main() {
	var s settings
	role := flag.String("role", "", "run as one of the helpers that this program starts: sink, publisher or raw")
	flag.StringVar(&s.database, "database", os.Getenv("CARDVAULT_DATABASE_URL"),
		"a cluster in which databases may be made and dropped")
	flag.StringVar(&s.service, "service", "", "the program cardvault")
	flag.StringVar(&s.before, "before", "",
		"folder with the programs webhooks and cardvault of an earlier build, to compare with")
	flag.StringVar(&s.work, "work", os.TempDir(), "folder for logs")
	flag.StringVar(&s.profile, "profile", "",
		"file for a CPU profile of the engine, taken in a burst that does not count")
	flag.IntVar(&s.events, "events", 20_000, "events of a burst")
	flag.IntVar(&s.rounds, "rounds", 2, "bursts of each kind")
	flag.DurationVar(&s.steady, "steady", 10*time.Second, "how long the steady load lasts")
	flag.DurationVar(&s.trouble, "trouble", 6*time.Second,
		"how long deliveries are watched, idle and beside endpoints in trouble")
	flag.IntVar(&s.pairs, "pairs", 5, "comparisons of endpoints that hang with endpoints that respond")
	flag.StringVar(&s.only, "only", "", "make only one measurement: before, bursts, steady, isolation or hanging")
	flag.DurationVar(&s.limit, "limit", 7*time.Minute, "give up after this")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	if err := runAs(ctx, *role, s); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func runAs(ctx context.Context, role string, s settings) error {
	switch role {
	case "":
		return run(ctx, s)
	case "sink":
		return serveSink()
	case "publisher":
		return serveHelper(&Publisher{})
	case "raw":
		return serveHelper(newRaw())
	}
	return fmt.Errorf("there is no role %q", role)
}

// check returns an error for settings with which nothing would be measured.
func (s settings) check() error {
	if s.events < 1 || s.rounds < 1 || s.pairs < 1 || s.steady < time.Second || s.trouble < time.Second {
		return errors.New("-events, -rounds and -pairs must be at least 1, -steady and -trouble at least 1s")
	}
	named := func(m measurement) bool { return s.only == "" || m.name == s.only }
	if !slices.ContainsFunc(measurements, named) {
		return fmt.Errorf("there is no measurement %q", s.only)
	}
	return nil
}

// measurement adds figures to the table.
type measurement struct {
	name string
	run  func(context.Context, *bench, *table) error
}

var measurements = []measurement{
	{"before", measureAgainstBefore}, {"bursts", measureBursts}, {"steady", measureSteady},
	{"isolation", measureIsolation}, {"hanging", measureHanging},
}

func run(ctx context.Context, s settings) error {
	if err := s.check(); err != nil {
		return err
	}
	b, err := newBench(ctx, s)
	if err != nil {
		return err
	}
	defer b.close()
	description, err := b.describe(ctx)
	if err != nil {
		return err
	}
	t := &table{description: description}
	defer t.print(os.Stdout) // what there is, where the limit ends the run early
	for _, m := range measurements {
		if s.only != "" && m.name != s.only {
			continue
		}
		if err := m.run(ctx, b, t); err != nil {
			return err
		}
	}
	return nil
}
