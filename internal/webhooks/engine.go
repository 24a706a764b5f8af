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
	maxRefills = 4
	// laneKept is how long an endpoint's address, secret and window are remembered after its last
	// delivery.
	laneKept = time.Minute
	// claimTimeout bounds one claim with its look-ups, so that a connection that has gone silent holds up its
	// endpoint and no other for long.
	claimTimeout = 5 * time.Second
	// The pauses of what failed, until it is tried again.
	pauseMin, pauseMax = 100 * time.Millisecond, 5 * time.Second
)

// Engine sends due deliveries. Any number of engines may work on one database.
//
// It is a worker.Loop. Start does not wait for the database: while that is away, the engine pauses
// and goes on by itself.
type Engine struct {
	db      *postgres.DB
	clock   clock.Clock
	cfg     Config
	client  *http.Client
	outbox  *Outbox
	metrics *metrics
	results *completer
	stats   *statistics

	poke       chan struct{}
	quit, done chan struct{}
	sendCtx    context.Context // of all exchanges; ends when Stop's patience does
	cutOff     context.CancelFunc
	unlisten   func()
	flying     sync.WaitGroup // exchanges, claims and polls under way

	mu       sync.Mutex
	running  bool
	lanes    map[laneKey]*lane
	ready    []*lane          // sendable lanes, served in turn
	asking   []*lane          // hungry lanes, served in turn
	refills  int              // under way
	held     map[string]*work // everything on lease, until its result is stored
	crowded  map[string]int   // by account: lanes that are full
	tempo    tempo
	inFlight int
	retrying int // of inFlight, those that are not first attempts

	polled     place // where the next poll begins
	polledAll  time.Time
	dueCounted time.Time
}

var _ worker.Loop = (*Engine)(nil)

// NewEngine returns a stopped engine. While it runs, outbox hands it this process's deliveries.
func NewEngine(db *postgres.DB, c clock.Clock, guard *netguard.Guard, cfg Config, outbox *Outbox) (*Engine, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	e := &Engine{
		db: db, clock: c, cfg: cfg, outbox: outbox, metrics: newMetrics(), stats: &statistics{db: db.SQL()},
		client: guard.Client(netguard.Options{MaxIdle: cfg.InFlight, MaxIdlePerHost: keptPerHost * cfg.InFlightPerEndpoint}),
		poke:   make(chan struct{}, 1),
		lanes:  map[laneKey]*lane{}, held: map[string]*work{}, crowded: map[string]int{},
	}
	e.results = newCompleter(e)
	return e, nil
}

// Start implements worker.Loop.
func (e *Engine) Start(ctx context.Context) error {
	e.sendCtx, e.cutOff = context.WithCancel(context.WithoutCancel(ctx))
	e.quit, e.done = make(chan struct{}), make(chan struct{})
	e.mu.Lock()
	e.running = true
	e.mu.Unlock()
	e.results.start(e.sendCtx)
	go e.run()
	e.unlisten = func() {}
	if e.cfg.ListenURL != "" {
		e.unlisten = listen(e.cfg.ListenURL, e.hear)
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
	e.release(e.unload())
	e.mu.Unlock()

	landed := make(chan struct{})
	go func() {
		e.flying.Wait()
		e.results.stop()
		close(landed)
	}()
	select {
	case <-landed:
		e.cutOff()
		return nil
	case <-ctx.Done():
		e.cutOff()
		<-landed
		return fmt.Errorf("webhooks.Engine.Stop: %w", ctx.Err())
	}
}

// Wake has the engine look for due deliveries now. Many calls before it does are one.
func (e *Engine) Wake() {
	if e == nil {
		return
	}
	e.pokePoll()
}

func (e *Engine) pokePoll() { signal(e.poke) }

// newLease returns a fresh claim. Until sendBy there is time for a whole exchange and for as much
// again to store its result before the lease ends.
func (e *Engine) newLease() lease {
	var raw [8]byte
	rand.Read(raw[:])
	return lease{
		claim:  int64(binary.BigEndian.Uint64(raw[:])>>1) | 1, // never 0
		length: e.cfg.Lease,
		sendBy: time.Now().Add((e.cfg.Lease - e.cfg.Timeout) / 2),
	}
}
