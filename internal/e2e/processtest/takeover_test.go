package processtest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// The bounds of a takeover, measured from the last heartbeat of the process that is gone. A machine under load may take
// longer, so the strict one is checked with -soak only.
const (
	takeoverBound = 5 * time.Second
	takeoverSlack = 10 * time.Second
)

// tries returns how often a test tries what it checks: all times with -soak.
func tries(short, all int) int {
	if *soakFor > 0 {
		return all
	}
	return short
}

// shopWindow is a server of photos that does not answer the first request for each photo until it is closed.
type shopWindow struct {
	*httptest.Server
	mu       sync.Mutex
	requests map[string][]time.Time
}

func newShopWindow(t testing.TB) *shopWindow {
	w, closing := &shopWindow{requests: map[string][]time.Time{}}, make(chan struct{})
	w.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		w.requests[r.URL.Path] = append(w.requests[r.URL.Path], time.Now())
		first := len(w.requests[r.URL.Path]) == 1
		w.mu.Unlock()
		if first {
			select {
			case <-closing:
			case <-r.Context().Done():
			}
			return
		}
		rw.Header().Set("Content-Type", "image/jpeg")
		fmt.Fprint(rw, picture())
	}))
	t.Cleanup(func() { close(closing); w.Close() })
	return w
}

// at returns when a photo was requested for the nth time, from 1, or the zero time.
func (w *shopWindow) at(path string, n int) time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.requests[path]) < n {
		return time.Time{}
	}
	return w.requests[path][n-1]
}

// lastBeat waits until exactly one process has been silent for a second, and returns when it announced itself last.
func lastBeat(t testing.TB, db *postgres.DB) (at time.Time) {
	t.Helper()
	eventually(t, "one process is silent", func() bool {
		var silent []float64
		err := db.Select(t.Context(), &silent, `
			SELECT extract(epoch FROM now() - seen_at)::float8 FROM processes
			WHERE now() - seen_at > interval '1500 milliseconds'`)
		if err != nil || len(silent) != 1 {
			return false
		}
		at = time.Now().Add(-time.Duration(silent[0] * float64(time.Second)))
		return true
	})
	return at
}

// A worker is killed while it has deliveries and a fetch of a photo in hand, each time another one. The other worker
// takes them over within seconds, although a lease lasts a minute.
func TestWorker_KilledIsTakenOver(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s := newSettings(t, url)
	db, err := postgres.Open(postgres.Config{URL: url, MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	owner, window := s.account(t), newShopWindow(t)
	hook := owner.sink(nil)
	c := owner.at(s.serve(t, "--workers=false"))
	worker := s.work(t)
	var waits []time.Duration
	for i := range tries(3, 20) {
		path := fmt.Sprintf("/%d.jpg", i)
		hook.hold()
		c.do("POST", "/cards", `{"cards":[{"photos":[{"role":"front","url":"`+window.URL+path+`"}]}]}`,
			http.StatusCreated, nil)
		c.create(1)
		inFlight := hook.held(1)
		eventually(t, "the photo is requested", func() bool { return !window.at(path, 1).IsZero() })
		other := s.work(t)
		worker.kill()
		beat := lastBeat(t, db)
		hook.release()
		for id, before := range inFlight {
			eventually(t, "the delivery arrives again", func() bool { return hook.total(id) > before })
			waits = append(waits, hook.lastArrival(id).Sub(beat))
		}
		eventually(t, "the photo is requested again", func() bool { return !window.at(path, 2).IsZero() })
		waits = append(waits, window.at(path, 2).Sub(beat))
		worker = other
	}
	hook.silentAfterSuccess(owner.deliveries("delivered"))
	checkTakeovers(t, waits)
}

// checkTakeovers checks how long takeovers took.
func checkTakeovers(t *testing.T, waits []time.Duration) {
	t.Helper()
	slices.Sort(waits)
	p95 := waits[(len(waits)*95+99)/100-1]
	t.Logf("%d takeovers after the last heartbeat: median %v, p95 %v, longest %v", len(waits),
		waits[len(waits)/2].Round(time.Millisecond), p95.Round(time.Millisecond),
		waits[len(waits)-1].Round(time.Millisecond))
	bound := takeoverBound
	if *soakFor == 0 {
		bound += takeoverSlack
	}
	if p95 > bound {
		t.Errorf("takeovers took %v (p95), want at most %v", p95, bound)
	}
}

// lastArrival returns when the event arrived last.
func (s *sink) lastArrival(id string) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	came := s.got[id].came
	return came[len(came)-1].at
}

// gone is what a process logs that takes over from another one.
const gone = "a process is gone"

// workerPair is two workers that share the deliveries of an account.
type workerPair struct {
	t        testing.TB
	owner    *account
	settings settings
	hook     *sink
	client   *client
	workers  []*server
}

func newWorkerPair(t testing.TB) *workerPair {
	t.Helper()
	s := newSettings(t, pgtest.URL(t)).with("CARDVAULT_WEBHOOK_TIMEOUT", "25s") // longer than responses are held back
	owner := s.account(t)
	p := &workerPair{t: t, settings: s, owner: owner, hook: owner.sink(nil)}
	p.client = owner.at(s.serve(t, "--workers=false"))
	p.workers = []*server{s.work(t), s.work(t)}
	return p
}

// busy holds the sink's responses back and waits until each of the workers has attempts in flight.
func (p *workerPair) busy() {
	p.t.Helper()
	p.hook.hold()
	eventually(p.t, "both workers send", func() bool {
		p.client.create(1)
		for _, w := range p.workers {
			if w.metric("cardvault_webhook_in_flight") == 0 {
				return false
			}
		}
		return true
	})
}

// A worker that is stopped for 3 s keeps what it has leased.
func TestWorker_StoppedKeepsLeases(t *testing.T) {
	t.Parallel()
	p := newWorkerPair(t)
	for range tries(1, 10) {
		p.busy()
		p.workers[0].signal(syscall.SIGSTOP)
		time.Sleep(3 * time.Second) // the time for which the process is stopped
		p.workers[0].signal(syscall.SIGCONT)
		p.goesOn()
	}
	p.keptLeases()
}

// Workers beside two programs on all processors keep what they have leased.
func TestWorker_BusyMachineKeepsLeases(t *testing.T) {
	t.Parallel()
	p := newWorkerPair(t)
	for range tries(1, 10) {
		end := occupyProcessors(t, 2)
		steady := time.NewTicker(50 * time.Millisecond)
		for range tries(5, 60) * 20 {
			<-steady.C
			p.client.create(1)
		}
		steady.Stop()
		end()
		p.goesOn()
	}
	p.keptLeases()
}

// keptLeases checks that no worker lost a lease.
func (p *workerPair) keptLeases() {
	p.t.Helper()
	p.hook.gotAll(p.client)
	p.hook.noAttemptTwice()
	for _, w := range p.workers {
		if strings.Contains(w.log.String(), gone) {
			p.t.Errorf("a worker took another one for dead:\n%s", w.log)
		}
	}
}

// goesOn answers what is in flight, and waits until it is delivered.
func (p *workerPair) goesOn() {
	p.t.Helper()
	p.hook.release()
	p.owner.allDelivered(len(p.client.events()))
}

// occupyProcessors starts n programs on each processor that compute until end is called.
func occupyProcessors(t testing.TB, n int) (end func()) {
	t.Helper()
	var programs []*exec.Cmd
	for range n * runtime.NumCPU() {
		program := exec.Command("sh", "-c", "while :; do :; done")
		if err := program.Start(); err != nil {
			t.Fatal(err)
		}
		programs = append(programs, program)
	}
	end = sync.OnceFunc(func() {
		for _, program := range programs {
			_ = program.Process.Kill()
			_ = program.Wait()
		}
	})
	t.Cleanup(end)
	return end
}

// A worker is frozen until the other one has taken over what it had in flight. When it wakes up, it cannot finish that,
// and goes on with new work.
func TestWorker_FrozenCannotFinishWhatWasTakenOver(t *testing.T) {
	t.Parallel()
	p := newWorkerPair(t)
	p.workers[1].kill()
	p.hook.hold()
	p.client.create(1)
	inFlight := p.hook.held(1)
	p.workers[1] = p.settings.work(t)
	p.workers[0].signal(syscall.SIGSTOP)
	p.workers[1].logged(gone)
	eventually(t, "what the frozen worker had in flight arrives again", func() bool {
		for id, before := range inFlight {
			if p.hook.total(id) > before {
				return true
			}
		}
		return false
	})
	p.workers[0].signal(syscall.SIGCONT)
	p.workers[0].logged("another process took over the leases of this one")
	p.goesOn()
	p.workers[1].kill()
	p.client.create(3)
	all := p.hook.gotAll(p.client)
	p.hook.silentAfterSuccess(p.owner.allDelivered(len(all)))
}

// burst is a run of changes by several connections that goes on when the server is replaced.
type burst struct {
	t      testing.TB
	cards  []card
	client atomic.Pointer[client]
	done   atomic.Int64 // confirmed changes
}

// run makes n changes of each card, each card by a connection of its own. Each change causes an event.
func (b *burst) run(n int) (wait func()) {
	var group sync.WaitGroup
	for _, one := range b.cards {
		group.Go(func() {
			for i := 0; i < n && !b.t.Failed(); {
				got, err := b.client.Load().try("PATCH", "/cards/"+one.ID, fmt.Sprintf(`{"archived":%t}`, i%2 == 0))
				if err != nil || got.status == http.StatusServiceUnavailable {
					time.Sleep(10 * time.Millisecond) // until there is another server
					continue
				}
				if got.status != http.StatusOK {
					b.t.Errorf("PATCH: status %d: %s", got.status, got.body)
				}
				i++
				b.done.Add(1)
			}
		})
	}
	return group.Wait
}

// The only process and PostgreSQL are killed amid 2,000 events at 16 connections. Few requests are repeated: those in
// flight, and those that were answered so shortly before that their result was not stored.
func TestServer_KilledRepeatsLittle(t *testing.T) {
	t.Parallel()
	const connections, changes = 16, 125
	db := newCluster(t)
	s := newSettings(t, db.url())
	if got := s.run(t, "migrate", "up"); got.code != 0 {
		t.Fatalf("migrate up: %s", got.stderr)
	}
	owner := s.account(t)
	first := s.serve(t)
	hook := owner.sink(nil)
	b := &burst{t: t, cards: owner.at(first).create(connections)}
	b.client.Store(owner.at(first))
	wait := b.run(changes)
	eventually(t, "half of the changes are made", func() bool { return b.done.Load() >= connections*changes/2 })
	killed := time.Now()
	first.kill()
	db.crash()
	second := s.serve(t)
	b.client.Store(owner.at(second))
	wait()
	all := hook.gotAll(owner.at(second))
	hook.silentAfterSuccess(owner.allDelivered(len(all)))
	hook.repeatedFew(len(all), killed)
}

// repeatedFew checks that at most 5 % of the requests are repetitions, all of requests shortly before the kill.
func (s *sink) repeatedFew(events int, killed time.Time) {
	s.t.Helper()
	unstored := 200 * time.Millisecond
	if *soakFor == 0 {
		unstored += lateArrival // a machine under load
	}
	repeated := s.repetitions()
	longest := time.Duration(0)
	for _, r := range repeated {
		longest = max(longest, killed.Sub(r.first.at))
	}
	requests := events + len(repeated)
	s.t.Logf("%d of %d requests are repetitions, %.1f %%; the oldest was sent %v before the kill",
		len(repeated), requests, 100*float64(len(repeated))/float64(requests), longest.Round(time.Millisecond))
	if len(repeated)*20 > requests {
		s.t.Errorf("%d of %d requests are repetitions, want at most 5 %%", len(repeated), requests)
	}
	if longest > unstored {
		s.t.Errorf("a request was repeated that was sent %v before the kill, want at most %v", longest, unstored)
	}
}
