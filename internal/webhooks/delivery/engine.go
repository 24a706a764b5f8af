// Package delivery creates, sends and retries the deliveries of events to webhook endpoints.
//
// Outbox creates a delivery for each event and subscribed endpoint, in the transaction of the event. Engine claims due
// deliveries, sends them and stores the results. NewUpkeep returns the loop that maintains the tables.
//
// The engine consists of a scheduler and of effects around it. The scheduler holds all state in memory and decides
// which attempts and fetches start; it knows neither the database nor HTTP nor goroutines. Engine.update changes it
// under a mutex and starts what it decided: an attempt sends a request, a fetch claims deliveries and loads the
// endpoint, the completer stores results in batches. Polls and the notifier tell the scheduler which endpoints have due
// deliveries.
//
// A claim gives a delivery a lease. Results are stored only if the claim is still valid, so an engine that lost its
// lease changes nothing. A crash loses no committed delivery: another process notices the crash and calls
// Outbox.Release, or the lease expires, and any engine claims it. A delivery may be sent twice, but never with another
// body: the package never changes an event.
package delivery

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/netguard"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/worker"
)

// Limits and timeouts of the engine.
const (
	// maxFetches limits the database connections that fetches use at the same time.
	maxFetches = 4
	// queueIdleTimeout is how long an unused queue, with its target and window, is kept in memory.
	queueIdleTimeout = time.Minute
	// claimTimeout limits a claim and the reads that follow it, so that a dead connection delays only one endpoint.
	claimTimeout = 5 * time.Second
	// The delay before a failed database operation is retried doubles from minBackoff up to maxBackoff.
	minBackoff, maxBackoff = 100 * time.Millisecond, 5 * time.Second
)

// Engine sends due deliveries. Several engines can use the same database.
//
// It implements worker.Loop. Start does not need the database: while the database is not available, the engine
// retries.
type Engine struct {
	db        *postgres.DB
	clock     clock.Clock
	cfg       Config
	client    *http.Client
	outbox    *Outbox
	metrics   *metrics
	completer *completer
	planner   *plannerStatistics

	pollRequests chan struct{}
	quit, done   chan struct{}
	sendCtx      context.Context // of all requests; canceled after the shutdown timeout of Stop
	cancelSend   context.CancelFunc
	unlisten     func()
	tasks        sync.WaitGroup // running attempts, fetches and polls

	mu                  sync.Mutex
	scheduler           *scheduler
	position            pollPosition // where the next poll starts
	lastFullPoll        time.Time
	missedNotifications bool // since the last poll
	lastDueCount        time.Time
}

var _ worker.Loop = (*Engine)(nil)

// NewEngine returns a stopped engine. While the engine runs, outbox passes it the deliveries that this process
// commits.
func NewEngine(db *postgres.DB, c clock.Clock, guard *netguard.Guard, cfg Config, outbox *Outbox) (*Engine, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	e := &Engine{
		db: db, clock: c, cfg: cfg, outbox: outbox, metrics: newMetrics(), planner: &plannerStatistics{db: db.SQL()},
		client: guard.Client(netguard.Options{MaxIdle: cfg.InFlight,
			MaxIdlePerHost: idleConnsFactor * cfg.InFlightPerEndpoint, RepeatClosed: true}),
		pollRequests: make(chan struct{}, 1),
		scheduler:    newScheduler(cfg.InFlight, cfg.InFlightPerEndpoint),
	}
	e.completer = newCompleter(e)
	return e, nil
}

// Start implements worker.Loop.
func (e *Engine) Start(ctx context.Context) error {
	e.sendCtx, e.cancelSend = context.WithCancel(context.WithoutCancel(ctx))
	e.quit, e.done = make(chan struct{}), make(chan struct{})
	e.completer.start(e.sendCtx)
	e.update(func(s *scheduler, _ time.Time) { s.running = true })
	go e.run()
	e.unlisten = func() {}
	if e.cfg.ListenURL != "" {
		e.unlisten = listen(e.cfg.ListenURL, e.onNotification)
	}
	e.outbox.attach(e)
	return nil
}

// Stop implements worker.Loop. It waits until the running attempts finish and their results are stored. Leased
// deliveries whose attempt has not begun are released. When ctx ends, running attempts are canceled.
func (e *Engine) Stop(ctx context.Context) error {
	defer e.client.CloseIdleConnections()
	e.outbox.attach(nil)
	e.unlisten()
	close(e.quit)
	<-e.done
	e.update(func(s *scheduler, _ time.Time) { s.stop() })

	drained := make(chan struct{})
	go func() {
		e.tasks.Wait()
		e.completer.stop()
		close(drained)
	}()
	select {
	case <-drained:
		e.cancelSend()
		return nil
	case <-ctx.Done():
		e.cancelSend()
		<-drained
		return fmt.Errorf("stop engine: %w", ctx.Err())
	}
}

// Wake requests a poll. Several calls before the poll starts cause one poll.
func (e *Engine) Wake() {
	if e == nil {
		return
	}
	e.requestPoll()
}

func (e *Engine) requestPoll() { signal(e.pollRequests) }

// newLease returns a lease with a new claim id. After sendBy, half of the remaining lease is left for the attempt and
// half for storing its result.
func (e *Engine) newLease() lease {
	return lease{
		id:     e.db.Process().NewClaim(),
		length: e.cfg.Lease,
		sendBy: time.Now().Add((e.cfg.Lease - e.cfg.Timeout) / 2),
	}
}
