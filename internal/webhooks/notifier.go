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
const minNotifyInterval = 10 * time.Millisecond

// notifyTimeout bounds one notification, because the next one waits for it.
const notifyTimeout = time.Second

// lanesTold is up to how many endpoints a notification names: PostgreSQL carries 8,000 bytes, and each
// takes 61. Where there are more, the others poll.
const maxNotifiedEndpoints = 100

// notifier tells the engines of other processes which endpoints have something due. It notifies
// outside the writes' transactions, because PostgreSQL lets transactions that notify commit only one
// after the other. One that fails is repeated after notifyTimeout, for all endpoints; one that is lost costs the time
// until the next poll.
type notifier struct {
	processID string // names this process, which need not hear itself
	send      func(ctx context.Context, told string) error

	mu        sync.Mutex
	pending   bool // a notification is under way or soon will be
	last      time.Time
	endpoints map[endpointKey]bool
	all       bool
}

func newNotifier(send func(ctx context.Context, told string) error) *notifier {
	return &notifier{processID: rand.Text(), send: send, endpoints: map[endpointKey]bool{}}
}

// tellOthers returns what notifies the other processes through the database.
func pgNotify(db *postgres.DB) func(ctx context.Context, payload string) error {
	return func(ctx context.Context, payload string) error {
		_, err := db.Exec(ctx, `SELECT pg_notify($1, $2)`, channel, payload)
		return err
	}
}

// notify has the others told soon of these endpoints, or to look at all if there are none. It returns
// at once.
func (n *notifier) notify(endpoints ...endpointKey) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.all = n.all || len(endpoints) == 0
	for _, key := range endpoints {
		n.endpoints[key] = true
	}
	if n.pending {
		return
	}
	n.pending = true
	time.AfterFunc(minNotifyInterval-time.Since(n.last), n.flush)
}

// send tells the others once, and again if there is more to tell by then: one notification is under way at
// a time, so that a database that hangs takes one connection from the pool and not all.
func (n *notifier) flush() {
	ctx, cancel := context.WithTimeout(context.Background(), notifyTimeout)
	defer cancel()
	err := n.send(ctx, n.takePayload())
	n.mu.Lock()
	defer n.mu.Unlock()
	pause := minNotifyInterval
	if err != nil {
		slog.DebugContext(ctx, "other engines were not notified; trying again", "error", err)
		n.all, pause = true, notifyTimeout
	}
	if n.pending = n.all || len(n.endpoints) > 0; n.pending {
		time.AfterFunc(pause-time.Since(n.last), n.flush)
	}
}

// collect returns what there is to tell, and forgets it: the process, then the endpoints.
func (n *notifier) takePayload() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	words := []string{n.processID}
	if !n.all && len(n.endpoints) <= maxNotifiedEndpoints {
		for key := range n.endpoints {
			words = append(words, key.account+"/"+key.endpoint)
		}
	}
	n.last, n.all = time.Now(), false
	clear(n.endpoints)
	return strings.Join(words, " ")
}

// heard returns the endpoints that a notification names; none if all are to be looked at. own says
// that it is this process's.
func (n *notifier) parsePayload(payload string) (endpoints []endpointKey, own bool) {
	from, rest, _ := strings.Cut(payload, " ")
	for word := range strings.FieldsSeq(rest) {
		account, endpoint, _ := strings.Cut(word, "/")
		endpoints = append(endpoints, endpointKey{account, endpoint})
	}
	return endpoints, from == n.processID
}

// hear has the engine look where a notification of another process says.
func (e *Engine) onNotification(payload string) {
	endpoints, own := e.outbox.notifier.parsePayload(payload)
	switch {
	case own:
	case len(endpoints) == 0:
		e.Wake()
	default:
		e.wakeEndpoints(endpoints)
	}
}

// The pauses between attempts to listen again after the connection broke.
const (
	relistenMin = 200 * time.Millisecond
	relistenMax = 10 * time.Second
)

// listen calls hear with every notification, and with "" after every reconnection, because some may
// have been missed. It returns what stops it.
func listen(url string, onNotification func(told string)) (stop func()) {
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
					onNotification("")
					continue
				}
				onNotification(notification.Extra)
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
