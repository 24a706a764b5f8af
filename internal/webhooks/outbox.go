package webhooks

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
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
	db       *postgres.DB
	clock    clock.Clock
	notifier notifier

	mu     sync.RWMutex
	engine *Engine // the running engine of this process
}

var _ events.Outbox = (*Outbox)(nil)

// NewOutbox returns the process's outbox.
func NewOutbox(db *postgres.DB, c clock.Clock) *Outbox {
	return &Outbox{db: db, clock: c, notifier: notifier{db: db}}
}

// Enqueue makes a delivery for every endpoint of the account that subscribes to an event; those of
// a disabled endpoint wait. stamp must come from the same transaction.
func (o *Outbox) Enqueue(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, recorded []events.Event) error {
	if stamp.Endpoints == 0 || len(recorded) == 0 {
		return nil
	}
	if len(recorded) > handOverMax {
		return o.enqueueBulk(ctx, tx, stamp, recorded)
	}
	engine := o.local()
	lease := engine.reserve(stamp.AccountID)
	rows, due := newRows(stamp, recorded), o.dueAt(stamp)
	var made []enqueued
	if err := tx.Select(ctx, &made, enqueueAndReturn, rows.args(stamp, due, lease)...); err != nil {
		return fmt.Errorf("webhooks.Enqueue: %w", err)
	}
	if len(made) > 0 {
		tx.AfterCommit(func() { o.handOver(engine, lease, rows.works(stamp, due, made, lease)) })
	}
	return nil
}

func (o *Outbox) enqueueBulk(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, recorded []events.Event) error {
	var endpoints []string
	err := tx.Select(ctx, &endpoints, enqueueManyAndReturn, newRows(stamp, recorded).args(stamp, o.dueAt(stamp), lease{})...)
	if err != nil {
		return fmt.Errorf("webhooks.Enqueue: %w", err)
	}
	if len(endpoints) > 0 {
		tx.AfterCommit(func() { o.wakeLanes(stamp.AccountID, endpoints) })
	}
	return nil
}

// dueAt is when new deliveries may be sent: now. The account's clock can run ahead of this
// machine's, which must not hold them back.
func (o *Outbox) dueAt(stamp clock.Stamp) time.Time {
	if now := o.clock.Time(); now.Before(stamp.At) {
		return now
	}
	return stamp.At
}

// handOver gives the engine what it has a lease on. Whatever has none is left for whoever claims it.
func (o *Outbox) handOver(engine *Engine, lease lease, works []*work) {
	if lease.claim != 0 {
		engine.accept(works)
		return
	}
	for _, w := range works {
		engine.wakeLane(w.key)
	}
	o.notifier.notify()
}

func (o *Outbox) wakeLanes(accountID string, endpoints []string) {
	engine := o.local()
	for _, endpoint := range endpoints {
		engine.wakeLane(laneKey{accountID, endpoint})
	}
	o.notifier.notify()
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

// rows are the arrays that Enqueue sends: each event once for each endpoint that the account may
// have, numbered from 1. The database keeps those whose endpoint exists and subscribes.
type rows struct {
	ids, eventIDs, kinds []string
	ranks                []int64
	recorded             []events.Event
	endpoints            int
}

func newRows(stamp clock.Stamp, recorded []events.Event) rows {
	n := len(recorded) * stamp.Endpoints
	r := rows{
		ids: make([]string, 0, n), eventIDs: make([]string, 0, n), kinds: make([]string, 0, n), ranks: make([]int64, 0, n),
		recorded: recorded, endpoints: stamp.Endpoints,
	}
	next := id.Run(id.Delivery, stamp.At)
	for _, event := range recorded {
		for rank := range stamp.Endpoints {
			r.ids = append(r.ids, next())
			r.eventIDs = append(r.eventIDs, event.ID)
			r.kinds = append(r.kinds, string(event.Kind))
			r.ranks = append(r.ranks, int64(rank)+1)
		}
	}
	return r
}

func (r rows) args(stamp clock.Stamp, due time.Time, lease lease) []any {
	var claim, until any
	if lease.claim != 0 {
		claim, until = lease.claim, lease.until
	}
	return []any{stamp.AccountID, stamp.At, due, claim, until,
		pq.Array(r.ids), pq.Array(r.eventIDs), pq.Array(r.kinds), pq.Array(r.ranks)}
}

// enqueued is a delivery that was made.
type enqueued struct {
	ID       string    `db:"id"`
	Endpoint string    `db:"endpoint_id"`
	Enabled  bool      `db:"enabled"`
	Version  time.Time `db:"updated_at"`
}

// works returns the deliveries made that may be sent, as the engine takes them.
func (r rows) works(stamp clock.Stamp, due time.Time, made []enqueued, lease lease) []*work {
	index := make(map[string]int, len(r.ids))
	for i, deliveryID := range r.ids {
		index[deliveryID] = i
	}
	works := make([]*work, 0, len(made))
	for _, m := range made {
		if !m.Enabled {
			continue
		}
		event := r.recorded[index[m.ID]/r.endpoints]
		works = append(works, &work{
			key: laneKey{stamp.AccountID, m.Endpoint}, version: m.Version,
			id: m.ID, eventID: event.ID, eventCreatedAt: event.CreatedAt, event: string(event.Kind), body: event.Body,
			due: due, claim: lease.claim, sendBy: lease.sendBy,
		})
	}
	return works
}

const enqueue = `
	WITH endpoint AS MATERIALIZED (
		SELECT id, events, enabled, updated_at, row_number() OVER (ORDER BY id) AS rank
		FROM webhook_endpoints WHERE account_id = $1 AND deleted_at IS NULL
	), made AS (
		INSERT INTO deliveries_pending (account_id, id, endpoint_id, event_id, event_created_at, due_at, claim_id, leased_until)
		SELECT $1, w.id, e.id, w.event_id, $2, $3,
		       CASE WHEN e.enabled THEN $4::bigint END, CASE WHEN e.enabled THEN $5::timestamptz END
		FROM unnest($6::text[], $7::text[], $8::text[], $9::bigint[]) AS w(id, event_id, event, rank)
		JOIN endpoint e ON e.rank = w.rank
		WHERE cardinality(e.events) = 0 OR w.event = ANY(e.events)
		RETURNING id, endpoint_id
	)`

const enqueueAndReturn = enqueue + `
	SELECT m.id, m.endpoint_id, e.enabled, e.updated_at FROM made m JOIN endpoint e ON e.id = m.endpoint_id`

const enqueueManyAndReturn = enqueue + `
	SELECT DISTINCT endpoint_id FROM made`
