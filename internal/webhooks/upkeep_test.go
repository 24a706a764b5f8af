package webhooks

import (
	"errors"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres/partitions"
)

// A month passes day by day. Days are made ahead and dropped behind; a delivery whose endpoint was
// disabled all the time is still sent, byte for byte, when it is enabled.
func TestUpkeepOverAMonth(t *testing.T) {
	t.Parallel()
	m := newManual()
	h := newHouse(t, m.clock())
	s := h.sink(nil)
	open, _ := h.register(s.URL + "/open")
	shut, _ := h.register(s.URL + "/shut")
	ctx := t.Context()
	u := &upkeep{db: h.db, clock: h.clock}
	must(t, u.run(ctx))
	must(t, h.endpoints.Disable(ctx, h.account, shut.ID))
	engine := h.engine(Config{})
	h.record(1)
	first := s.next(t)
	eventually(t, "stored", func() bool { return h.count(`SELECT count(*) FROM deliveries_delivered`) == 1 })
	if n := h.count(`SELECT (SELECT count(*) FROM events_default) + (SELECT count(*) FROM deliveries_delivered_default) + (SELECT count(*) FROM delivery_attempts_default)`); n != 0 {
		t.Errorf("%d rows outside their day", n)
	}
	begun := m.clock().Time()
	for day := 1; day <= 31; day++ {
		m.set(begun.AddDate(0, 0, day))
		must(t, u.run(ctx))
	}
	for _, table := range []string{"events", "deliveries_delivered", "delivery_attempts"} {
		if n := h.count(`SELECT count(*) FROM ` + table); n != 0 {
			t.Errorf("%d rows of %s kept", n, table)
		}
		if n := h.count(`SELECT count(*) FROM pg_inherits WHERE inhparent = $1::regclass`, table); n < 31+daysAhead || n > 33+daysAhead {
			t.Errorf("%d partitions of %s", n, table)
		}
	}
	must(t, h.endpoints.Enable(ctx, h.account, shut.ID))
	engine.Wake()
	if got := s.next(t); got.body != first.body || got.header.Get("X-Vault-Event") != "batch.completed" {
		t.Errorf("after a month: %s", got.body)
	}
	if list, _, err := h.deliveries.List(ctx, Filter{Account: h.account, Endpoint: open.ID}); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
}

func TestDroppedDeliveriesGoAfterNinetyDays(t *testing.T) {
	t.Parallel()
	m := newManual()
	h := newHouse(t, m.clock())
	h.register("http://127.0.0.1:9999/")
	h.record(upkeepBatch + 5)
	must(t, h.dropAll())
	dropped := m.clock().Time()
	u := &upkeep{db: h.db, clock: h.clock}
	for _, c := range []struct {
		after time.Duration
		want  int
	}{{keepDropped, upkeepBatch + 5}, {keepDropped + time.Microsecond, 0}} {
		m.set(dropped.Add(c.after))
		must(t, u.run(t.Context()))
		if n := h.count(`SELECT count(*) FROM deliveries_dropped`); n != c.want {
			t.Errorf("after %v: %d, want %d", c.after, n, c.want)
		}
	}
}

// A delivery that has waited for 90 days at a disabled endpoint is dropped with a reason, and can be sent again. One
// that waits for less, or at an enabled endpoint, stays.
func TestUpkeep_DropsWhatWaitsAtDisabledEndpoint(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	ctx := t.Context()
	s := h.sink(nil)
	shut, _ := h.register(s.URL)
	open, _ := h.register(s.URL)
	must(t, h.endpoints.Disable(ctx, h.account, shut.ID))
	h.record(dropBatch + 3)
	h.forward(keepWaiting)
	h.record(1) // today
	u := &upkeep{db: h.db, clock: h.clock}
	must(t, u.run(ctx))
	list, _, err := h.deliveries.List(ctx, Filter{Account: h.account, State: Dropped, Limit: 200})
	must(t, err)
	if n := h.count(`SELECT count(*) FROM deliveries_dropped`); n != dropBatch+3 {
		t.Fatalf("%d deliveries dropped", n)
	}
	if d := list[0]; d.EndpointID != shut.ID || *d.LastError != ErrorEndpointDisabled {
		t.Errorf("dropped %+v", d)
	}
	if n := h.count(`SELECT count(*) FROM deliveries_pending WHERE endpoint_id = $1`, open.ID); n != dropBatch+4 {
		t.Errorf("%d wait at the enabled endpoint", n)
	}
	if _, err := h.deliveries.Resend(ctx, h.account, list[0].ID); err != nil {
		t.Errorf("Resend: %v", err)
	}
	must(t, u.run(ctx))
	if n := h.count(`SELECT count(*) FROM deliveries_pending WHERE endpoint_id = $1`, shut.ID); n != 2 {
		t.Errorf("%d wait at the disabled endpoint, want the one of today and the one that was resent", n)
	}
}

// Bodies are copied in time that is linear in their number: no batch reads what those before it copied.
func TestUpkeep_ReadsEachDeliveryOnceToKeepBodies(t *testing.T) {
	t.Parallel()
	m := newManual()
	h := newHouse(t, m.clock())
	shut, _ := h.register("http://127.0.0.1:9999/")
	must(t, h.endpoints.Disable(t.Context(), h.account, shut.ID))
	const deliveries = 8 * upkeepBatch
	h.record(deliveries)
	h.exec(`ANALYZE deliveries_pending`)
	h.db.SQL().SetMaxOpenConns(1) // whose statistics are asked for
	before := h.deliveriesRead()
	u := &upkeep{db: h.db, clock: h.clock}
	must(t, u.keepBodies(t.Context(), m.clock().Time().Add(time.Hour)))
	if n := h.deliveriesRead() - before; n > 4*deliveries {
		t.Errorf("%d deliveries were read to keep the bodies of %d", n, deliveries)
	}
	if n := h.count(`SELECT count(*) FROM deliveries_pending WHERE body <> ''`); n != deliveries {
		t.Errorf("%d bodies kept", n)
	}
}

// deliveriesRead is how many rows of pending deliveries have been read so far.
func (h *house) deliveriesRead() int {
	h.t.Helper()
	h.exec(`SELECT pg_stat_force_next_flush()`)
	return h.count(`SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) FROM pg_stat_all_tables WHERE relid = 'deliveries_pending'::regclass`)
}

// read reads the tables in a transaction that lasts until the function returned is called, as a backup does.
func (h *house) read(tables string) (end func()) {
	h.t.Helper()
	tx, err := h.db.SQL().Begin()
	must(h.t, err)
	h.t.Cleanup(func() { tx.Rollback() })
	_, err = tx.Exec(`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; LOCK TABLE ` + tables + ` IN ACCESS SHARE MODE; SELECT 1`)
	must(h.t, err)
	return func() {
		h.t.Helper()
		must(h.t, tx.Rollback())
	}
}

// A process starts while a backup keeps it from making a day, and events are recorded even if that day is
// today. The days are made once the backup has ended, and what was recorded meanwhile moves to them.
func TestABackupKeepsNothingFromStarting(t *testing.T) {
	t.Parallel()
	m := newManual()
	h := newHouse(t, m.clock())
	h.register("http://127.0.0.1:9999/")
	ctx := t.Context()
	must(t, Prepare(ctx, h.db, h.clock))
	begun := m.clock().Time()
	const days = `SELECT count(*) FROM pg_inherits WHERE inhparent = 'events'::regclass`
	for _, c := range []struct {
		name               string
		after              int // days
		during, afterwards int // partitions
		outside            int // events in the default partition
	}{
		{"past midnight", 1, 1 + 1 + daysAhead, 1 + 2 + daysAhead, 0},
		{"after a long time away", 20, 1 + 2 + daysAhead, 1 + 2 + daysAhead + 1 + daysAhead, 1},
	} {
		m.set(begun.AddDate(0, 0, c.after))
		end := h.read("events_default")
		must(t, Prepare(ctx, h.db, h.clock))
		if n := h.count(days); n != c.during {
			t.Errorf("%s, during the backup: %d partitions, want %d", c.name, n, c.during)
		}
		h.record(1)
		if n := h.count(`SELECT count(*) FROM events_default`); n != c.outside {
			t.Errorf("%s: %d events outside their day, want %d", c.name, n, c.outside)
		}
		end()
		must(t, Prepare(ctx, h.db, h.clock))
		if n := h.count(days); n != c.afterwards {
			t.Errorf("%s, after the backup: %d partitions, want %d", c.name, n, c.afterwards)
		}
		if n := h.count(`SELECT count(*) FROM events_default`); n != 0 {
			t.Errorf("%s, after the backup: %d events outside their day", c.name, n)
		}
	}
}

// While a backup lasts, what need not wait for it is seen to; the rest once it has ended.
func TestUpkeepDuringABackup(t *testing.T) {
	t.Parallel()
	m := newManual()
	h := newHouse(t, m.clock())
	h.register("http://127.0.0.1:9999/")
	ctx := t.Context()
	u := &upkeep{db: h.db, clock: h.clock}
	must(t, u.run(ctx))
	begun := m.clock().Time()
	h.record(1)
	must(t, h.dropAll())
	m.set(begun.Add(keepDropped - keepEvents - 48*time.Hour))
	must(t, u.run(ctx))
	h.record(1) // waits: its event is of a day that is over when the other one's time has come
	m.set(begun.Add(keepDropped + time.Hour))

	end := h.read("events, events_default")
	if err := u.run(ctx); !errors.Is(err, partitions.ErrInUse) {
		t.Errorf("run: %v", err)
	}
	const left = `SELECT (SELECT count(*) FROM deliveries_dropped) + (SELECT count(*) FROM deliveries_pending WHERE body IS NULL)`
	if n := h.count(left); n != 0 {
		t.Errorf("%d deliveries were not seen to", n)
	}
	if n := h.count(`SELECT count(*) FROM events`); n != 1 {
		t.Errorf("%d events, want the one whose day waits to be dropped", n)
	}
	end()
	must(t, u.run(ctx))
	if n := h.count(`SELECT count(*) FROM events`); n != 0 {
		t.Errorf("%d events are left", n)
	}
}
