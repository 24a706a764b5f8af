package webhooks

import (
	"context"
	"log/slog"
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

// notifier wakes the engines of other processes. It notifies outside the writes' transactions,
// because PostgreSQL lets transactions that notify commit only one after the other. A notification
// that is lost costs the time until the next poll.
type notifier struct {
	db *postgres.DB

	mu      sync.Mutex
	pending bool
	last    time.Time
}

// notify sends a notification soon and returns at once.
func (n *notifier) notify() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.pending {
		return
	}
	n.pending = true
	time.AfterFunc(notifyEvery-time.Since(n.last), n.send)
}

func (n *notifier) send() {
	n.mu.Lock()
	n.pending, n.last = false, time.Now()
	n.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if _, err := n.db.Exec(ctx, `SELECT pg_notify($1, '')`, channel); err != nil {
		slog.DebugContext(ctx, "other engines were not woken; they will poll", "error", err)
	}
}

// The pauses between attempts to listen again after the connection broke.
const (
	relistenMin = 200 * time.Millisecond
	relistenMax = 10 * time.Second
)

// listen calls wake for every notification, and after every reconnection, because some may have
// been missed. It returns what stops it.
func listen(url string, wake func()) (stop func()) {
	listener := pq.NewListener(url, relistenMin, relistenMax, nil)
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-quit:
				return
			case <-listener.NotificationChannel():
				wake()
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
