package processtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/webhooks/webhooktest"
)

// sink is a customer's endpoint. It checks the signature of each request, checks that an event has the same bytes each
// time, and can hold its responses back.
type sink struct {
	*httptest.Server
	t testing.TB
	// answer returns the status of the response to an attempt, given its number from 1. If it is nil, the status is
	// always 204. A response 200 has a body.
	answer func(attempt int) int

	mu       sync.Mutex
	endpoint string // the identifier
	secret   string
	got      map[string]*arrivals // by event
	waiting  map[string]bool      // events whose response is held back now
	passing  int                  // requests that are still answered at once after hold
	gate     chan struct{}        // closed unless responses are held back
}

// arrivals are the requests with one event, in their order.
type arrivals struct {
	body []byte
	came []arrival
}

// arrival is one request.
type arrival struct {
	attempt int // its number, from 1
	at      time.Time
}

func (a arrival) String() string {
	return fmt.Sprintf("attempt %d at %s", a.attempt, a.at.Format(time.StampMicro))
}

// times returns how often each attempt arrived, by its number.
func (a *arrivals) times() map[int]int {
	times := map[int]int{}
	for _, one := range a.came {
		times[one.attempt]++
	}
	return times
}

// sink registers an endpoint for all events of the account.
func (a *account) sink(answer func(attempt int) int) *sink {
	a.t.Helper()
	s := newSink(a.t, answer)
	s.register(a, s.URL)
	return s
}

// newSink starts a sink that is not registered yet.
func newSink(t testing.TB, answer func(attempt int) int) *sink {
	s := &sink{
		t: t, answer: answer, got: map[string]*arrivals{}, waiting: map[string]bool{}, gate: open,
	}
	s.Server = httptest.NewServer(s)
	t.Cleanup(func() { s.release(); s.Close() })
	return s
}

// register registers the sink as an endpoint of the account, at a URL that leads to it.
func (s *sink) register(a *account, url string) {
	a.t.Helper()
	var made struct{ ID, Secret string }
	a.settings.read(a.t, &made, "webhook", "register", "--account", a.id, "--url", url)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endpoint, s.secret = made.ID, made.Secret
}

// ServeHTTP implements http.Handler.
func (s *sink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the server died before it sent the whole request
	}
	attempt, gate := s.arrived(r.Header, body)
	select {
	case <-gate:
	case <-r.Context().Done(): // the sender has closed the connection
	}
	s.mu.Lock()
	delete(s.waiting, r.Header.Get("X-Vault-Event-Id"))
	s.mu.Unlock()
	status := http.StatusNoContent
	if s.answer != nil {
		status = s.answer(attempt)
	}
	w.WriteHeader(status)
	if status == http.StatusOK {
		fmt.Fprint(w, responseBody)
	}
}

// responseBody is the body of a response 200.
var responseBody = strings.Repeat("Thank you. ", 100)

// arrived checks and records a request. It returns the attempt and the channel for which the response must wait.
func (s *sink) arrived(header http.Header, body []byte) (attempt int, gate <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := webhooktest.Parse(s.secret, header, body)
	if err != nil {
		s.t.Errorf("delivery of %s with headers %v: %v", body, header, err)
		return d.Attempt, s.gate
	}
	a := s.got[d.ID]
	if a == nil {
		a = &arrivals{body: body}
		s.got[d.ID] = a
	}
	if !bytes.Equal(a.body, body) {
		s.t.Errorf("event %s arrived with the bodies %s and %s, want one", d.ID, a.body, body)
	}
	a.came = append(a.came, arrival{d.Attempt, time.Now()})
	s.waiting[d.ID] = true
	if s.passing > 0 {
		s.passing--
		return d.Attempt, open
	}
	return d.Attempt, s.gate
}

// open is the gate of a response that is not held back.
var open = func() chan struct{} {
	gate := make(chan struct{})
	close(gate)
	return gate
}()

// hold holds responses back from now on.
func (s *sink) hold() { s.holdAfter(0) }

// holdAfter answers the next n requests at once and holds the responses to all later requests back.
func (s *sink) holdAfter(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.passing = n
	s.gate = make(chan struct{})
}

// release sends the responses that are held back, and all later ones at once.
func (s *sink) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.gate:
	default:
		close(s.gate)
	}
}

// held waits until the responses to n events are held back, and returns how often each of the events has arrived.
func (s *sink) held(n int) map[string]int {
	s.t.Helper()
	totals := map[string]int{}
	eventually(s.t, "deliveries are in flight", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		clear(totals)
		for id := range s.waiting {
			totals[id] = len(s.got[id].came)
		}
		return len(totals) >= n
	})
	return totals
}

// count returns the number of events that have arrived.
func (s *sink) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.got)
}

// total returns how often an event has arrived.
func (s *sink) total(id string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.got[id]; a != nil {
		return len(a.came)
	}
	return 0
}

// gotAll waits until every event of the account has arrived. It checks that no other event has, and that GET /events
// returns the envelopes that were sent.
func (s *sink) gotAll(c *client) []event {
	s.t.Helper()
	all := c.events()
	s.awaitEvents(all)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range all {
		var sent event
		if err := json.Unmarshal(s.got[e.ID].body, &sent); err != nil {
			s.t.Fatalf("event %s: %v: %s", e.ID, err, s.got[e.ID].body)
		}
		if diff := cmp.Diff(sent, e, equalJSON); diff != "" {
			s.t.Fatalf("event %s as sent and as listed (-sent +listed):\n%s", e.ID, diff)
		}
	}
	if len(s.got) != len(all) {
		s.t.Errorf("%d events arrived, %d are listed", len(s.got), len(all))
	}
	return all
}

// awaitEvents waits until all of the events have arrived.
func (s *sink) awaitEvents(all []event) {
	s.t.Helper()
	eventually(s.t, "every event arrives", func() bool {
		return !slices.ContainsFunc(all, func(e event) bool { return s.total(e.ID) == 0 })
	})
}

// equalJSON compares JSON by its value.
var equalJSON = cmp.Transformer("JSON", func(text json.RawMessage) (value any) {
	if err := json.Unmarshal(text, &value); err != nil {
		return err.Error()
	}
	return value
})
