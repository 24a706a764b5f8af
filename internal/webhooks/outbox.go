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
const maxDirectEvents = 16

// Outbox puts events on their way to the account's endpoints, in the transaction that records
// them. It implements events.Outbox.
//
// When an engine runs in this process and has room, a small write's deliveries are born with that
// engine's lease and handed to it once they are committed, which saves claiming them and reading
// their bodies back. If the process dies in between, the lease ends and any engine takes them.
type Outbox struct {
	db            *postgres.DB
	clock         clock.Clock
	notifier      *notifier
	subscriptions subscriptionCache

	mu     sync.RWMutex
	engine *Engine // the running engine of this process
}

var _ events.Outbox = (*Outbox)(nil)

// NewOutbox returns the process's outbox.
func NewOutbox(db *postgres.DB, c clock.Clock) *Outbox {
	return &Outbox{db: db, clock: c, notifier: newNotifier(pgNotify(db))}
}

// Enqueue makes a delivery for every endpoint of the account that subscribes to an event; those of
// a disabled endpoint wait. stamp must come from the same transaction.
func (o *Outbox) Enqueue(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, recorded []events.Event) error {
	if stamp.Endpoints == 0 || len(recorded) == 0 {
		return nil
	}
	endpoints, err := o.subscriptions.endpoints(ctx, tx, stamp)
	if err != nil {
		return fmt.Errorf("webhooks.Enqueue: %w", err)
	}
	engine, lease := o.localEngine(), lease{}
	if len(recorded) <= maxDirectEvents {
		lease = engine.reserve(stamp.AccountID)
	}
	jobs, waiting := newJobs(stamp, o.clock.Time(), recorded, endpoints, lease)
	if len(jobs)+len(waiting) == 0 {
		return nil
	}
	insertPending(tx, slices.Concat(jobs, waiting), lease)
	if lease.id == 0 && len(jobs) > 0 {
		deferWakeups(tx, stamp.AccountID, endpointsOf(jobs))
	}
	if len(jobs) > 0 {
		tx.AfterCommit(func() {
			linkEvents(ctx, recorded, jobs)
			o.passToEngine(engine, lease, jobs)
		})
	}
	return nil
}

// handOver gives the engine what it has a lease on. Whatever has none is left for whoever claims it.
func (o *Outbox) passToEngine(engine *Engine, lease lease, jobs []*job) {
	if lease.id != 0 {
		engine.accept(jobs)
		return
	}
	var keys []endpointKey
	for _, endpoint := range endpointsOf(jobs) {
		keys = append(keys, endpointKey{jobs[0].key.account, endpoint})
	}
	o.wakeEndpoints(keys)
}

// endpointsOf returns the endpoints of deliveries of one account, each once.
func endpointsOf(jobs []*job) (endpoints []string) {
	met := map[string]bool{}
	for _, j := range jobs {
		if !met[j.key.endpoint] {
			met[j.key.endpoint] = true
			endpoints = append(endpoints, j.key.endpoint)
		}
	}
	return endpoints
}

// wakeLanes has every engine look for due deliveries of these endpoints soon.
func (o *Outbox) wakeEndpoints(endpoints []endpointKey) {
	o.localEngine().wakeEndpoints(endpoints)
	o.notifier.notify(endpoints...)
}

// Wake has every engine look for due deliveries soon.
func (o *Outbox) Wake() {
	o.localEngine().Wake()
	o.notifier.notify()
}

// local returns the running engine of this process, or nil: an Engine's methods that the outbox
// calls take a nil one for an engine without room.
func (o *Outbox) localEngine() *Engine {
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
func newJobs(stamp clock.Stamp, due time.Time, recorded []events.Event, endpoints []Endpoint, l lease) (jobs, waiting []*job) {
	next := id.Run(id.Delivery, stamp.At)
	for _, event := range recorded {
		for _, endpoint := range endpoints {
			if !endpoint.wants(event.Kind) {
				continue
			}
			j := &job{
				key: endpointKey{stamp.AccountID, endpoint.ID}, version: endpoint.UpdatedAt,
				id: next(), eventID: event.ID, eventCreatedAt: event.CreatedAt, event: string(event.Kind), body: event.Body, dueAt: due,
			}
			if !endpoint.Enabled {
				waiting = append(waiting, j)
				continue
			}
			j.claimID, j.sendBy = l.id, l.sendBy
			jobs = append(jobs, j)
		}
	}
	return jobs, waiting
}

// insertPending has new deliveries written with the transaction's last statements. They are due at once, by the
// database's clock: a process whose own runs ahead holds nothing back.
func insertPending(tx *postgres.Tx, jobs []*job, l lease) {
	n := len(jobs)
	accounts, ids, endpoints, eventIDs := make(pq.StringArray, n), make(pq.StringArray, n), make(pq.StringArray, n), make(pq.StringArray, n)
	created := make(pq.StringArray, n)
	claims, leases := make(pq.Int64Array, n), make(pq.Int64Array, n) // 0: none; microseconds
	for i, j := range jobs {
		accounts[i], created[i] = j.key.account, timestamp.Format(j.eventCreatedAt)
		ids[i], endpoints[i], eventIDs[i] = j.id, j.key.endpoint, j.eventID
		claims[i], leases[i] = j.claimID, l.length.Microseconds()
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
