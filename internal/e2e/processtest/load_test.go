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

// load is customers at work while something breaks: each changes a card of its own again and again
// and reads it back, and one polls for changes. They bear with 503 and with nothing else; they do not
// even wait as it asks them to, and must not be told that they ask too often.
type load struct {
	t      testing.TB
	client *client
	cards  []card

	rest func() // ends the customers' work
	stop func() // ends the polling too

	leaving atomic.Bool // the server stops: getting no answer is right

	mu        sync.Mutex
	confirmed map[string]card // the last answer 200 to each card's PATCH
	seen      map[string]card // what polling showed of each card last
	good      int             // rounds that went well
	away      int             // answers that said unavailable
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

// begin repeats each of rounds until the returned function is called, which waits for the end.
func (l *load) begin(rounds ...func() error) (end func()) {
	quit := make(chan struct{})
	var group sync.WaitGroup
	for _, round := range rounds {
		group.Go(func() { l.repeat(quit, round) })
	}
	return sync.OnceFunc(func() { close(quit); group.Wait() })
}

// errGone ends the work of customers whose server has stopped as it was asked to.
var errGone = errors.New("the server is gone")

// errAway is a proper 503.
var errAway = errors.New("the service is unavailable")

// repeat calls round some fifty times a second until quit or an error.
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

// ask sends a request that is answered 200, or else by errAway.
func (l *load) ask(method, path, body string, dest any) error {
	got, err := l.client.try(method, path, body)
	if err != nil && l.leaving.Load() {
		return errGone
	}
	if err != nil {
		return fmt.Errorf("%s %s: no answer: %w", method, path, err)
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

// customer returns one round of a customer: look at the card, then archive it or bring it back, at a
// new price. Each change is one version and one event that tells of an archived card.
func (l *load) customer(id string) func() error {
	var last card
	amount := int64(0)
	return func() error {
		var now, changed card
		if err := l.ask("GET", "/cards/"+id, "", &now); err != nil {
			return err
		}
		if now.Version < last.Version || now.Version == last.Version && now.price() != last.price() {
			return fmt.Errorf("card %+v was confirmed and is now %+v", last, now)
		}
		amount++
		patch := fmt.Sprintf(`{"archived":%t,"pricing":{"asking_price":{"amount":%d,"currency":"USD"}}}`, now.WorkflowStatus != "archived", amount)
		if err := l.ask("PATCH", "/cards/"+id, patch, &changed); err != nil {
			return err
		}
		if changed.Version != now.Version+1 || changed.price() != amount {
			return fmt.Errorf("%+v changed by %s is %+v", now, patch, changed)
		}
		last = changed
		l.mu.Lock()
		defer l.mu.Unlock()
		l.confirmed[id] = changed
		l.good++
		return nil
	}
}

// poller returns one round of a client that mirrors the inventory: one page of what changed since
// the last time it saw.
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

// wentWell waits until n more rounds have gone well.
func (l *load) wentWell(n int) {
	l.t.Helper()
	begun, _ := l.counts()
	eventually(l.t, "requests go well", func() bool {
		good, _ := l.counts()
		return good >= begun+n || l.t.Failed()
	})
}

// counts returns how many rounds went well and how many requests were told that the service is away.
func (l *load) counts() (good, away int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.good, l.away
}

// settle ends the customers' work once the one who polls has seen the last of it.
func (l *load) settle() {
	l.t.Helper()
	l.rest()
	eventually(l.t, "polling shows the last change", func() bool {
		now := pages[card](l.client, "/cards", url.Values{})
		l.mu.Lock()
		defer l.mu.Unlock()
		return !slices.ContainsFunc(now, func(c card) bool { return l.seen[c.ID].Version != c.Version }) || l.t.Failed()
	})
	l.stop()
}
