package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/webhooks/webhooktest"
)

// sink is a webhook endpoint of a customer. It verifies every signature and keeps one copy of each event.
type sink struct {
	*httptest.Server
	secret string

	mu  sync.Mutex
	got map[string]received // by event id
}

// received is an event, from a webhook or from GET /events.
type received struct {
	ID        string
	Event     string
	CreatedAt time.Time `json:"created_at"`
	AccountID string
	Data      map[string]any
}

// endpoint registers a sink for the account.
func (c *client) endpoint(kinds ...events.Kind) *sink {
	c.t.Helper()
	s := &sink{got: map[string]received{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.receive(c.t, w, r)
	}))
	c.t.Cleanup(s.Close)
	_, secret, err := c.service.Endpoints.Register(c.t.Context(), c.account, s.URL, kinds)
	if err != nil {
		c.t.Fatal(err)
	}
	s.mu.Lock()
	s.secret = secret
	s.mu.Unlock()
	return s
}

func (s *sink) receive(t testing.TB, w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Error(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := webhooktest.Parse(s.secret, r.Header, body)
	if err != nil {
		t.Errorf("delivery %s with headers %v: %v", body, r.Header, err)
	}
	e := received{ID: d.ID, Event: d.Event, CreatedAt: d.CreatedAt, AccountID: d.AccountID}
	if err := json.Unmarshal(d.Data, &e.Data); err != nil {
		t.Errorf("data of event %s: %v", d.ID, err)
	}
	if _, known := s.got[e.ID]; !known {
		s.got[e.ID] = e
	}
	w.WriteHeader(http.StatusNoContent)
}

// event waits for an event of a kind about a card and returns its data.
func (s *sink) event(t testing.TB, kind, cardID string) map[string]any {
	t.Helper()
	var data map[string]any
	eventually(t, kind, func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, e := range s.got {
			if e.Event == kind && e.Data["card_id"] == cardID {
				data = e.Data
			}
		}
		return data != nil
	})
	return data
}

// kinds returns the kinds of the events that arrived.
func (s *sink) kinds() (kinds []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.got {
		kinds = append(kinds, e.Event)
	}
	return kinds
}
