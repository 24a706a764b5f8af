package delivery

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
	"github.com/cardvault/cardvault/internal/webhooks"
)

// maxDirectEvents is the maximum number of events of one write that are passed directly to this process's engine.
// Larger writes, such as bulk changes, leave their deliveries to be claimed by any engine.
const maxDirectEvents = 16

// Outbox creates the deliveries of events in the transaction that records the events. It implements events.Outbox.
//
// If this process runs an engine that has room, the deliveries of a small write are inserted with a lease of that
// engine and passed to it after the commit. This saves a claim and reading the bodies. If the process crashes before
// it sends them, their lease expires and any engine claims them.
type Outbox struct {
	db            *postgres.DB
	clock         clock.Clock
	notifier      *notifier
	subscriptions subscriptionCache

	mu     sync.RWMutex
	engine *Engine // running engine of this process, or nil
}

var _ events.Outbox = (*Outbox)(nil)

// NewOutbox returns an outbox without an engine.
func NewOutbox(db *postgres.DB, c clock.Clock) *Outbox {
	return &Outbox{db: db, clock: c, notifier: newNotifier(pgNotify(db))}
}

// Enqueue creates a delivery for each event and subscribed endpoint of the account. Deliveries to disabled endpoints
// wait until the endpoint is enabled. stamp must be of the same transaction.
func (o *Outbox) Enqueue(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, list []events.Event) error {
	if stamp.Endpoints == 0 || len(list) == 0 {
		return nil
	}
	endpoints, err := o.subscriptions.endpoints(ctx, tx, stamp)
	if err != nil {
		return fmt.Errorf("enqueue deliveries: %w", err)
	}
	engine, lease := o.localEngine(), lease{}
	if len(list) <= maxDirectEvents {
		lease = engine.reserve(stamp.AccountID)
	}
	jobs, waiting := newJobs(stamp, o.clock.Time(), list, endpoints, lease)
	if len(jobs)+len(waiting) == 0 {
		return nil
	}
	insertPending(tx, slices.Concat(jobs, waiting), lease)
	if lease.id == 0 && len(jobs) > 0 {
		webhooks.DeferWakeups(tx, stamp.AccountID, endpointsOf(jobs))
	}
	if lease.id != 0 && len(jobs) > 0 {
		tx.AfterUnknownCommit(func() { engine.unconfirmed(jobs) })
	}
	if len(jobs) > 0 {
		tx.AfterCommit(func() {
			linkEvents(ctx, list, jobs)
			o.passToEngine(engine, lease, jobs)
		})
	}
	return nil
}

// Wants reports whether an endpoint of the account gets events of the kind. stamp must be of the same transaction.
func (o *Outbox) Wants(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, kind events.Kind,
) (bool, error) {
	endpoints, err := o.subscriptions.endpoints(ctx, tx, stamp)
	if err != nil {
		return false, fmt.Errorf("load wanted kinds: %w", err)
	}
	return slices.ContainsFunc(endpoints, func(e webhooks.Endpoint) bool { return e.Wants(kind) }), nil
}

// passToEngine passes leased deliveries to the engine. For deliveries without a lease, it wakes all engines.
func (o *Outbox) passToEngine(engine *Engine, lease lease, jobs []*job) {
	if lease.id != 0 {
		engine.accept(jobs)
		return
	}
	var keys []webhooks.EndpointKey
	for _, endpoint := range endpointsOf(jobs) {
		keys = append(keys, webhooks.EndpointKey{Account: jobs[0].key.Account, Endpoint: endpoint})
	}
	o.WakeEndpoints(keys)
}

// endpointsOf returns the endpoints of one account's deliveries, without duplicates.
func endpointsOf(jobs []*job) (endpoints []string) {
	met := map[string]bool{}
	for _, j := range jobs {
		if !met[j.key.Endpoint] {
			met[j.key.Endpoint] = true
			endpoints = append(endpoints, j.key.Endpoint)
		}
	}
	return endpoints
}

// WakeEndpoints makes every engine look for due deliveries of these endpoints soon.
func (o *Outbox) WakeEndpoints(endpoints []webhooks.EndpointKey) {
	o.localEngine().wakeEndpoints(endpoints)
	o.notifier.notify(endpoints...)
}

// Wake makes every engine look for due deliveries soon.
func (o *Outbox) Wake() {
	o.localEngine().Wake()
	o.notifier.notify()
}

// localEngine returns the running engine of this process, or nil. The methods of Engine that the outbox calls accept
// a nil receiver.
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

// newJobs creates a delivery for each event and subscribed endpoint: jobs with lease l for enabled endpoints, and
// waiting ones for disabled endpoints.
func newJobs(stamp clock.Stamp, due time.Time, list []events.Event, endpoints []webhooks.Endpoint,
	l lease) (jobs, waiting []*job) {
	next := id.Run(id.Delivery, stamp.At)
	for _, event := range list {
		for _, endpoint := range endpoints {
			if !endpoint.Wants(event.Kind) {
				continue
			}
			j := &job{
				key: webhooks.EndpointKey{Account: stamp.AccountID, Endpoint: endpoint.ID}, version: endpoint.UpdatedAt,
				id: next(), eventID: event.ID, eventCreatedAt: event.CreatedAt, event: string(event.Kind),
				body: event.Body, dueAt: due,
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

// insertPending inserts new deliveries with the transaction's last statements. They are due at once by the database's
// clock, because this process's clock may be ahead.
func insertPending(tx *postgres.Tx, jobs []*job, l lease) {
	n := len(jobs)
	accounts, ids, endpoints, eventIDs := make(pq.StringArray, n), make(pq.StringArray, n), make(pq.StringArray, n),
		make(pq.StringArray, n)
	times := make(pq.StringArray, n)
	claims, leases := make(pq.Int64Array, n), make(pq.Int64Array, n) // claims: 0 means none; leases: microseconds
	for i, j := range jobs {
		accounts[i], times[i] = j.key.Account, timestamp.Format(j.eventCreatedAt)
		ids[i], endpoints[i], eventIDs[i] = j.id, j.key.Endpoint, j.eventID
		claims[i], leases[i] = j.claimID, l.length.Microseconds()
	}
	tx.DeferRows(`
		INSERT INTO deliveries_pending (account_id, event_created_at, due_at, handed_until, id, endpoint_id, event_id,
		  claim_id)
		SELECT w.account_id, w.created_at, statement_timestamp(),
		       CASE WHEN w.claim_id <> 0 THEN statement_timestamp() + w.lease * interval '1 microsecond' END,
		       w.id, w.endpoint_id, w.event_id, nullif(w.claim_id, 0)
		FROM unnest($1::text[], $2::timestamptz[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::bigint[])
			AS w(account_id, created_at, lease, id, endpoint_id, event_id, claim_id)`,
		accounts, times, leases, ids, endpoints, eventIDs, claims)
}
