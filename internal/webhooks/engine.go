package webhooks

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/netguard"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/worker"
)

// How the engine looks after itself.
const (
	// maxRefills is how many of the pool's connections claims may use at once.
	maxFetches = 4
	// laneKept is how long an endpoint's address, secret and window are remembered after its last
	// delivery.
	queueIdleTimeout = time.Minute
	// claimTimeout bounds one claim with its look-ups, so that a connection that has gone silent holds up its
	// endpoint and no other for long.
	claimTimeout = 5 * time.Second
	// The pauses of what failed, until it is tried again.
	minRetryPause, maxRetryPause = 100 * time.Millisecond, 5 * time.Second
)

// Engine sends due deliveries. Any number of engines may work on one database.
//
// It is a worker.Loop. Start does not wait for the database: while that is away, the engine pauses
// and goes on by itself.
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
	sendCtx      context.Context // of all exchanges; ends when Stop's patience does
	cancelSend   context.CancelFunc
	unlisten     func()
	tasks        sync.WaitGroup // exchanges, claims and polls under way

	mu             sync.Mutex
	running        bool
	queues         map[endpointKey]*endpointQueue
	ready          []*endpointQueue // sendable lanes, served in turn
	waitingToClaim []*endpointQueue // hungry lanes, served in turn
	fetches        int              // under way
	leased         map[string]*job  // everything on lease, until its result is stored
	saturated      map[string]int   // by account: lanes that are full
	throttle       throttle
	inFlight       int
	retrying       int // of inFlight, those that are not first attempts

	position     pollPosition // where the next poll begins
	lastFullPoll time.Time
	lastDueCount time.Time
}

var _ worker.Loop = (*Engine)(nil)

// NewEngine returns a stopped engine. While it runs, outbox hands it this process's deliveries.
func NewEngine(db *postgres.DB, c clock.Clock, guard *netguard.Guard, cfg Config, outbox *Outbox) (*Engine, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	e := &Engine{
		db: db, clock: c, cfg: cfg, outbox: outbox, metrics: newMetrics(), planner: &plannerStatistics{db: db.SQL()},
		client:       guard.Client(netguard.Options{MaxIdle: cfg.InFlight, MaxIdlePerHost: idleConnsFactor * cfg.InFlightPerEndpoint}),
		pollRequests: make(chan struct{}, 1),
		queues:       map[endpointKey]*endpointQueue{}, leased: map[string]*job{}, saturated: map[string]int{},
	}
	e.completer = newCompleter(e)
	return e, nil
}

// Start implements worker.Loop.
func (e *Engine) Start(ctx context.Context) error {
	e.sendCtx, e.cancelSend = context.WithCancel(context.WithoutCancel(ctx))
	e.quit, e.done = make(chan struct{}), make(chan struct{})
	e.mu.Lock()
	e.running = true
	e.mu.Unlock()
	e.completer.start(e.sendCtx)
	go e.run()
	e.unlisten = func() {}
	if e.cfg.ListenURL != "" {
		e.unlisten = listen(e.cfg.ListenURL, e.onNotification)
	}
	e.outbox.attach(e)
	return nil
}

// Stop implements worker.Loop: exchanges under way come to their end and are stored; what was
// leased and not begun is given back at once.
func (e *Engine) Stop(ctx context.Context) error {
	defer e.client.CloseIdleConnections()
	e.outbox.attach(nil)
	e.unlisten()
	close(e.quit)
	<-e.done
	e.mu.Lock()
	e.running = false
	e.release(e.drainAll())
	e.mu.Unlock()

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
		return fmt.Errorf("webhooks.Engine.Stop: %w", ctx.Err())
	}
}

// Wake has the engine look for due deliveries now. Many calls before it does are one.
func (e *Engine) Wake() {
	if e == nil {
		return
	}
	e.requestPoll()
}

func (e *Engine) requestPoll() { signal(e.pollRequests) }

// newLease returns a fresh claim. Until sendBy there is time for a whole exchange and for as much
// again to store its result before the lease ends.
func (e *Engine) newLease() lease {
	var raw [8]byte
	rand.Read(raw[:])
	return lease{
		id:     int64(binary.BigEndian.Uint64(raw[:])>>1) | 1, // never 0
		length: e.cfg.Lease,
		sendBy: time.Now().Add((e.cfg.Lease - e.cfg.Timeout) / 2),
	}
}
