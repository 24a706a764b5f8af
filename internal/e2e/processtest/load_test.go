package processtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// load is a set of customers that work during a fault. Each customer changes and reads a card of its own, and one
// client polls for changes. They accept 503 and no other error. They ignore Retry-After, but must not get 429.
type load struct {
	t      testing.TB
	client *client
	cards  []card

	rest func() // stops the customers
	stop func() // stops the customers and the polling

	leaving atomic.Bool // the server is stopping, so requests may fail

	mu        sync.Mutex
	confirmed map[string]card // the response to the last successful PATCH of each card
	seen      map[string]card // the last version of each card that polling returned
	good      int             // successful rounds
	away      int             // responses 503
}

// newLoad starts n customers.
func newLoad(c *client, n int) *load {
	l := &load{t: c.t, client: c, cards: c.create(n), confirmed: map[string]card{}, seen: map[string]card{}}
	var customers []func() error
	for _, one := range l.cards {
		customers = append(customers, l.customer(one.ID))
	}
	l.rest = l.begin(customers...)
	stopPolling := l.begin(l.poller())
	l.stop = func() { l.rest(); stopPolling() }
	c.t.Cleanup(l.stop)
	return l
}

// begin repeats each of the rounds concurrently until end is called, which waits for them.
func (l *load) begin(rounds ...func() error) (end func()) {
	quit := make(chan struct{})
	var group sync.WaitGroup
	for _, round := range rounds {
		group.Go(func() { l.repeat(quit, round) })
	}
	return sync.OnceFunc(func() { close(quit); group.Wait() })
}

// errGone ends the work of customers whose server stops.
var errGone = errors.New("the server is gone")

// errAway is a well-formed response 503.
var errAway = errors.New("the service is unavailable")

// repeat calls round fifty times a second until quit is closed or round returns an error other than errAway.
func (l *load) repeat(quit <-chan struct{}, round func() error) {
	pace := time.NewTicker(20 * time.Millisecond)
	defer pace.Stop()
	for {
		select {
		case <-quit:
			return
		case <-pace.C:
		}
		err := round()
		if errors.Is(err, errAway) {
			continue
		}
		if err != nil && !errors.Is(err, errGone) {
			l.t.Error(err)
		}
		if err != nil {
			return
		}
	}
}

// ask sends a request and decodes a response 200 into dest. It returns errAway for a well-formed 503, and another error
// for every other response.
func (l *load) ask(method, path, body string, dest any) error {
	got, err := l.client.try(method, path, body)
	if err != nil && l.leaving.Load() {
		return errGone
	}
	if err != nil {
		return fmt.Errorf("%s %s: no response: %w", method, path, err)
	}
	switch got.status {
	case http.StatusOK:
		return json.Unmarshal(got.body, dest)
	case http.StatusServiceUnavailable:
		code, message := got.problem()
		wait, err := strconv.Atoi(got.header.Get("Retry-After"))
		if code != "unavailable" || message == "" || err != nil || wait < 1 {
			return fmt.Errorf("%s %s: %s with Retry-After %q", method, path, got.body, got.header.Get("Retry-After"))
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		l.away++
		return errAway
	}
	return fmt.Errorf("%s %s: status %d: %s", method, path, got.status, got.body)
}

// customer returns one round of a customer: read the card, then archive or unarchive it and set a new price. Each
// change adds one version and causes one event.
func (l *load) customer(id string) func() error {
	var last card
	amount := int64(0)
	return func() error {
		var now, changed card
		if err := l.ask("GET", "/cards/"+id, "", &now); err != nil {
			return err
		}
		if now.Version < last.Version || now.Version == last.Version && now.price() != last.price() {
			return fmt.Errorf("the server confirmed %+v and now returns %+v", last, now)
		}
		amount++
		patch := archiveOrNot(now, amount)
		if err := l.ask("PATCH", "/cards/"+id, patch, &changed); err != nil {
			return err
		}
		if changed.Version != now.Version+1 || changed.price() != amount {
			return fmt.Errorf("%s changed %+v into %+v", patch, now, changed)
		}
		last = changed
		l.mu.Lock()
		defer l.mu.Unlock()
		l.confirmed[id] = changed
		l.good++
		return nil
	}
}

// archiveOrNot returns the body of a PATCH that archives a card, or unarchives it if it is archived, and sets its
// price.
func archiveOrNot(now card, amount int64) string {
	return fmt.Sprintf(`{"archived":%t,"pricing":{"asking_price":{"amount":%d,"currency":"USD"}}}`,
		now.WorkflowStatus != "archived", amount)
}

// poller returns one round of a client that mirrors the inventory: it reads one page of what changed since the last
// updated_at.
func (l *load) poller() func() error {
	since := time.Unix(0, 0).UTC()
	return func() error {
		var page struct{ Data []card }
		query := url.Values{"updated_since": {since.Format(time.RFC3339Nano)}, "limit": {"200"}}
		if err := l.ask("GET", "/cards?"+query.Encode(), "", &page); err != nil {
			return err
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, one := range page.Data {
			l.seen[one.ID], since = one, one.UpdatedAt
		}
		return nil
	}
}

// awaitRounds waits for n more successful rounds.
func (l *load) awaitRounds(n int) {
	l.t.Helper()
	begun, _ := l.counts()
	eventually(l.t, "requests succeed", func() bool {
		good, _ := l.counts()
		return good >= begun+n || l.t.Failed()
	})
}

// counts returns the numbers of successful rounds and of responses 503.
func (l *load) counts() (good, away int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.good, l.away
}

// finish stops the customers, waits until polling has returned their last changes, and stops the polling.
func (l *load) finish() {
	l.t.Helper()
	l.rest()
	eventually(l.t, "polling returns the last changes", func() bool {
		now := pages[card](l.client, "/cards", url.Values{})
		l.mu.Lock()
		defer l.mu.Unlock()
		return !slices.ContainsFunc(now, func(c card) bool { return l.seen[c.ID].Version != c.Version }) || l.t.Failed()
	})
	l.stop()
}
