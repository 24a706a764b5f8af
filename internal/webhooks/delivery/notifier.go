package delivery

import (
	"context"
	"crypto/rand"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// channel is the PostgreSQL channel that engines listen on for deliveries of other processes.
const channel = "cardvault_deliveries"

// minNotifyInterval is the shortest time between two notifications of a process. Writes within it share one
// notification. It is short compared with the latency of a delivery.
const minNotifyInterval = 10 * time.Millisecond

// notifyTimeout limits one notification, because the next one waits for it.
const notifyTimeout = time.Second

// maxNotifiedEndpoints is the maximum number of endpoints in a notification. PostgreSQL limits the payload to 8,000
// bytes, and an endpoint takes 61. A notification of more endpoints names none, and the engines poll.
const maxNotifiedEndpoints = 100

// notifier notifies the engines of other processes of endpoints with due deliveries. It notifies outside the
// transactions of the writes, because PostgreSQL commits transactions that notify one at a time. A failed
// notification is repeated after notifyTimeout, for all endpoints. A lost one delays deliveries until the next poll.
type notifier struct {
	processID string // identifies this process, which ignores its own notifications
	send      func(ctx context.Context, payload string) error

	mu        sync.Mutex
	pending   bool // a notification is running or scheduled
	last      time.Time
	endpoints map[webhooks.EndpointKey]bool
	all       bool
}

func newNotifier(send func(ctx context.Context, payload string) error) *notifier {
	return &notifier{processID: rand.Text(), send: send, endpoints: map[webhooks.EndpointKey]bool{}}
}

// pgNotify returns a function that sends a payload through the database.
func pgNotify(db *postgres.DB) func(ctx context.Context, payload string) error {
	return func(ctx context.Context, payload string) error {
		_, err := db.Exec(ctx, `SELECT pg_notify($1, $2)`, channel, payload)
		return err
	}
}

// notify schedules a notification of these endpoints, or of all if none is given. It does not block.
func (n *notifier) notify(endpoints ...webhooks.EndpointKey) {
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

// flush sends one notification and schedules another if endpoints were added in the meantime. One notification runs
// at a time, so that a database that does not respond blocks one connection and not the whole pool.
func (n *notifier) flush() {
	ctx, cancel := context.WithTimeout(context.Background(), notifyTimeout)
	defer cancel()
	err := n.send(ctx, n.takePayload())
	n.mu.Lock()
	defer n.mu.Unlock()
	delay := minNotifyInterval
	if err != nil {
		slog.DebugContext(ctx, "notifying other engines failed, retrying", "error", err)
		n.all, delay = true, notifyTimeout
	}
	if n.pending = n.all || len(n.endpoints) > 0; n.pending {
		time.AfterFunc(delay-time.Since(n.last), n.flush)
	}
}

// takePayload returns the payload of the next notification and clears the collected endpoints. The payload is the
// process followed by the endpoints.
func (n *notifier) takePayload() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	words := []string{n.processID}
	if !n.all && len(n.endpoints) <= maxNotifiedEndpoints {
		for key := range n.endpoints {
			words = append(words, key.Account+"/"+key.Endpoint)
		}
	}
	n.last, n.all = time.Now(), false
	clear(n.endpoints)
	return strings.Join(words, " ")
}

// parsePayload returns the endpoints of a payload. No endpoints means all. own reports whether this process sent it.
func (n *notifier) parsePayload(payload string) (endpoints []webhooks.EndpointKey, own bool) {
	sender, names, _ := strings.Cut(payload, " ")
	for word := range strings.FieldsSeq(names) {
		account, endpoint, _ := strings.Cut(word, "/")
		endpoints = append(endpoints, webhooks.EndpointKey{Account: account, Endpoint: endpoint})
	}
	return endpoints, sender == n.processID
}

// onNotification handles a notification of another process.
func (e *Engine) onNotification(payload string) {
	endpoints, own := e.outbox.notifier.parsePayload(payload)
	switch {
	case own:
	case len(endpoints) == 0:
		e.onMissedNotifications()
	default:
		e.wakeEndpoints(endpoints)
	}
}

// The delay before the listener reconnects doubles from relistenMin up to relistenMax.
const (
	relistenMin = 200 * time.Millisecond
	relistenMax = 10 * time.Second
)

// listen calls onNotification with the payload of every notification, and with "" after every reconnection, because
// notifications may have been lost. It returns a function that stops it.
func listen(url string, onNotification func(payload string)) (stop func()) {
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
	// Listen blocks until the first connection is made, which can take long.
	go func() {
		if err := listener.Listen(channel); err != nil {
			slog.Debug("listening for notifications failed, polling only", "error", err)
		}
	}()
	return func() {
		close(quit)
		<-done
		listener.Close()
	}
}
