package webhooks

import (
	"context"
	"crypto/rand"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
)

// channel is where engines listen for deliveries that other processes committed.
const channel = "cardvault_deliveries"

// notifyEvery is the shortest time between two notifications of a process: many writes wake the
// others once. It is well below the latency that is noticed.
const notifyEvery = 10 * time.Millisecond

// notifyTimeout bounds one notification, because the next one waits for it.
const notifyTimeout = time.Second

// lanesTold is up to how many endpoints a notification names: PostgreSQL carries 8,000 bytes, and each
// takes 61. Where there are more, the others poll.
const lanesTold = 100

// notifier tells the engines of other processes which endpoints have something due. It notifies
// outside the writes' transactions, because PostgreSQL lets transactions that notify commit only one
// after the other. One that fails is repeated after notifyTimeout, for all endpoints; one that is lost costs the time
// until the next poll.
type notifier struct {
	self string // names this process, which need not hear itself
	tell func(ctx context.Context, told string) error

	mu      sync.Mutex
	pending bool // a notification is under way or soon will be
	last    time.Time
	lanes   map[laneKey]bool
	all     bool
}

func newNotifier(tell func(ctx context.Context, told string) error) *notifier {
	return &notifier{self: rand.Text(), tell: tell, lanes: map[laneKey]bool{}}
}

// tellOthers returns what notifies the other processes through the database.
func tellOthers(db *postgres.DB) func(ctx context.Context, told string) error {
	return func(ctx context.Context, told string) error {
		_, err := db.Exec(ctx, `SELECT pg_notify($1, $2)`, channel, told)
		return err
	}
}

// notify has the others told soon of these endpoints, or to look at all if there are none. It returns
// at once.
func (n *notifier) notify(lanes ...laneKey) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.all = n.all || len(lanes) == 0
	for _, key := range lanes {
		n.lanes[key] = true
	}
	if n.pending {
		return
	}
	n.pending = true
	time.AfterFunc(notifyEvery-time.Since(n.last), n.send)
}

// send tells the others once, and again if there is more to tell by then: one notification is under way at
// a time, so that a database that hangs takes one connection from the pool and not all.
func (n *notifier) send() {
	ctx, cancel := context.WithTimeout(context.Background(), notifyTimeout)
	defer cancel()
	err := n.tell(ctx, n.collect())
	n.mu.Lock()
	defer n.mu.Unlock()
	pause := notifyEvery
	if err != nil {
		slog.DebugContext(ctx, "other engines were not notified; trying again", "error", err)
		n.all, pause = true, notifyTimeout
	}
	if n.pending = n.all || len(n.lanes) > 0; n.pending {
		time.AfterFunc(pause-time.Since(n.last), n.send)
	}
}

// collect returns what there is to tell, and forgets it: the process, then the endpoints.
func (n *notifier) collect() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	words := []string{n.self}
	if !n.all && len(n.lanes) <= lanesTold {
		for key := range n.lanes {
			words = append(words, key.account+"/"+key.endpoint)
		}
	}
	n.last, n.all = time.Now(), false
	clear(n.lanes)
	return strings.Join(words, " ")
}

// heard returns the endpoints that a notification names; none if all are to be looked at. own says
// that it is this process's.
func (n *notifier) heard(told string) (lanes []laneKey, own bool) {
	from, rest, _ := strings.Cut(told, " ")
	for word := range strings.FieldsSeq(rest) {
		account, endpoint, _ := strings.Cut(word, "/")
		lanes = append(lanes, laneKey{account, endpoint})
	}
	return lanes, from == n.self
}

// hear has the engine look where a notification of another process says.
func (e *Engine) hear(told string) {
	lanes, own := e.outbox.notifier.heard(told)
	switch {
	case own:
	case len(lanes) == 0:
		e.Wake()
	default:
		e.wakeLanes(lanes)
	}
}

// The pauses between attempts to listen again after the connection broke.
const (
	relistenMin = 200 * time.Millisecond
	relistenMax = 10 * time.Second
)

// listen calls hear with every notification, and with "" after every reconnection, because some may
// have been missed. It returns what stops it.
func listen(url string, hear func(told string)) (stop func()) {
	listener := pq.NewListener(url, relistenMin, relistenMax, nil)
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-quit:
				return
			case notification := <-listener.NotificationChannel():
				if notification == nil { // reconnected
					hear("")
					continue
				}
				hear(notification.Extra)
			}
		}
	}()
	// Listen waits for the first connection, which may be long in coming.
	go func() {
		if err := listener.Listen(channel); err != nil {
			slog.Debug("not listening for deliveries of other processes; polling for them", "error", err)
		}
	}()
	return func() {
		close(quit)
		<-done
		listener.Close()
	}
}
