package processtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/webhooks/webhooktest"
)

// sink is a customer's endpoint. It checks the signature of whatever arrives and that an event has
// the same bytes each time, and can hold its answers back.
type sink struct {
	*httptest.Server
	t testing.TB
	// answer decides on an attempt, given its number from 1; nil: 204 for all. A 200 has a body.
	answer func(attempt int) int

	mu       sync.Mutex
	endpoint string // its identifier
	secret   string
	got      map[string]*arrivals // by event
	waiting  map[string]bool      // events whose answer is held back now
	gate     chan struct{}        // closed: answers go out
}

// arrivals are the requests that brought one event, in their order.
type arrivals struct {
	body []byte
	came []arrival
}

// arrival is one of them.
type arrival struct {
	attempt int // its number, from 1
	at      time.Time
}

func (a arrival) String() string {
	return fmt.Sprintf("attempt %d at %s", a.attempt, a.at.Format(time.StampMicro))
}

// times is how often each attempt came, by its number.
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
	s.registered(a, s.URL)
	return s
}

// newSink starts a sink that nothing is sent to yet.
func newSink(t testing.TB, answer func(attempt int) int) *sink {
	s := &sink{t: t, answer: answer, got: map[string]*arrivals{}, waiting: map[string]bool{}, gate: make(chan struct{})}
	close(s.gate)
	s.Server = httptest.NewServer(s)
	t.Cleanup(func() { s.release(); s.Close() })
	return s
}

// registered makes the sink the account's endpoint at an address that leads to it.
func (s *sink) registered(a *account, url string) {
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
		return // the server died while it sent: nothing has arrived
	}
	attempt, gate := s.arrived(r.Header, body)
	select {
	case <-gate:
	case <-r.Context().Done(): // the sender has gone or waits no longer
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
		fmt.Fprint(w, thanks)
	}
}

// thanks is what a sink says to what it takes by 200.
var thanks = strings.Repeat("Thank you. ", 100)

// arrived checks and records a request. It returns the attempt and the channel that its response waits for.
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
		s.t.Errorf("event %s came with two bodies: %s and %s", d.ID, a.body, body)
	}
	a.came = append(a.came, arrival{d.Attempt, time.Now()})
	s.waiting[d.ID] = true
	return d.Attempt, s.gate
}

// hold keeps answers back from now on.
func (s *sink) hold() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gate = make(chan struct{})
}

// release lets answers go out.
func (s *sink) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.gate:
	default:
		close(s.gate)
	}
}

// held waits until the answers to n events are held back, and returns how often each has arrived.
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

// count is how many events have arrived.
func (s *sink) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.got)
}

// total is how often an event has arrived.
func (s *sink) total(id string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.got[id]; a != nil {
		return len(a.came)
	}
	return 0
}

// gotAll waits until every one of the account's events has arrived, and checks that nothing else
// has and that GET /events shows what was sent.
func (s *sink) gotAll(c *client) []event {
	s.t.Helper()
	all := c.events()
	s.gets(all)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range all {
		var sent event
		if err := json.Unmarshal(s.got[e.ID].body, &sent); err != nil || !same(sent, e) {
			s.t.Fatalf("event %s was sent as %s and is listed as %+v: %v", e.ID, s.got[e.ID].body, e, err)
		}
	}
	if len(s.got) != len(all) {
		s.t.Errorf("%d events arrived, %d are listed", len(s.got), len(all))
	}
	return all
}

// gets waits until all of these events have arrived.
func (s *sink) gets(all []event) {
	s.t.Helper()
	eventually(s.t, "every event arrives", func() bool {
		return !slices.ContainsFunc(all, func(e event) bool { return s.total(e.ID) == 0 })
	})
}

// same reports whether two envelopes say the same.
func same(a, b event) bool {
	var x, y any
	return a.ID == b.ID && a.Event == b.Event && a.CreatedAt.Equal(b.CreatedAt) && a.AccountID == b.AccountID &&
		json.Unmarshal(a.Data, &x) == nil && json.Unmarshal(b.Data, &y) == nil && reflect.DeepEqual(x, y)
}
