package processtest

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"
)

// durable checks that no confirmed change was lost and that each change has exactly one event, in the order of the
// changes. all are the account's events, newest first. c may be a client of another server than the customers'.
func (l *load) durable(c *client, all []event) {
	l.t.Helper()
	changes := changesByCard(l.t, all)
	for _, one := range l.cards {
		var now card
		c.do("GET", "/cards/"+one.ID, "", http.StatusOK, &now)
		if last := l.confirmed[one.ID]; now.Version < last.Version {
			l.t.Errorf("the server confirmed %+v and now returns %+v", last, now)
		}
		if n := len(changes[one.ID]); int64(n) != now.Version-one.Version {
			l.t.Errorf("card %s has %d events for %d changes", one.ID, n, now.Version-one.Version)
		}
		status := one.WorkflowStatus
		for _, step := range changes[one.ID] {
			if step.PreviousStatus != status {
				l.t.Errorf("card %s: an event has the previous status %s, want %s", one.ID, step.PreviousStatus, status)
			}
			status = step.Status
		}
		if status != now.WorkflowStatus {
			l.t.Errorf("card %s is %s after its last event, but GET returns %s", one.ID, status, now.WorkflowStatus)
		}
	}
}

// change is the data of a card.workflow_status_changed event.
type change struct {
	CardID         string `json:"card_id"`
	PreviousStatus string `json:"previous_status"`
	Status         string
}

// changesByCard returns the changes into the archive and out of it, by card and oldest first. all are events, newest
// first.
func changesByCard(t testing.TB, all []event) map[string][]change {
	t.Helper()
	changes := map[string][]change{}
	for _, e := range slices.Backward(all) {
		if e.Event != "card.workflow_status_changed" {
			continue
		}
		var c change
		if err := json.Unmarshal(e.Data, &c); err != nil {
			t.Fatal(err)
		}
		if c.PreviousStatus == "archived" || c.Status == "archived" {
			changes[c.CardID] = append(changes[c.CardID], c)
		}
	}
	return changes
}
