package processtest

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// The timeout and the lease of engines that are killed. An attempt begins only while the lease has
// time for all of it, so whoever takes over sends no earlier than about a timeout later.
const (
	killedTimeout = 3 * time.Second
	killedLease   = 2 * killedTimeout
	lateArrival   = time.Second // how late the sink may note one on a slow machine
	takenOverIn   = killedTimeout - lateArrival
)

// crew are engine processes that are killed and replaced.
type crew struct {
	t        testing.TB
	settings settings
	engines  []*server
	kills    []kill
}

// kill is when some of them were killed: they died between the two moments.
type kill struct{ from, to time.Time }

func newCrew(t testing.TB, s settings, n int) *crew {
	c := &crew{t: t, settings: s}
	for range n {
		c.engines = append(c.engines, s.start(t, "worker"))
	}
	return c
}

// ready waits until the engines work that are to be killed.
func (c *crew) ready(victims []int) {
	c.t.Helper()
	for _, i := range victims {
		c.engines[i].announces(working)
	}
}

// kill kills engines at once and starts others in their place.
func (c *crew) kill(victims []int) {
	k := kill{from: time.Now()}
	for _, i := range victims {
		c.engines[i].kill()
	}
	k.to = time.Now()
	c.kills = append(c.kills, k)
	for _, i := range victims {
		c.engines[i] = c.settings.start(c.t, "worker")
	}
}

// explains reports whether an event came again because an engine was killed that had it in flight:
// sent, under its lease, and not yet stored as delivered.
func (c *crew) explains(r repetition) bool {
	for _, k := range c.kills {
		if !r.first.at.After(k.to.Add(lateArrival)) && k.from.Sub(r.first.at) < killedLease && r.then.at.After(k.from) {
			return true
		}
	}
	return false
}

// Two engines, one or both of them killed at twenty random moments while customers work: every
// event arrives; only what was in flight at a kill comes again, and not while its lease holds;
// nothing comes again once it is known to have arrived.
func TestEnginesAreKilledAgainAndAgain(t *testing.T) {
	t.Parallel()
	const rounds = 20
	random := randomness(t)
	s := newSettings(t, pgtest.URL(t)).with("CARDVAULT_WEBHOOK_RETRY_DELAYS", "200ms,1s,2s,4s,8s",
		"CARDVAULT_WEBHOOK_TIMEOUT", killedTimeout.String(), "CARDVAULT_WEBHOOK_LEASE", killedLease.String())
	owner := s.account(t)
	hook := owner.sink(nil)
	c := owner.at(s.serve(t, "--workers=false"))
	engines := newCrew(t, s, 2)
	customers := newLoad(c, 4)
	for range rounds {
		c.create(1 + random.IntN(30)) // many deliveries by one write, among the customers' few
		engines.killRound(random, hook)
	}
	c.create(100) // from here on nothing explains that an event comes again
	customers.wentWell(400)
	customers.settle()
	all := hook.gotAll(c)
	customers.durable(c, all)
	hook.silentAfterSuccess(owner.allDelivered(len(all)))
	engines.repeatedLittle(hook, len(all))
}

// killRound kills one engine or all of them at a random moment; in half of the rounds while the sink keeps
// them waiting for answers.
func (c *crew) killRound(random *rand.Rand, hook *sink) {
	c.t.Helper()
	victims := random.Perm(len(c.engines))[:1+random.IntN(len(c.engines))]
	c.ready(victims)
	before, more := hook.count(), random.IntN(20)
	eventually(c.t, "deliveries flow", func() bool { return hook.count() > before+more })
	if random.IntN(2) == 0 {
		hook.hold()
		hook.held(1 + random.IntN(4))
	}
	moment(random, 200*time.Millisecond)
	c.kill(victims)
	hook.release()
}

// repeatedLittle checks that kills explain what came more than once, but for less than one event in a hundred:
// those whose exchange took too long on a slow machine.
func (c *crew) repeatedLittle(hook *sink, events int) {
	c.t.Helper()
	explained, unexplained := 0, 0
	for _, r := range hook.repetitions() {
		again := r.first.attempt == r.then.attempt
		switch {
		case again && !c.explains(r):
			c.t.Errorf("an attempt was sent twice, and no engine was killed that had it in flight: %v", r)
		case again && r.then.at.Sub(r.first.at) < takenOverIn:
			c.t.Errorf("an attempt was sent again while its lease held: %v", r)
		case again:
			explained++
		default:
			unexplained++
		}
	}
	c.t.Logf("%d events; %d were in flight at one of %d kills and came again, %d came again otherwise", events, explained, len(c.kills), unexplained)
	if explained == 0 {
		c.t.Error("no kill has met a delivery in flight: this has tested nothing")
	}
	if unexplained*100 >= events {
		c.t.Errorf("%d of %d events came again and no kill explains it", unexplained, events)
	}
}
