package e2e

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// retryDelay is the delay after each failed attempt: far longer than the test, and far shorter than the clocks' errors.
const retryDelay = 10 * time.Minute

// untilRetry is longer than any delay with its jitter.
const untilRetry = retryDelay * 3 / 2

var workingAt = regexp.MustCompile(`msg=working admin=(\S+)`)

// engineOffClock starts `cardvault worker` as a process whose clock is wrong by an offset.
func engineOffClock(t *testing.T, databaseURL string, offset time.Duration) (kill func()) {
	t.Helper()
	kill, _ = offClock(t, offset, workingAt, "worker",
		"--allow-private-networks",
		"--admin-addr", "127.0.0.1:0",
		"--photo-store", t.TempDir(),
		"--database-url", databaseURL,
		"--clock-tolerance", "24h",
		"--webhook-timeout", "5s",
		"--webhook-lease", "10s",
		"--webhook-retry-delays", strings.Repeat(retryDelay.String()+",", 4)+retryDelay.String())
	return kill
}

// timekeeper is an endpoint that records attempts. It verifies each signature at the time in it, because the sender's
// clock is wrong.
type timekeeper struct {
	*httptest.Server
	t testing.TB

	mu        sync.Mutex
	secret    string
	status    int // of the responses
	responses int // how many are left; further requests wait until their sender closes the connection
	received  []attempt
}

// attempt identifies an attempt to deliver an event.
type attempt struct {
	event  string
	number int
}

func (c *client) timekeeper() *timekeeper {
	c.t.Helper()
	k := &timekeeper{t: c.t}
	k.Server = httptest.NewServer(k)
	c.t.Cleanup(k.Close)
	_, secret, err := c.service.Endpoints.Register(c.t.Context(), c.account, k.URL, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.secret = secret
	return k
}

// respond makes the endpoint send the next n responses with a status, and none after them.
func (k *timekeeper) respond(n, status int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.responses, k.status = n, status
}

// ServeHTTP implements http.Handler.
func (k *timekeeper) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the test killed the sender
	}
	if status := k.receive(r.Header, body); status != 0 {
		w.WriteHeader(status)
		return
	}
	<-r.Context().Done()
}

// receive checks and records a request. It returns the status of the response, or 0 for no response.
func (k *timekeeper) receive(header http.Header, body []byte) int {
	k.mu.Lock()
	defer k.mu.Unlock()
	signature := header.Get("X-Vault-Signature")
	stamp, _, _ := strings.Cut(strings.TrimPrefix(signature, "t="), ",")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil {
		k.t.Errorf("the signature %q has no valid time: %v", signature, err)
	}
	at := time.Unix(seconds, 0)
	if err := webhooks.Verify(k.secret, signature, body, at); err != nil {
		k.t.Error(err)
	}
	number, err := strconv.Atoi(header.Get("X-Vault-Delivery-Attempt"))
	if err != nil {
		k.t.Error(err)
	}
	k.received = append(k.received, attempt{header.Get("X-Vault-Event-Id"), number})
	if k.responses == 0 {
		return 0
	}
	k.responses--
	return k.status
}

// counts returns how often each attempt arrived, by event and number.
func (k *timekeeper) counts() map[string]map[int]int {
	k.mu.Lock()
	defer k.mu.Unlock()
	counts := map[string]map[int]int{}
	for _, a := range k.received {
		if counts[a.event] == nil {
			counts[a.event] = map[int]int{}
		}
		counts[a.event][a.number]++
	}
	return counts
}

// awaitAttempts waits until a number of pending deliveries have had a number of attempts.
func (c *client) awaitAttempts(attempts, deliveries int) {
	c.t.Helper()
	eventually(c.t, "attempts are stored", func() bool {
		n := 0
		for _, delivery := range c.deliveries(webhooks.Pending) {
			if delivery.Attempts == attempts {
				n++
			}
		}
		return n == deliveries
	})
}

// advance moves the times of all unfinished deliveries into the past, as if the database's clock had moved forward.
func (c *client) advance(d time.Duration) {
	c.t.Helper()
	for _, statement := range []string{
		`UPDATE deliveries_pending SET
			due_at = due_at - $1 * interval '1 second',
			leased_until = leased_until - $1 * interval '1 second',
			handed_until = handed_until - $1 * interval '1 second'`,
		`UPDATE endpoint_wakeups SET
			wake_at = wake_at - $1 * interval '1 second',
			due_from = due_from - $1 * interval '1 second'`,
	} {
		if _, err := c.service.App.DB.Exec(c.t.Context(), statement, d.Seconds()); err != nil {
			c.t.Fatal(err)
		}
	}
}

func (c *client) deliveries(state webhooks.State) []webhooks.Delivery {
	c.t.Helper()
	filter := webhooks.Filter{Account: c.account, State: state, Limit: 200}
	list, _, err := c.service.App.Deliveries.List(c.t.Context(), filter)
	if err != nil {
		c.t.Fatal(err)
	}
	return list
}

// TestEngineProcesses_DueTimesAreTheDatabases runs four engines with different clocks one after the other and kills
// them while deliveries are in flight. Every attempt is sent when it is due by the database's clock: an engine whose
// clock is ahead sends none early, one whose clock is behind sends none late, and no delivery is lost.
func TestEngineProcesses_DueTimesAreTheDatabases(t *testing.T) {
	t.Parallel()
	const early, late, inFlight, all = 12, 2, 2, 1000
	databaseURL := pgtest.URL(t)
	c := clientWithoutWorkers(t, databaseURL)
	k := c.timekeeper()

	k.respond(all, http.StatusServiceUnavailable)
	c.publish(early)
	kill := engineOffClock(t, databaseURL, time.Hour)
	c.awaitAttempts(1, early)
	c.publish(late) // an engine that took retries for due would send them before these
	c.awaitAttempts(1, early+late)
	if n := k.total(); n != early+late {
		t.Errorf("%d retries arrived before they were due", n-early-late)
	}
	kill()

	c.advance(untilRetry)
	k.respond(early+late-inFlight, http.StatusServiceUnavailable)
	kill = engineOffClock(t, databaseURL, -time.Hour)
	c.awaitAttempts(2, early+late-inFlight)
	eventually(t, "the others are in flight", func() bool { return k.total() == 2*(early+late) })
	kill()

	c.advance(time.Minute) // leases expire, but no retry is due yet
	k.respond(all, http.StatusServiceUnavailable)
	kill = engineOffClock(t, databaseURL, 2*time.Hour)
	c.awaitAttempts(2, early+late)
	kill()

	c.advance(untilRetry)
	k.respond(all, http.StatusNoContent)
	engineOffClock(t, databaseURL, 0)
	eventually(t, "all are delivered", func() bool { return len(c.deliveries(webhooks.Delivered)) == early+late })
	want := map[string]int{"1×1 2×1 3×1": early + late - inFlight, "1×1 2×2 3×1": inFlight}
	if diff := cmp.Diff(want, k.histogram()); diff != "" {
		t.Errorf("wrong numbers of events by their attempts (-want +got):\n%s", diff)
	}
}

// clientWithoutWorkers returns a client of a process that has a right clock and sends no deliveries.
func clientWithoutWorkers(t *testing.T, databaseURL string) *client {
	t.Helper()
	a, err := app.Open(t.Context(), settings(t, databaseURL))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return (&service{App: a, url: startOffClock(t, databaseURL, 0)}).client(t, false)
}

// publish creates a number of events. A card that is imported with its identification records two.
func (c *client) publish(events int) {
	c.t.Helper()
	for range events / 2 {
		c.create(`{"identification":{"title":"Ember Fox"}}`)
	}
}

func (k *timekeeper) total() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.received)
}

// histogram returns the number of events by their attempts, such as "1×1 2×2" for events whose first attempt arrived
// once and whose second one arrived twice.
func (k *timekeeper) histogram() map[string]int {
	events := map[string]int{}
	for _, counts := range k.counts() {
		var attempts []string
		for _, number := range slices.Sorted(maps.Keys(counts)) {
			attempts = append(attempts, fmt.Sprintf("%d×%d", number, counts[number]))
		}
		events[strings.Join(attempts, " ")]++
	}
	return events
}
