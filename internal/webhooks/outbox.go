package webhooks

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// handOverMax is up to how many events of one write go straight to the engine of this process.
// More, such as a bulk change makes, are claimed like everybody else's.
const handOverMax = 16

// Outbox puts events on their way to the account's endpoints, in the transaction that records
// them. It implements events.Outbox.
//
// When an engine runs in this process and has room, a small write's deliveries are born with that
// engine's lease and handed to it once they are committed, which saves claiming them and reading
// their bodies back. If the process dies in between, the lease ends and any engine takes them.
type Outbox struct {
	db          *postgres.DB
	clock       clock.Clock
	notifier    *notifier
	subscribers subscribers

	mu     sync.RWMutex
	engine *Engine // the running engine of this process
}

var _ events.Outbox = (*Outbox)(nil)

// NewOutbox returns the process's outbox.
func NewOutbox(db *postgres.DB, c clock.Clock) *Outbox {
	return &Outbox{db: db, clock: c, notifier: newNotifier(tellOthers(db))}
}

// Enqueue makes a delivery for every endpoint of the account that subscribes to an event; those of
// a disabled endpoint wait. stamp must come from the same transaction.
func (o *Outbox) Enqueue(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, recorded []events.Event) error {
	if stamp.Endpoints == 0 || len(recorded) == 0 {
		return nil
	}
	endpoints, err := o.subscribers.of(ctx, tx, stamp)
	if err != nil {
		return fmt.Errorf("webhooks.Enqueue: %w", err)
	}
	engine, lease := o.local(), lease{}
	if len(recorded) <= handOverMax {
		lease = engine.reserve(stamp.AccountID)
	}
	works, waiting := fanOut(stamp, o.clock.Time(), recorded, endpoints, lease)
	if len(works)+len(waiting) == 0 {
		return nil
	}
	insertPending(tx, slices.Concat(works, waiting), lease)
	if lease.claim == 0 && len(works) > 0 {
		deferWakeups(tx, stamp.AccountID, endpointsOf(works))
	}
	if len(works) > 0 {
		tx.AfterCommit(func() {
			traceCause(ctx, recorded, works)
			o.handOver(engine, lease, works)
		})
	}
	return nil
}

// handOver gives the engine what it has a lease on. Whatever has none is left for whoever claims it.
func (o *Outbox) handOver(engine *Engine, lease lease, works []*work) {
	if lease.claim != 0 {
		engine.accept(works)
		return
	}
	var keys []laneKey
	for _, endpoint := range endpointsOf(works) {
		keys = append(keys, laneKey{works[0].key.account, endpoint})
	}
	o.wakeLanes(keys)
}

// endpointsOf returns the endpoints of deliveries of one account, each once.
func endpointsOf(works []*work) (endpoints []string) {
	met := map[string]bool{}
	for _, w := range works {
		if !met[w.key.endpoint] {
			met[w.key.endpoint] = true
			endpoints = append(endpoints, w.key.endpoint)
		}
	}
	return endpoints
}

// wakeLanes has every engine look for due deliveries of these endpoints soon.
func (o *Outbox) wakeLanes(lanes []laneKey) {
	o.local().wakeLanes(lanes)
	o.notifier.notify(lanes...)
}

// Wake has every engine look for due deliveries soon.
func (o *Outbox) Wake() {
	o.local().Wake()
	o.notifier.notify()
}

// local returns the running engine of this process, or nil: an Engine's methods that the outbox
// calls take a nil one for an engine without room.
func (o *Outbox) local() *Engine {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.engine
}

func (o *Outbox) attach(e *Engine) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.engine = e
}

// fanOut makes a delivery of each event for each endpoint that wants it: those that may be sent, which
// get the lease, and those that wait because their endpoint is disabled.
func fanOut(stamp clock.Stamp, due time.Time, recorded []events.Event, endpoints []Endpoint, l lease) (works, waiting []*work) {
	next := id.Run(id.Delivery, stamp.At)
	for _, event := range recorded {
		for _, endpoint := range endpoints {
			if !endpoint.wants(event.Kind) {
				continue
			}
			w := &work{
				key: laneKey{stamp.AccountID, endpoint.ID}, version: endpoint.UpdatedAt,
				id: next(), eventID: event.ID, eventCreatedAt: event.CreatedAt, event: string(event.Kind), body: event.Body, due: due,
			}
			if !endpoint.Enabled {
				waiting = append(waiting, w)
				continue
			}
			w.claim, w.sendBy = l.claim, l.sendBy
			works = append(works, w)
		}
	}
	return works, waiting
}

// insertPending has new deliveries written with the transaction's last statements. They are due at once, by the
// database's clock: a process whose own runs ahead holds nothing back.
func insertPending(tx *postgres.Tx, works []*work, l lease) {
	n := len(works)
	accounts, ids, endpoints, eventIDs := make(pq.StringArray, n), make(pq.StringArray, n), make(pq.StringArray, n), make(pq.StringArray, n)
	created := make(pq.StringArray, n)
	claims, leases := make(pq.Int64Array, n), make(pq.Int64Array, n) // 0: none; microseconds
	for i, w := range works {
		accounts[i], created[i] = w.key.account, timestamp.Format(w.eventCreatedAt)
		ids[i], endpoints[i], eventIDs[i] = w.id, w.key.endpoint, w.eventID
		claims[i], leases[i] = w.claim, l.length.Microseconds()
	}
	tx.DeferRows(`
		INSERT INTO deliveries_pending (account_id, event_created_at, due_at, handed_until, id, endpoint_id, event_id, claim_id)
		SELECT w.account_id, w.created_at, statement_timestamp(),
		       CASE WHEN w.claim_id <> 0 THEN statement_timestamp() + w.lease * interval '1 microsecond' END,
		       w.id, w.endpoint_id, w.event_id, nullif(w.claim_id, 0)
		FROM unnest($1::text[], $2::timestamptz[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::bigint[])
			AS w(account_id, created_at, lease, id, endpoint_id, event_id, claim_id)`,
		accounts, created, leases, ids, endpoints, eventIDs, claims)
}
