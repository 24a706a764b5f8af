package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/cardvault/cardvault/scripts/bench/measure"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/postgres"
)

// maxIsolation is the aim for the slowdown of another endpoint's deliveries, compared with an idle engine. maxHanging
// is the aim compared with as many events to endpoints that respond.
const (
	maxIsolation = 2.0
	maxHanging   = 1.5
)

// watchRate is the rate of events to the watched endpoint, per second.
const watchRate = 100

// trouble describes the endpoints that disturb the watched endpoint, in its own account.
type trouble struct {
	name      string
	endpoints int
	events    int    // to every such endpoint
	path      string // of the sink; "" if they refuse connections and the events have failed before
}

var troubles = []trouble{
	{"400 events to an endpoint that hangs for 10 s", 1, 400, hangPath},
	hanging,
	{"10,000 due retries of a dead endpoint", 1, 10_000, ""},
}

// hanging and healthy are the halves of a pair.
var (
	hanging = trouble{"400 events to each of 50 endpoints that hang", 50, 400, hangPath}
	healthy = trouble{"400 events to each of 50 endpoints that respond", 50, 400, healthyPath}
)

// measureIsolation watches an endpoint's deliveries by one engine process, idle and beside trouble.
func measureIsolation(ctx context.Context, b *bench, t *table) error {
	for _, trouble := range troubles {
		if err := b.isolation(ctx, trouble, t); err != nil {
			return fmt.Errorf("%s: %w", trouble.name, err)
		}
	}
	return nil
}

// measureHanging watches an endpoint's deliveries beside many endpoints that hang and beside as many that respond to
// the same number of events, so that the ratio of a pair does not contain the load. The halves alternate, because the
// speed of the machine changes.
func measureHanging(ctx context.Context, b *bench, t *table) error {
	var pairs []pair
	for i := range b.pairs {
		var p pair
		halves := []half{{hanging, &p.hanging}, {healthy, &p.healthy}}
		if i%2 == 1 {
			slices.Reverse(halves)
		}
		for _, half := range halves {
			took, err := b.beside(ctx, half.trouble)
			if err != nil {
				return fmt.Errorf("%s: %w", half.trouble.name, err)
			}
			*half.p95 = measure.Percentile(took, 0.95)
		}
		say("pair %d: p95 %s beside endpoints that hang, %s beside ones that respond: %.2f ×", i+1,
			measure.Milliseconds(p.hanging), measure.Milliseconds(p.healthy), p.ratio())
		pairs = append(pairs, p)
	}
	t.addHanging(pairs)
	return nil
}

// pair is the watched endpoint's p95 in the halves of a pair.
type pair struct{ hanging, healthy time.Duration }

// half is a half of a pair and where its result goes.
type half struct {
	trouble trouble
	p95     *time.Duration
}

func (p pair) ratio() float64 { return p.hanging.Seconds() / p.healthy.Seconds() }

// beside returns the latencies of the watched endpoint's deliveries beside trouble, by a new engine.
func (b *bench) beside(ctx context.Context, trouble trouble) ([]time.Duration, error) {
	h, err := b.newEnvironment(ctx, "isolation", 1)
	if err != nil {
		return nil, err
	}
	defer h.close()
	if _, err := h.steady(ctx, time.Second, watchRate); err != nil {
		return nil, err
	}
	if err := h.bring(ctx, trouble); err != nil {
		return nil, err
	}
	took, err := h.steady(ctx, b.trouble, watchRate)
	if err != nil || trouble.path == healthyPath {
		return took, err
	}
	_, err = h.checkKept(ctx, trouble)
	return took, err
}

func (b *bench) isolation(ctx context.Context, trouble trouble, t *table) error {
	h, err := b.newEnvironment(ctx, "isolation", 1)
	if err != nil {
		return err
	}
	defer h.close()
	if _, err := h.steady(ctx, time.Second, watchRate); err != nil {
		return err
	}
	idle, err := h.steady(ctx, b.trouble, watchRate)
	if err != nil {
		return err
	}
	if err := h.bring(ctx, trouble); err != nil {
		return err
	}
	beside, err := h.steady(ctx, b.trouble, watchRate)
	if err != nil {
		return err
	}
	attempts, err := h.checkKept(ctx, trouble)
	if err != nil {
		return err
	}
	say("%s: p95 %s idle, %s beside; %d of them were tried meanwhile", trouble.name,
		measure.Milliseconds(measure.Percentile(idle, 0.95)), measure.Milliseconds(measure.Percentile(beside,
			0.95)), attempts)
	t.addIsolation(trouble.name, idle, beside)
	return nil
}

// bring registers the endpoints and commits their events. It disables dead ones until the end, so that all their
// deliveries are due at once.
func (h *environment) bring(ctx context.Context, trouble trouble) error {
	account, address := h.accounts[0], h.sinkURL+trouble.path
	dead := trouble.path == ""
	if dead {
		address = "http://" + measure.FreeAddress()
	}
	var last string
	for range trouble.endpoints {
		e, _, err := h.endpoints.Register(ctx, account, address, []events.Kind{events.KindCardPriced})
		if err != nil {
			return err
		}
		last = e.ID
	}
	if !dead {
		return h.record(ctx, account, trouble.events)
	}
	if err := h.endpoints.Disable(ctx, account, last); err != nil {
		return err
	}
	if err := h.record(ctx, account, trouble.events); err != nil {
		return err
	}
	if _, err := h.db.Exec(ctx,
		`UPDATE deliveries_pending SET attempts = 1 WHERE account_id = $1 AND endpoint_id = $2`, account, last,
	); err != nil {
		return err
	}
	return h.endpoints.Enable(ctx, account, last)
}

// record commits events that only the endpoints in trouble get, many in one transaction.
func (h *environment) record(ctx context.Context, account string, count int) error {
	recorder := events.NewRecorder(h.outbox)
	data := make([]events.Data, min(count, 1000))
	for i := range data {
		data[i] = events.CardPriced{}
	}
	for left := count; left > 0; left -= len(data) {
		err := clock.System.Write(ctx, h.db, account, func(tx *postgres.Tx, stamp clock.Stamp) error {
			return recorder.Record(ctx, tx, stamp, data[:min(left, len(data))]...)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// checkKept makes sure that the trouble lost nothing: none of its deliveries may have been delivered
// or dropped. It returns how many attempts of theirs were made and stored.
func (h *environment) checkKept(ctx context.Context, trouble trouble) (attempts int, err error) {
	var counts struct {
		Kept     int `db:"kept"`
		Attempts int `db:"attempts"`
	}
	err = h.db.Get(ctx, &counts, `
		SELECT count(*) AS kept, coalesce(sum(p.attempts), 0) AS attempts FROM deliveries_pending p
		JOIN webhook_endpoints e ON e.account_id = p.account_id AND e.id = p.endpoint_id
		WHERE p.account_id = $1 AND $2 = ANY(e.events)`, h.accounts[0], string(events.KindCardPriced))
	all := trouble.endpoints * trouble.events
	if err == nil && counts.Kept != all {
		err = fmt.Errorf("%d deliveries of %d are left", counts.Kept, all)
	}
	if trouble.path == "" {
		counts.Attempts -= all // made up by bring
	}
	return counts.Attempts, err
}
