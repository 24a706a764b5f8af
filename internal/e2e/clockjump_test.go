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

	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// retryPause is the pause after each failed attempt: far longer than the test, far shorter than a jump.
const retryPause = 10 * time.Minute

// untilRetry is longer than any pause becomes by its jitter.
const untilRetry = retryPause * 3 / 2

var workingAt = regexp.MustCompile(`msg=working admin=(\S+)`)

// engineOffClock starts `cardvault worker` as a process with a wrong clock.
func engineOffClock(t *testing.T, databaseURL string, offset time.Duration) (kill func()) {
	t.Helper()
	kill, _ = offClock(t, offset, workingAt, "worker", "--allow-private-networks", "--admin-addr", "127.0.0.1:0", "--photo-store", t.TempDir(),
		"--database-url", databaseURL, "--clock-tolerance", "24h", "--webhook-timeout", "5s", "--webhook-lease", "10s",
		"--webhook-retry-delays", strings.Repeat(retryPause.String()+",", 4)+retryPause.String())
	return kill
}

// timekeeper is an endpoint that notes which attempts come. It verifies signatures by their senders' clocks.
type timekeeper struct {
	*httptest.Server
	t testing.TB

	mu     sync.Mutex
	secret string
	status int // of its answers
	left   int // how many more it gives; other requests wait until their sender is gone
	came   []sending
}

// sending is a request that came.
type sending struct {
	event   string
	attempt int
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

// answers has the endpoint give so many answers with this status from now on.
func (k *timekeeper) answers(n, status int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.left, k.status = n, status
}

// ServeHTTP implements http.Handler.
func (k *timekeeper) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the sender was killed while it sent
	}
	if status := k.note(r.Header, body); status != 0 {
		w.WriteHeader(status)
		return
	}
	<-r.Context().Done()
}

// note checks and keeps a request and returns the status of its answer, 0 for none.
func (k *timekeeper) note(header http.Header, body []byte) int {
	k.mu.Lock()
	defer k.mu.Unlock()
	signature := header.Get("X-Vault-Signature")
	stamp, _, _ := strings.Cut(strings.TrimPrefix(signature, "t="), ",")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil {
		k.t.Errorf("signed at %q", stamp)
	}
	at := time.Unix(seconds, 0)
	if err := webhooks.Verify(k.secret, signature, body, at); err != nil {
		k.t.Error(err)
	}
	attempt, err := strconv.Atoi(header.Get("X-Vault-Delivery-Attempt"))
	if err != nil {
		k.t.Error(err)
	}
	k.came = append(k.came, sending{header.Get("X-Vault-Event-Id"), attempt})
	if k.left == 0 {
		return 0
	}
	k.left--
	return k.status
}

// sent is how often each attempt came, by event.
func (k *timekeeper) sent() map[string]map[int]int {
	k.mu.Lock()
	defer k.mu.Unlock()
	sent := map[string]map[int]int{}
	for _, s := range k.came {
		if sent[s.event] == nil {
			sent[s.event] = map[int]int{}
		}
		sent[s.event][s.attempt]++
	}
	return sent
}

// awaitAttempts returns when so many pending deliveries have had so many attempts.
func (c *client) awaitAttempts(attempts, deliveries int) {
	c.t.Helper()
	eventually(c.t, "attempts are stored", func() bool {
		n := 0
		for _, one := range c.deliveries(webhooks.Pending) {
			if one.Attempts == attempts {
				n++
			}
		}
		return n == deliveries
	})
}

// pass lets time pass for all unfinished deliveries, by the database's clock.
func (c *client) pass(d time.Duration) {
	c.t.Helper()
	for _, statement := range []string{
		`UPDATE deliveries_pending SET due_at = due_at - $1 * interval '1 second',
			leased_until = leased_until - $1 * interval '1 second', handed_until = handed_until - $1 * interval '1 second'`,
		`UPDATE endpoint_wakeups SET wake_at = wake_at - $1 * interval '1 second', due_from = due_from - $1 * interval '1 second'`,
	} {
		if _, err := c.service.App.DB.Exec(c.t.Context(), statement, d.Seconds()); err != nil {
			c.t.Fatal(err)
		}
	}
}

func (c *client) deliveries(state webhooks.State) []webhooks.Delivery {
	c.t.Helper()
	list, _, err := c.service.App.Deliveries.List(c.t.Context(), webhooks.Filter{Account: c.account, State: state, Limit: 200})
	if err != nil {
		c.t.Fatal(err)
	}
	return list
}

// Each of four engines has another wrong clock, and deliveries are in flight when it is killed. Every attempt is sent
// when the database says so: by an engine ahead not before, by one behind not later, and none is lost.
func TestEngineProcesses_DueTimesAreTheDatabases(t *testing.T) {
	t.Parallel()
	const early, late, inFlight, all = 12, 2, 2, 1000
	databaseURL := pgtest.URL(t)
	c := clientWithoutWorkers(t, databaseURL)
	k := c.timekeeper()

	k.answers(all, http.StatusServiceUnavailable)
	c.publish(early)
	kill := engineOffClock(t, databaseURL, time.Hour)
	c.awaitAttempts(1, early)
	c.publish(late) // by the time these have been sent, retries that the engine took for due would have been too
	c.awaitAttempts(1, early+late)
	if n := k.total(); n != early+late {
		t.Errorf("%d requests before they were due", n-early-late)
	}
	kill()

	c.pass(untilRetry)
	k.answers(early+late-inFlight, http.StatusServiceUnavailable)
	kill = engineOffClock(t, databaseURL, -time.Hour)
	c.awaitAttempts(2, early+late-inFlight)
	eventually(t, "the others are in flight", func() bool { return k.total() == 2*(early+late) })
	kill()

	c.pass(time.Minute) // their leases end, and no retry is due yet
	k.answers(all, http.StatusServiceUnavailable)
	kill = engineOffClock(t, databaseURL, 2*time.Hour)
	c.awaitAttempts(2, early+late)
	kill()

	c.pass(untilRetry)
	k.answers(all, http.StatusNoContent)
	engineOffClock(t, databaseURL, 0)
	eventually(t, "all are delivered", func() bool { return len(c.deliveries(webhooks.Delivered)) == early+late })
	k.cameAs(map[string]int{"1×1 2×1 3×1": early + late - inFlight, "1×1 2×2 3×1": inFlight})
}

// clientWithoutWorkers is a client of a process that sends nothing, on a machine whose clock is right.
func clientWithoutWorkers(t *testing.T, databaseURL string) *client {
	t.Helper()
	a, err := app.Open(t.Context(), settings(t, databaseURL))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return (&service{App: a, url: startOffClock(t, databaseURL, 0)}).client(t, false)
}

// publish makes so many events: a card that comes with its identification tells of two.
func (c *client) publish(events int) {
	c.t.Helper()
	for range events / 2 {
		c.create(`{"identification":{"title":"Ember Fox"}}`)
	}
}

func (k *timekeeper) total() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.came)
}

// cameAs checks in which attempts events came: want is how many events by their attempts, each number with how
// often it came.
func (k *timekeeper) cameAs(want map[string]int) {
	k.t.Helper()
	got := map[string]int{}
	for _, attempts := range k.sent() {
		var text []string
		for _, n := range slices.Sorted(maps.Keys(attempts)) {
			text = append(text, fmt.Sprintf("%d×%d", n, attempts[n]))
		}
		got[strings.Join(text, " ")]++
	}
	if !maps.Equal(got, want) {
		k.t.Errorf("events by their attempts: %v, want %v", got, want)
	}
}
