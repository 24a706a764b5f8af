package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/cardvault/cardvault/internal/events"
)

// TestEvents_CreatedAtOrdersChanges changes cards in every way that causes several events at once: imports, changes
// of one card after the other and of many at the same time, jobs, a batch, listings and sales. The times of the events
// order the edges that each card took, for a receiver and for a poller.
func TestEvents_CreatedAtOrdersChanges(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, true)
	hook := c.endpoint(events.Kinds...)
	ids := c.importPriced(40)

	var writers sync.WaitGroup
	for i, id := range ids[:20] {
		writers.Go(func() {
			for _, archived := range []string{"true", "false"} {
				patch := fmt.Sprintf(`{"archived":%s,"pricing":{"asking_price":{"amount":%d,"currency":"USD"}}}`,
					archived, 500+i)
				c.in(t).do("PATCH", "/cards/"+id, patch).want(t, http.StatusOK, nil)
			}
		})
	}
	writers.Wait()
	all := `"card_ids":["` + strings.Join(ids, `","`) + `"]`
	c.run(`{"kind":"update",` + all + `,"patch":{"identification":{"title":null},"pricing":{"asking_price":null}}}`)
	c.run(`{"kind":"update",` + all + `,"patch":{"identification":{"title":"Fox"},
		"pricing":{"asking_price":{"amount":700,"currency":"USD"}}}}`)
	c.run(`{"kind":"archive",` + all + `}`)
	c.run(`{"kind":"update",` + all + `,"patch":{"archived":false}}`)

	var batch struct{ ID string }
	c.do("POST", "/batches", `{"name":"Fair"}`).want(t, http.StatusCreated, &batch)
	c.do("PATCH", "/cards/"+ids[0], `{"batch_id":"`+batch.ID+`"}`).want(t, http.StatusOK, nil)
	c.do("POST", "/batches/"+batch.ID+"/complete", nil).want(t, http.StatusOK, nil)

	var listing struct{ ID string }
	c.do("PUT", "/cards/"+ids[0]+"/photos/front", blank(t), "Content-Type: image/jpeg").want(t, http.StatusOK, nil)
	c.do("POST", "/listings/"+ids[0]+"/publish", nil).want(t, http.StatusAccepted, &listing)
	hook.event(t, "listing.published", ids[0])
	s.buy(t, listing.ID)
	hook.event(t, "listing.sold", ids[0])
	var sold sale
	c.do("POST", "/cards/"+ids[1]+"/sell", `{"channel":"in_person","price":{"amount":700,"currency":"USD"}}`).
		want(t, http.StatusCreated, &sold)
	c.do("POST", "/sales/"+sold.ID+"/refund", `{"restock":true}`).want(t, http.StatusOK, nil)
	c.run(`{"kind":"delete",` + all + `}`)
	c.checkEventOrder(hook)
}

// importPriced imports cards with a title and a price in one request and returns their identifiers.
func (c *client) importPriced(count int) []string {
	c.t.Helper()
	drafts, ids := make([]string, count), make([]string, count)
	for i := range drafts {
		drafts[i] = fmt.Sprintf(`{"identification":{"title":"Fox %d"},
			"pricing":{"asking_price":{"amount":450,"currency":"USD"}}}`, i)
	}
	var made listOf[card]
	c.do("POST", "/cards", `{"cards":[`+strings.Join(drafts, ",")+`]}`).want(c.t, http.StatusCreated, &made)
	for i, card := range made.Data {
		ids[i] = card.ID
	}
	return ids
}

// checkEventOrder checks that created_at rises from event to event, that the changes of each card's workflow status
// follow one another, and that the endpoint got the same times.
func (c *client) checkEventOrder(hook *sink) {
	c.t.Helper()
	all := c.allEvents()
	eventually(c.t, "every event is delivered", func() bool {
		hook.mu.Lock()
		defer hook.mu.Unlock()
		return len(hook.got) == len(all)
	})
	previous, status, changes := received{}, map[any]any{}, 0
	for _, e := range all {
		if !e.CreatedAt.After(previous.CreatedAt) {
			c.t.Errorf("%s is at %s, %s before it at %s", e.Event, e.CreatedAt, previous.Event, previous.CreatedAt)
		}
		if got := hook.got[e.ID].CreatedAt; !got.Equal(e.CreatedAt) {
			c.t.Errorf("%s was delivered with created_at %s, want %s", e.Event, got, e.CreatedAt)
		}
		previous = e
		if card := e.Data["card_id"]; e.Event == string(events.KindCardWorkflowStatusChanged) {
			if status[card] != nil && e.Data["previous_status"] != status[card] {
				c.t.Errorf("a change from %v follows one to %v", e.Data["previous_status"], status[card])
			}
			status[card] = e.Data["status"]
			changes++
		}
	}
	if changes < 200 {
		c.t.Errorf("%d changes of a workflow status, want at least 200", changes)
	}
}

// allEvents returns the account's events, oldest first.
func (c *client) allEvents() (all []received) {
	c.t.Helper()
	for cursor := ""; ; {
		var page listOf[received]
		c.do("GET", "/events?limit=200&created_since=2020-01-01T00:00:00Z"+cursor, nil).want(c.t, http.StatusOK, &page)
		all = append(all, page.Data...)
		if !page.HasMore {
			return all
		}
		cursor = "&cursor=" + *page.NextCursor
	}
}
