package processtest

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/e2e/processtest/history"
)

// decideWithin is how long the checker may search for an order of one card's operations.
const decideWithin = 30 * time.Second

// run has the nemesis do what it does, waits until all clients go on, and checks what they have seen.
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
	r.t.Logf("%d operations on the contended cards; all writers went on after %v; the bystander's longest wait: %v (%s)",
		len(r.recorder.Operations()), wentOn.Round(time.Millisecond), r.bystander.longest.Round(time.Millisecond), r.bystander.slowest)
}

// check checks, when the clients have ended and nothing is wrong any more, that no change and no event is lost or
// doubled and that what clients saw is linearizable.
func (r *trial) check() {
	r.t.Helper()
	c := r.client()
	r.poller.round()
	for _, id := range r.cards {
		if _, ok := r.read(trialWriters, id); !ok {
			r.t.Errorf("card %s cannot be read when nothing is wrong any more", id)
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
		r.t.Errorf("another account's client waited %v (%s), want at most %v", r.bystander.longest, r.bystander.slowest, limit)
	}
}

// eventsFit checks that each change of the contended cards has its event, once and in its place.
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

// follow checks that each step begins where the one before it ended.
func follow(t testing.TB, id string, steps []change, from, to string) {
	t.Helper()
	archived := from == "archived"
	for _, step := range steps {
		if (step.PreviousStatus == "archived") != archived {
			t.Errorf("card %s: a change from %s to %s out of its place", id, step.PreviousStatus, step.Status)
		}
		archived = step.Status == "archived"
	}
	if archived != (to == "archived") {
		t.Errorf("the events leave card %s archived: %t; it is %s", id, archived, to)
	}
}

// skus are how many cards the account has of each SKU.
func skus(c *client) map[string]int {
	c.t.Helper()
	times := map[string]int{}
	for _, one := range pages[struct{ SKU string }](c, "/cards", url.Values{}) {
		times[one.SKU]++
	}
	return times
}
