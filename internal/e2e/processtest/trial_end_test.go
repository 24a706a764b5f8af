package processtest

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/e2e/processtest/history"
)

// decideWithin bounds the search for an order of one card's operations.
const decideWithin = 30 * time.Second

// run injects the fault, waits until all writers go on, and checks the trial.
func (r *trial) run(length time.Duration) {
	r.t.Helper()
	r.goesOn(1)
	r.nemesis.strike(r, length)
	over := time.Now()
	r.goesOn(1)
	wentOn := time.Since(over)
	r.goesOn(4)
	r.end()
	r.check()
	r.t.Logf("%d operations on the contended cards; all writers go on after %v; the bystander waits at most %v (%s)",
		len(r.recorder.Operations()), wentOn.Round(time.Millisecond),
		r.bystander.longest.Round(time.Millisecond), r.bystander.slowest)
}

// check checks that no change and no event is lost or duplicated and that what clients saw is linearizable. The clients
// have ended, and so has the fault.
func (r *trial) check() {
	r.t.Helper()
	c := r.client()
	r.poller.round()
	for _, id := range r.cards {
		if _, ok := r.read(trialWriters, id); !ok {
			r.t.Errorf("reading card %s fails after the end of the fault", id)
		}
	}
	if err := history.Check(r.recorder.Operations(), decideWithin); err != nil {
		r.t.Error(err)
	}
	times := skus(c)
	for _, one := range r.imports {
		one.complete(times)
	}
	if r.merchant != nil {
		r.merchant.finish(c)
	}
	all := r.hook.gotAll(c)
	if r.merchant != nil {
		r.t.Log(r.merchant)
		r.merchant.once(c, all)
	}
	r.eventsFit(c, all)
	r.owner.allDelivered(len(all))
	if !r.nemesis.repeats {
		r.hook.noAttemptTwice()
	}
	if limit := r.nemesis.bystander; limit > 0 && r.bystander.longest > limit {
		r.t.Errorf("a client of another account waited %v (%s), want at most %v",
			r.bystander.longest, r.bystander.slowest, limit)
	}
}

// eventsFit checks that each change of the contended cards has exactly one event, in the order of the changes.
func (r *trial) eventsFit(c *client, all []event) {
	r.t.Helper()
	changes := changesByCard(r.t, all)
	for _, id := range r.cards {
		var now card
		c.do("GET", "/cards/"+id, "", http.StatusOK, &now)
		steps := changes[id]
		if int64(len(steps)) != now.Version-1 {
			r.t.Errorf("card %s has %d events for %d changes", id, len(steps), now.Version-1)
		}
		follow(r.t, id, steps, "identified", now.WorkflowStatus)
	}
}

// follow checks that each change of a card from archived to not archived or back begins with the status in which the
// one before it ended.
func follow(t testing.TB, id string, steps []change, from, to string) {
	t.Helper()
	archived := from == "archived"
	for _, step := range steps {
		if (step.PreviousStatus == "archived") != archived {
			t.Errorf("card %s: the change from %s to %s is out of order", id, step.PreviousStatus, step.Status)
		}
		archived = step.Status == "archived"
	}
	if archived != (to == "archived") {
		t.Errorf("card %s is archived after its last event: %t, but its status is %s", id, archived, to)
	}
}

// skus returns the number of the account's cards by SKU.
func skus(c *client) map[string]int {
	c.t.Helper()
	times := map[string]int{}
	for _, one := range pages[struct{ SKU string }](c, "/cards", url.Values{}) {
		times[one.SKU]++
	}
	return times
}
