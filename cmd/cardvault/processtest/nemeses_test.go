package processtest

import (
	"math/rand/v2"
	"time"
)

// nemesis is something that goes wrong during a trial.
type nemesis struct {
	name   string
	strike func(r *trial, length time.Duration) // returns when it is over
	// repeats: it may keep a worker from storing that a delivery was sent, so that it is sent again.
	repeats bool
	// bystander is the longest that another account's request may wait; 0: it may be hit as well.
	bystander time.Duration
}

// calm is nothing: what must hold under a fault must hold without one.
var calm = nemesis{name: "nothing", strike: func(r *trial, length time.Duration) { time.Sleep(length) }, bystander: unaffected}

// unaffected is far more than a request takes on a machine under load, and less than clients wait for one another's
// faults where nothing separates them.
const unaffected = 8 * time.Second

func anyOf[T any](list []T) T { return list[rand.IntN(len(list))] }

// killHost kills hosts of a kind again and again.
func killHosts(of func(*fleet) []*host) func(*trial, time.Duration) {
	return func(r *trial, length time.Duration) {
		for end := time.Now().Add(length); time.Now().Before(end); {
			h := anyOf(of(r.fleet))
			h.kill()
			h.start()
			r.goesOn(1)
		}
	}
}

func servingHosts(f *fleet) []*host { return f.serving }
func workingHosts(f *fleet) []*host { return f.working }

// freezeOpen makes a host's connections to the database silent; new ones work.
func freezeOpen(of func(*fleet) []*host) func(*trial, time.Duration) {
	return func(r *trial, length time.Duration) {
		h := anyOf(of(r.fleet))
		defer h.proxy.Thaw()
		h.proxy.FreezeOpen()
		time.Sleep(length)
	}
}

// loseCommits has the answers to some COMMITs of a host never arrive.
func loseCommits(of func(*fleet) []*host) func(*trial, time.Duration) {
	return func(r *trial, length time.Duration) {
		h := anyOf(of(r.fleet))
		defer h.proxy.Thaw()
		for end := time.After(length); ; {
			select {
			case link := <-h.proxy.FreezeAfter("COMMIT"):
				time.Sleep(time.Duration(rand.Int64N(int64(length / 4))))
				link.Cut()
			case <-end:
				return
			}
		}
	}
}

// shortNemeses are those that need no PostgreSQL of the test's own and no more than some seconds.
var shortNemeses = []nemesis{
	calm,
	{name: "a server is killed", strike: killHosts(servingHosts)},
	{name: "answers to COMMIT are lost", strike: loseCommits(servingHosts)},
	{name: "a server's connections freeze", strike: freezeOpen(servingHosts)},
}
