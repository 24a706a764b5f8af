package webhooks

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"log/slog"
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
	// pollGap is the shortest time between two polls, however often it is woken.
	pollGap = 5 * time.Millisecond
	// maxRefills is how many of the pool's connections claims may use at once.
	maxRefills = 4
	// laneKept is how long an endpoint's address, secret and window are remembered after its last
	// delivery.
	laneKept = time.Minute
	// databaseTimeout bounds one statement, so that a database that hangs is seen as away.
	databaseTimeout = 10 * time.Second
	// The pauses while the database is away.
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
	finish  *finisher
	stats   *statistics

	poke       chan struct{}
	quit, done chan struct{}
	sendCtx    context.Context // of all exchanges; ends when Stop's patience does
	cutOff     context.CancelFunc
	unlisten   func()
	dueCounted time.Time      // only the goroutine of run knows it
	flying     sync.WaitGroup // exchanges and refills under way

	mu       sync.Mutex
	running  bool
	paused   bool // the database is away: nothing is claimed
	lanes    map[laneKey]*lane
	ready    []*lane          // sendable lanes, served in turn
	asking   []*lane          // hungry lanes, served in turn
	refills  int              // under way
	held     map[string]*work // everything on lease, until its result is stored
	crowded  map[string]int   // by account: lanes that are full
	tempo    tempo
	inFlight int
	retrying int // of inFlight, those that are not first attempts
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
	e.finish = newFinisher(e)
	return e, nil
}

// Start implements worker.Loop.
func (e *Engine) Start(ctx context.Context) error {
	e.sendCtx, e.cutOff = context.WithCancel(context.WithoutCancel(ctx))
	e.quit, e.done = make(chan struct{}), make(chan struct{})
	e.mu.Lock()
	e.running = true
	e.mu.Unlock()
	e.finish.start(e.sendCtx)
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
	unsent := e.unload()
	e.mu.Unlock()
	e.release(unsent)

	landed := make(chan struct{})
	go func() {
		e.flying.Wait()
		e.finish.stop()
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
	select {
	case e.poke <- struct{}{}:
	default:
	}
}

// run polls when poked, when something becomes due, and at least every Config.PollEvery.
func (e *Engine) run() {
	defer close(e.done)
	timer := time.NewTimer(0)
	defer timer.Stop()
	var last time.Time
	pause := pauseMin
	for {
		select {
		case <-e.quit:
			return
		case <-timer.C:
		case <-e.poke:
			if rest := pollGap - time.Since(last); rest > 0 {
				timer.Reset(rest)
				continue
			}
		}
		last = time.Now()
		next, err := e.poll()
		if err != nil {
			slog.Warn("webhook deliveries wait for the database", "error", err, "pause", pause)
			timer.Reset(pause)
			pause = min(2*pause, pauseMax)
			continue
		}
		pause = pauseMin
		timer.Reset(next)
	}
}

// poll finds which endpoints have something due and returns when to poll next.
func (e *Engine) poll() (next time.Duration, err error) {
	ctx, cancel := context.WithTimeout(e.sendCtx, databaseTimeout)
	defer cancel()
	now := e.clock.Time()
	found, err := selectLanes(ctx, e.db.Planned())
	if err == nil {
		e.countDue(ctx, found, now)
	}

	e.mu.Lock()
	defer e.mu.Unlock()
	e.paused = err != nil
	if err != nil {
		return 0, err
	}
	var unsent []*work
	next, oldest := e.cfg.PollEvery, now
	for _, f := range found {
		unsent = append(unsent, e.observe(f, now)...)
		if !f.Active || f.DueAt == nil {
			continue
		}
		if oldest.After(*f.DueAt) {
			oldest = *f.DueAt
		}
		if wait := f.DueAt.Sub(now); wait > 0 {
			next = min(next, wait)
		}
	}
	e.metrics.observePoll(len(found), now.Sub(oldest))
	e.forgetIdle()
	if len(unsent) > 0 {
		e.flying.Go(func() { e.release(unsent) })
	}
	e.serve()
	return next, nil
}

// observe takes over what a poll found of an endpoint. It returns leased deliveries that are not
// to be sent now because the endpoint is disabled or deleted.
func (e *Engine) observe(f foundLane, now time.Time) (unsent []*work) {
	l := e.lane(laneKey{f.Account, f.Endpoint})
	l.deleted = f.Deleted
	if l.target != nil && !l.target.version.Equal(f.Version) {
		l.target = nil
	}
	if !f.Active {
		unsent = e.empty(l)
	}
	l.due = f.DueAt != nil && (f.Deleted || f.Active && !f.DueAt.After(now))
	e.settle(l)
	return unsent
}

// pause stops claiming until the next poll succeeds.
func (e *Engine) pause(err error) {
	slog.Warn("webhook deliveries cannot be claimed", "error", err)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.paused = true
}

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
