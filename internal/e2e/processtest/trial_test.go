package processtest

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/e2e/processtest/history"
)

// trial is a period of load on a fleet during a fault. Clients of one account change the same few cards with If-Match,
// read them and poll. Others import cards. A bystander uses another account. The trial records what clients see of the
// contended cards.
type trial struct {
	t         *testing.T
	fleet     *fleet
	nemesis   nemesis
	owner     *account
	hook      *sink
	recorder  *history.Recorder
	cards     []string // the contended ones
	imports   []*importer
	poller    *poller
	bystander *bystander
	merchant  *merchant // if the fleet has a marketplace

	clients   sync.WaitGroup
	quit      chan struct{}
	lastPrice atomic.Int64 // prices are unique, so that a read shows which update it sees

	mu       sync.Mutex
	answered []int // updates that were made or refused, by writer
	made     int   // updates of all writers
}

// The load of a trial.
const (
	trialCards   = 4
	trialWriters = 6
	trialPace    = 50 * time.Millisecond // between two operations of a client
)

// newTrial creates the accounts and cards and starts the clients.
func newTrial(t *testing.T, f *fleet, n nemesis) *trial {
	t.Helper()
	r := &trial{
		t: t, fleet: f, nemesis: n,
		recorder: history.NewRecorder(), quit: make(chan struct{}), answered: make([]int, trialWriters),
	}
	r.owner = f.direct.account(t)
	r.hook = r.owner.sink(nil)
	began := r.recorder.Now()
	for _, made := range r.client().create(trialCards) {
		r.cards = append(r.cards, made.ID)
		r.recorder.Add(history.Operation{
			Card: made.ID, Kind: history.Create, Outcome: history.Done, State: stateOf(made), Call: began,
		})
	}
	t.Cleanup(r.end)
	for i := range trialWriters {
		r.begin(r.writer(i))
	}
	r.poller = newPoller(r, trialWriters)
	r.begin(r.poller.round)
	for i := range 2 {
		one := &importer{trial: r, name: fmt.Sprintf("import-%d", i)}
		r.imports = append(r.imports, one)
		r.begin(one.round)
	}
	if f.market {
		r.merchant = &merchant{trial: r}
		r.begin(r.merchant.round)
	}
	r.bystander = newBystander(r)
	r.begin(r.bystander.round)
	return r
}

func stateOf(c card) history.State { return history.State{Version: c.Version, Price: c.price()} }

// client returns the account's access to a random server.
func (r *trial) client() *client {
	c := r.fleet.client(r.owner.token)
	c.t = r.t
	return c
}

// begin repeats a client's round until the trial ends.
func (r *trial) begin(round func()) {
	r.clients.Go(func() {
		pace := time.NewTicker(trialPace)
		defer pace.Stop()
		for {
			select {
			case <-r.quit:
				return
			case <-pace.C:
				round()
			}
		}
	})
}

// end stops the clients and waits for their requests in flight.
func (r *trial) end() {
	select {
	case <-r.quit:
	default:
		close(r.quit)
	}
	r.clients.Wait()
}

// ask sends a request. It reports false if there was no response, or if the response is 503, or 429 to a read: reads on
// frozen connections still count as concurrent reads of the account. Any other status that is not expected fails the
// test.
func (r *trial) ask(c *client, method, path, body string, expected []int, headers ...string) (answer, bool) {
	got, err := c.try(method, path, body, headers...)
	tooManyReads := method == http.MethodGet && got.status == http.StatusTooManyRequests
	if err != nil || got.status == http.StatusServiceUnavailable || tooManyReads {
		return got, false
	}
	for _, status := range expected {
		if got.status == status {
			return got, true
		}
	}
	r.t.Errorf("%s %s: status %d: %.500s", method, path, got.status, got.body)
	return got, false
}

// writer returns a client's round: read a card, then archive or unarchive it and change its price, unless another
// client has changed it meanwhile. Each change adds one version and causes one event.
func (r *trial) writer(number int) func() {
	return func() {
		id := r.cards[rand.IntN(len(r.cards))]
		now, ok := r.read(number, id)
		if !ok {
			return
		}
		price := r.lastPrice.Add(1)
		o := history.Operation{
			Client: number, Card: id, Kind: history.Update, IfMatch: now.Version, Price: price, Call: r.recorder.Now(),
		}
		got, ok := r.ask(r.client(), "PATCH", "/cards/"+id, archiveOrNot(now, price),
			[]int{http.StatusOK, http.StatusPreconditionFailed}, "If-Match", fmt.Sprintf(`"%d"`, now.Version))
		switch {
		case !ok:
			o.Outcome = history.Unknown
		case got.status == http.StatusPreconditionFailed:
			o.Outcome = history.Refused
			r.count(number, 0)
		default:
			var changed card
			got.decode(r.t, &changed)
			o.Outcome, o.State = history.Done, stateOf(changed)
			r.count(number, 1)
		}
		r.recorder.Add(o)
	}
}

// read reads a card and records its state.
func (r *trial) read(number int, id string) (now card, ok bool) {
	o := history.Operation{Client: number, Card: id, Kind: history.Read, Outcome: history.Done, Call: r.recorder.Now()}
	got, ok := r.ask(r.client(), "GET", "/cards/"+id, "", []int{http.StatusOK})
	if !ok {
		return now, false
	}
	got.decode(r.t, &now)
	o.State = stateOf(now)
	r.recorder.Add(o)
	return now, true
}

// count counts an answered update of a writer, which made a change or was refused.
func (r *trial) count(number, made int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answered[number]++
	r.made += made
}

// goesOn waits until n more updates of each writer are answered, and n more are made. It does not wait until each
// writer makes one: at a server that is slow for the moment, a writer can lose each race for a card.
func (r *trial) goesOn(n int) {
	r.t.Helper()
	r.mu.Lock()
	begun, made := slices.Clone(r.answered), r.made
	r.mu.Unlock()
	eventually(r.t, "updates of every writer are answered", func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		for i, answered := range r.answered {
			if answered < begun[i]+n {
				return r.t.Failed()
			}
		}
		return r.made >= made+n || r.t.Failed()
	})
}
