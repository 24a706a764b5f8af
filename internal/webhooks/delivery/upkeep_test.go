package delivery

import (
	"errors"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres/partitions"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// A month passes day by day. Partitions are created ahead and dropped. A delivery to an endpoint that was disabled
// for the whole time is sent unchanged when it is enabled.
func TestUpkeep_CreatesAndDropsPartitions(t *testing.T) {
	t.Parallel()
	manual := newManualClock()
	env := newTestEnv(t, manual.asClock())
	s := env.sink(nil)
	enabled, _ := env.register(s.URL + "/open")
	disabled, _ := env.register(s.URL + "/shut")
	ctx := t.Context()
	u := &upkeep{db: env.db, clock: env.clock}
	must(t, u.run(ctx))
	must(t, env.endpoints.Disable(ctx, env.account, disabled.ID))
	engine := env.engine(Config{})
	env.record(1)
	first := s.next(t)
	eventually(t, "the result to be stored",
		func() bool { return env.count(`SELECT count(*) FROM deliveries_delivered`) == 1 })
	if n := env.count(`SELECT (SELECT count(*) FROM events_default) + (SELECT count(*)
	  FROM deliveries_delivered_default) + (SELECT count(*) FROM delivery_attempts_default)`); n != 0 {
		t.Errorf("%d rows in default partitions", n)
	}
	start := manual.asClock().Time()
	for day := 1; day <= 31; day++ {
		manual.set(start.AddDate(0, 0, day))
		must(t, u.run(ctx))
	}
	for _, table := range []string{"events", "deliveries_delivered", "delivery_attempts"} {
		if n := env.count(`SELECT count(*) FROM ` + table); n != 0 {
			t.Errorf("%d rows left in %s", n, table)
		}
		if n := env.count(`SELECT count(*) FROM pg_inherits WHERE inhparent = $1::regclass`,
			table); n < 31+partitionDaysAhead || n > 33+partitionDaysAhead {
			t.Errorf("%d partitions of %s", n, table)
		}
	}
	must(t, env.endpoints.Enable(ctx, env.account, disabled.ID))
	engine.Wake()
	if got := s.next(t); got.body != first.body || got.header.Get("X-Vault-Event") != "batch.completed" {
		t.Errorf("after a month: %s", got.body)
	}
	if list, _, err := env.deliveries.List(ctx,
		webhooks.Filter{Account: env.account, Endpoint: enabled.ID}); err != nil ||
		len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
}

func TestUpkeep_DeletesOldDropped(t *testing.T) {
	t.Parallel()
	manual := newManualClock()
	env := newTestEnv(t, manual.asClock())
	env.register("http://127.0.0.1:9999/")
	env.record(upkeepBatch + 5)
	must(t, env.dropAll())
	dropped := manual.asClock().Time()
	u := &upkeep{db: env.db, clock: env.clock}
	for _, c := range []struct {
		after time.Duration
		want  int
	}{{droppedRetention, upkeepBatch + 5}, {droppedRetention + time.Microsecond, 0}} {
		t.Run(c.after.String(), func(t *testing.T) {
			manual.set(dropped.Add(c.after))
			must(t, u.run(t.Context()))
			if n := env.count(`SELECT count(*) FROM deliveries_dropped`); n != c.want {
				t.Errorf("%d dropped deliveries, want %d", n, c.want)
			}
		})
	}
}

// A delivery that has waited for 90 days at a disabled endpoint is dropped with a reason and can be resent.
// Deliveries that have waited for less, or at an enabled endpoint, are kept.
func TestUpkeep_DropsDeliveriesOfDisabledEndpoint(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	ctx := t.Context()
	s := env.sink(nil)
	disabled, _ := env.register(s.URL)
	enabled, _ := env.register(s.URL)
	must(t, env.endpoints.Disable(ctx, env.account, disabled.ID))
	env.record(dropBatch + 3)
	env.advanceDueTimes(disabledRetention)
	env.record(1) // due today
	u := &upkeep{db: env.db, clock: env.clock}
	must(t, u.run(ctx))
	list, _, err := env.deliveries.List(ctx, webhooks.Filter{Account: env.account, State: webhooks.Dropped, Limit: 200})
	must(t, err)
	if n := env.count(`SELECT count(*) FROM deliveries_dropped`); n != dropBatch+3 {
		t.Fatalf("%d deliveries dropped", n)
	}
	if d := list[0]; d.EndpointID != disabled.ID || *d.LastError != ErrorEndpointDisabled {
		t.Errorf("dropped %+v", d)
	}
	if n := env.count(`SELECT count(*) FROM deliveries_pending WHERE endpoint_id = $1`, enabled.ID); n != dropBatch+4 {
		t.Errorf("%d deliveries pending at the enabled endpoint", n)
	}
	if _, err := env.deliveries.Resend(ctx, env.account, list[0].ID); err != nil {
		t.Errorf("Resend: %v", err)
	}
	must(t, u.run(ctx))
	if n := env.count(`SELECT count(*) FROM deliveries_pending WHERE endpoint_id = $1`, disabled.ID); n != 2 {
		t.Errorf("%d deliveries pending at the disabled endpoint, want 2: the one due today and the resent one", n)
	}
}

// No batch reads rows that previous batches have copied.
func TestUpkeep_CopyBodiesReadsEachDeliveryOnce(t *testing.T) {
	t.Parallel()
	manual := newManualClock()
	env := newTestEnv(t, manual.asClock())
	disabled, _ := env.register("http://127.0.0.1:9999/")
	must(t, env.endpoints.Disable(t.Context(), env.account, disabled.ID))
	const deliveries = 8 * upkeepBatch
	env.record(deliveries)
	env.exec(`ANALYZE deliveries_pending`)
	env.db.SQL().SetMaxOpenConns(1) // the connection whose statistics are read
	before := env.deliveriesRead()
	u := &upkeep{db: env.db, clock: env.clock}
	must(t, u.copyBodies(t.Context(), manual.asClock().Time().Add(time.Hour)))
	if n := env.deliveriesRead() - before; n > 4*deliveries {
		t.Errorf("read %d deliveries to copy the bodies of %d", n, deliveries)
	}
	if n := env.count(`SELECT count(*) FROM deliveries_pending WHERE body <> ''`); n != deliveries {
		t.Errorf("%d bodies copied", n)
	}
}

// deliveriesRead returns the number of rows of deliveries_pending that have been read so far.
func (env *testEnv) deliveriesRead() int {
	env.t.Helper()
	env.exec(`SELECT pg_stat_force_next_flush()`)
	return env.count(`SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) FROM pg_stat_all_tables
	  WHERE relid = 'deliveries_pending'::regclass`)
}

// beginSnapshot reads the tables in a transaction that lasts until end is called, as a backup does.
func (env *testEnv) beginSnapshot(tables string) (end func()) {
	env.t.Helper()
	tx, err := env.db.SQL().Begin()
	must(env.t, err)
	env.t.Cleanup(func() { tx.Rollback() })
	_, err = tx.Exec(`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;
		LOCK TABLE ` + tables + ` IN ACCESS SHARE MODE; SELECT 1`)
	must(env.t, err)
	return func() {
		env.t.Helper()
		must(env.t, tx.Rollback())
	}
}

// A process starts during a backup, which prevents creating partitions. Events are recorded even if today's partition
// is missing. The partitions are created after the backup, and the rows move to them.
func TestPrepare_DuringBackup(t *testing.T) {
	t.Parallel()
	manual := newManualClock()
	env := newTestEnv(t, manual.asClock())
	env.register("http://127.0.0.1:9999/")
	ctx := t.Context()
	must(t, Prepare(ctx, env.db, env.clock))
	start := manual.asClock().Time()
	const days = `SELECT count(*) FROM pg_inherits WHERE inhparent = 'events'::regclass`
	for _, c := range []struct {
		name               string
		after              int // days
		during, afterwards int // partitions
		outside            int // events in the default partition
	}{
		{"after midnight", 1, 1 + 1 + partitionDaysAhead, 1 + 2 + partitionDaysAhead, 0},
		{"after 20 days without a process", 20, 1 + 2 + partitionDaysAhead,
			1 + 2 + partitionDaysAhead + 1 + partitionDaysAhead, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			manual.set(start.AddDate(0, 0, c.after))
			end := env.beginSnapshot("events_default")
			must(t, Prepare(ctx, env.db, env.clock))
			if n := env.count(days); n != c.during {
				t.Errorf("%d partitions during the backup, want %d", n, c.during)
			}
			env.record(1)
			if n := env.count(`SELECT count(*) FROM events_default`); n != c.outside {
				t.Errorf("%d events in the default partition, want %d", n, c.outside)
			}
			end()
			must(t, Prepare(ctx, env.db, env.clock))
			if n := env.count(days); n != c.afterwards {
				t.Errorf("%d partitions after the backup, want %d", n, c.afterwards)
			}
			if n := env.count(`SELECT count(*) FROM events_default`); n != 0 {
				t.Errorf("%d events in the default partition after the backup", n)
			}
		})
	}
}

// Tasks that the backup does not block are done during it, and the others after it.
func TestUpkeep_DuringBackup(t *testing.T) {
	t.Parallel()
	manual := newManualClock()
	env := newTestEnv(t, manual.asClock())
	env.register("http://127.0.0.1:9999/")
	ctx := t.Context()
	u := &upkeep{db: env.db, clock: env.clock}
	must(t, u.run(ctx))
	start := manual.asClock().Time()
	env.record(1)
	must(t, env.dropAll())
	manual.set(start.Add(droppedRetention - eventRetention - 48*time.Hour))
	must(t, u.run(ctx))
	env.record(1) // stays pending; its event's day is over when the other delivery expires
	manual.set(start.Add(droppedRetention + time.Hour))

	end := env.beginSnapshot("events, events_default")
	if err := u.run(ctx); !errors.Is(err, partitions.ErrInUse) {
		t.Errorf("run: %v", err)
	}
	const left = `SELECT (SELECT count(*) FROM deliveries_dropped) + (SELECT count(*) FROM deliveries_pending
	  WHERE body IS NULL)`
	if n := env.count(left); n != 0 {
		t.Errorf("%d deliveries not processed", n)
	}
	if n := env.count(`SELECT count(*) FROM events`); n != 1 {
		t.Errorf("%d events, want 1 in the partition that the backup locks", n)
	}
	end()
	must(t, u.run(ctx))
	if n := env.count(`SELECT count(*) FROM events`); n != 0 {
		t.Errorf("%d events left", n)
	}
}
