// Command soak keeps the webhook engine under a steady load for a long time and watches that nothing
// grows: the table of unfinished deliveries, the memory of each process, the backlog. It fails if something
// does, if an event does not arrive, or if one arrives twice. scripts/soak.sh builds and starts what it needs.
//
// The engines are processes of cardvault worker with default settings; publisher and sink are this
// process. Nothing leaves the machine.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// settings say how long and how hard.
type settings struct {
	database string        // the cluster's URL
	service  string        // the program cardvault
	work     string        // folder for logs and photos
	duration time.Duration // of the load
	warmUp   time.Duration // from its beginning; what is used then is what later use is held against
	every    time.Duration // between two lines of figures
	rate     int           // events a second
	engines  int           // processes
}

func main() {
	var s settings
	flag.StringVar(&s.database, "database", os.Getenv("CARDVAULT_DATABASE_URL"), "a cluster in which a database may be made and dropped")
	flag.StringVar(&s.service, "service", "", "the program cardvault")
	flag.StringVar(&s.work, "work", os.TempDir(), "folder for logs")
	flag.DurationVar(&s.duration, "duration", 10*time.Minute, "how long events are published")
	flag.DurationVar(&s.warmUp, "warm-up", 0, "how long of that is warm-up; 0 is a fifth")
	flag.DurationVar(&s.every, "every", 30*time.Second, "how often figures are printed")
	flag.IntVar(&s.rate, "rate", 500, "events a second")
	flag.IntVar(&s.engines, "engines", 2, "engine processes")
	flag.Parse()
	if s.warmUp == 0 {
		s.warmUp = s.duration / 5
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, s); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

// check refuses what would test nothing.
func (s settings) check() error {
	if s.rate < 1 || s.engines < 1 || s.duration < 20*time.Second || s.every < sampleEvery {
		return fmt.Errorf("-rate and -engines must be at least 1, -duration at least 20s and -every at least %v", sampleEvery)
	}
	if s.warmUp < sampleEvery || s.warmUp > s.duration/2 {
		return fmt.Errorf("-warm-up must be from %v to half of -duration", sampleEvery)
	}
	return nil
}

func run(ctx context.Context, s settings) (err error) {
	if err := s.check(); err != nil {
		return err
	}
	h, err := newHouse(ctx, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.close()) }()
	w := newWatch(h)
	load, cancel := context.WithCancel(ctx)
	defer cancel()
	published := make(chan error, 1)
	go func() { published <- h.publish(load) }()
	if err := w.until(ctx, published); err != nil {
		return err
	}
	if err := h.drain(ctx); err != nil {
		return err
	}
	if err := w.lookAndPrint(ctx); err != nil {
		return err
	}
	return errors.Join(h.sink.complete(h.committed.Load()), w.judge())
}
