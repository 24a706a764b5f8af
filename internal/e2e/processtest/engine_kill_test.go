package processtest

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// The timeout of engines that are killed, and when other engines repeat what a killed one had in flight: at the
// earliest when it has been silent for longer than a process that is only slow, at the latest, on a slow machine, in
// killedLease. An engine announces itself every half second, so it was silent for at most that long when it was
// killed.
const (
	killedTimeout = 3 * time.Second
	killedLease   = 10 * killedTimeout
	lateArrival   = time.Second // how long the sink may take to record an arrival on a slow machine
	takenOverIn   = 3500*time.Millisecond - lateArrival
)

// crew is a set of engine processes that are killed and replaced.
type crew struct {
	t        testing.TB
	settings settings
	engines  []*server
	kills    []kill
}

// kill is the time in which engines were killed: they died between from and to.
type kill struct{ from, to time.Time }

func newCrew(t testing.TB, s settings, n int) *crew {
	c := &crew{t: t, settings: s}
	for range n {
		c.engines = append(c.engines, s.start(t, "worker"))
	}
	return c
}

// ready waits until the engines that will be killed work.
func (c *crew) ready(victims []int) {
	c.t.Helper()
	for _, i := range victims {
		c.engines[i].announces(working)
	}
}

// kill kills engines at the same time and starts new ones in their place.
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

// explains reports whether a kill is the reason for a repetition: the killed engine had sent the event under a lease
// that another engine took over, and had not stored the result.
func (c *crew) explains(r repetition) bool {
	for _, k := range c.kills {
		sentBefore := !r.first.at.After(k.to.Add(lateArrival))
		if sentBefore && k.from.Sub(r.first.at) < killedLease && r.then.at.After(k.from) {
			return true
		}
	}
	return false
}

// One or both of two engines are killed at twenty random moments while customers work. Every event arrives. Only
// events that were in flight at a kill arrive again, when another engine has taken them over. Events that are stored
// as delivered do not arrive again.
func TestEngines_KilledRepeatedly(t *testing.T) {
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
		c.create(1 + random.IntN(30)) // a write with many deliveries, beside the customers' small ones
		engines.killRound(random, hook)
	}
	c.create(100) // after the last kill: no event may arrive twice
	customers.awaitRounds(400)
	customers.finish()
	all := hook.gotAll(c)
	customers.durable(c, all)
	hook.silentAfterSuccess(owner.allDelivered(len(all)))
	engines.repeatedLittle(hook, len(all))
}

// killRound kills one or more engines at a random moment. In half of the rounds the sink holds its responses back at
// that time.
func (c *crew) killRound(random *rand.Rand, hook *sink) {
	c.t.Helper()
	victims := random.Perm(len(c.engines))[:1+random.IntN(len(c.engines))]
	c.ready(victims)
	before, more := hook.count(), random.IntN(20)
	eventually(c.t, "deliveries arrive", func() bool { return hook.count() > before+more })
	if random.IntN(2) == 0 {
		hook.hold()
		hook.held(1 + random.IntN(4))
	}
	moment(random, 200*time.Millisecond)
	c.kill(victims)
	hook.release()
}

// repeatedLittle checks that kills explain the repetitions. Fewer than one event in a hundred may arrive again for
// another reason: on a slow machine some attempts time out.
func (c *crew) repeatedLittle(hook *sink, events int) {
	c.t.Helper()
	explained, unexplained := 0, 0
	for _, r := range hook.repetitions() {
		sameAttempt := r.first.attempt == r.then.attempt
		switch {
		case sameAttempt && !c.explains(r):
			c.t.Errorf("an attempt was sent twice although no killed engine had it in flight: %v", r)
		case sameAttempt && r.then.at.Sub(r.first.at) < takenOverIn:
			c.t.Errorf("an attempt was sent again before its engine could be taken for dead: %v", r)
		case sameAttempt:
			explained++
		default:
			unexplained++
		}
	}
	c.t.Logf("%d events and %d kills: %d repetitions of events in flight at a kill, %d others",
		events, len(c.kills), explained, unexplained)
	if explained == 0 {
		c.t.Error("no delivery was in flight at a kill: the test has tested nothing")
	}
	if unexplained*100 >= events {
		c.t.Errorf("%d repetitions among %d events are not explained by a kill", unexplained, events)
	}
}
