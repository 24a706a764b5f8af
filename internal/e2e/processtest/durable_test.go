package processtest

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"
)

// durable checks that what was confirmed has lasted, and that each change has its event, once and in
// its place. c need not be the client that they used.
func (l *load) durable(c *client, all []event) {
	l.t.Helper()
	changes := changesByCard(l.t, all)
	for _, one := range l.cards {
		var now card
		c.do("GET", "/cards/"+one.ID, "", http.StatusOK, &now)
		if last := l.confirmed[one.ID]; now.Version < last.Version {
			l.t.Errorf("card %+v was confirmed and is now %+v", last, now)
		}
		if n := len(changes[one.ID]); int64(n) != now.Version-one.Version {
			l.t.Errorf("card %s has %d events for %d changes", one.ID, n, now.Version-one.Version)
		}
		status := one.WorkflowStatus
		for _, step := range changes[one.ID] {
			if step.PreviousStatus != status {
				l.t.Errorf("card %s: a change from %s while %s", one.ID, step.PreviousStatus, status)
			}
			status = step.Status
		}
		if status != now.WorkflowStatus {
			l.t.Errorf("the events leave card %s %s; it is %s", one.ID, status, now.WorkflowStatus)
		}
	}
}

// change is the data of a card.workflow_status_changed.
type change struct {
	CardID         string `json:"card_id"`
	PreviousStatus string `json:"previous_status"`
	Status         string
}

// changesByCard returns each card's way into the archive and out of it, from events newest first.
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
