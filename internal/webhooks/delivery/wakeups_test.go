package delivery

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// pollBuffers returns the number of pages that a poll reads.
func (env *testEnv) pollBuffers(from pollPosition) int {
	env.t.Helper()
	var text string
	must(env.t, env.db.Unprepared().Get(context.Background(), &text,
		`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) `+dueSQL, from.wakeups, from.leases, maxPollRows, 0))
	var plans []struct {
		Plan struct {
			Hit  int `json:"Shared Hit Blocks"`
			Read int `json:"Shared Read Blocks"`
		}
	}
	must(env.t, json.Unmarshal([]byte(text), &plans))
	return plans[0].Plan.Hit + plans[0].Plan.Read
}

// insertWaiting inserts a delivery to each of so many endpoints that waits until a time; if leased is set, for the
// end of its lease.
func (env *testEnv) insertWaiting(endpoints int, until time.Time, leased bool) {
	env.t.Helper()
	env.exec(`
		INSERT INTO deliveries_pending (account_id, id, endpoint_id, event_id, event_created_at, due_at, handed_until)
		SELECT 'acc_' || i, 'dlv_' || i, 'whe_' || i, 'evt_' || i, now(), $2::timestamptz,
		       CASE WHEN $3 THEN $2::timestamptz END
		FROM generate_series(1, $1) i`, endpoints, until, leased)
	env.exec(`
		INSERT INTO endpoint_wakeups (account_id, endpoint_id, wake_at, due_from)
		SELECT account_id, endpoint_id, due_at, due_at FROM deliveries_pending`)
	env.exec(`ANALYZE deliveries_pending, endpoint_wakeups`)
}

// A poll reads a few pages even if 20,000 endpoints wait for a retry.
func TestPoll_CostIsConstantWithManyEndpoints(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	env.insertWaiting(manyEndpoints, time.Now().Add(time.Hour), false)
	if n := env.pollBuffers(pollPosition{}); n > pollPages {
		t.Errorf("a poll reads %d pages with %d waiting endpoints", n, manyEndpoints)
	}
}

// A snapshot keeps the deleted entries of 20,000 leases and wakeups. A poll that starts after them reads none.
func TestPoll_CostIsConstantDuringSnapshot(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	env.insertWaiting(manyEndpoints, time.Now().Add(-2*maxCommitDelay), true)
	end := env.beginSnapshot("deliveries_pending, endpoint_wakeups")
	defer end()
	env.exec(`DELETE FROM deliveries_pending`)
	env.exec(`DELETE FROM endpoint_wakeups`)
	f, err := selectDue(t.Context(), env.db.Unprepared(), pollPosition{}, 0)
	must(t, err)
	if n := env.pollBuffers(f.position); len(f.endpoints) != 0 || n > pollPages {
		t.Errorf("a poll during a snapshot reads %d pages and finds %d endpoints", n, len(f.endpoints))
	}
	if n := env.pollBuffers(pollPosition{}); n < 2*pollPages {
		t.Errorf("a poll from the beginning reads %d pages: the snapshot keeps no entries", n)
	}
}

// pollPages is more than a poll reads, and much less than the pages of manyEndpoints.
const manyEndpoints, pollPages = 20_000, 100

// A claim deletes the wakeups that it sees and inserts one for the deliveries that it leaves: soon if they are due,
// else when they become due.
func TestClaim_LeavesWakeupForTheRest(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	e, _ := env.register("http://127.0.0.1:9999/")
	env.record(5)
	env.exec(`UPDATE deliveries_pending SET due_at = due_at + interval '1 hour'
	  WHERE id = (SELECT max(id) FROM deliveries_pending)`)
	covered := cover{until: time.Now().Add(24 * time.Hour)}
	for _, c := range []struct {
		name        string
		limit, want int
		wait        time.Duration
	}{
		{"full queue", 0, 0, recheckDelay},
		{"more is due", 3, 3, recheckDelay},
		{"more will be due", 3, 1, time.Hour},
	} {
		t.Run(c.name, func(t *testing.T) {
			env.exec(`UPDATE endpoint_wakeups SET wake_at = now()`)
			got, err := claim(t.Context(), env.db.Unprepared(), env.clock, claimRequest{
				key: webhooks.EndpointKey{Account: env.account, Endpoint: e.ID}, limit: c.limit,
				lease: lease{id: 7, length: time.Hour},
				woken: true, cover: covered,
			})
			if err != nil || len(got.jobs) != c.want {
				t.Fatalf("claimed %d, %v, want %d", len(got.jobs), err, c.want)
			}
			var waits []float64
			must(t, env.db.Select(t.Context(), &waits, `SELECT extract(epoch FROM wake_at - now())
			  FROM endpoint_wakeups`))
			if len(waits) != 1 || waits[0] > c.wait.Seconds() || waits[0] < c.wait.Seconds()-testTimeout.Seconds() {
				t.Errorf("wakeups in %v s, want one in %v", waits, c.wait)
			}
		})
	}
}

// A claim inserts a wakeup for the end of its leases, unless the cover of an earlier claim ends later and starts
// earlier.
func TestClaim_CoversItsLeases(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	e, _ := env.register("http://127.0.0.1:9999/")
	env.record(5)
	env.exec(`DELETE FROM endpoint_wakeups`)
	now := time.Now()
	l := lease{id: 7, length: time.Hour}
	end := now.Add(l.length)
	for _, c := range []struct {
		name  string
		cover cover
		due   time.Time
		limit int
		want  bool
	}{
		{"nothing claimed", cover{}, now, 0, false},
		{"no cover", cover{}, now, 1, true},
		{"cover ends too early", cover{until: end.Add(-testTimeout)}, now, 1, true},
		{"cover begins too late", cover{until: end.Add(l.coverSlack()), from: now.Add(-testTimeout)},
			now.Add(-2 * testTimeout), 1, true},
		{"covered", cover{until: end.Add(l.coverSlack()), from: now.Add(-2 * testTimeout)}, now, 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			env.exec(`DELETE FROM endpoint_wakeups`)
			got, err := claim(t.Context(), env.db.Unprepared(), env.clock, claimRequest{
				key: webhooks.EndpointKey{Account: env.account, Endpoint: e.ID}, limit: c.limit, lease: l,
				dueFrom: &c.due, cover: c.cover,
			})
			if err != nil || len(got.jobs) != c.limit {
				t.Fatalf("claimed %d, %v, want %d", len(got.jobs), err, c.limit)
			}
			if n := env.count(`SELECT count(*) FROM endpoint_wakeups WHERE wake_at >= $1`, end); (n == 1) != c.want {
				t.Errorf("%d wakeups after the leases' end, want one: %t", n, c.want)
			}
			if inserted := got.cover != c.cover; inserted != c.want {
				t.Errorf("the cover is %v, was %v", got.cover, c.cover)
			}
		})
	}
}

// A claim updates no index.
func TestClaim_IsHeapOnly(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	e, _ := env.register("http://127.0.0.1:9999/")
	env.record(20)
	if n := len(env.claim(webhooks.EndpointKey{Account: env.account, Endpoint: e.ID}, 20,
		lease{id: 7, length: time.Hour})); n != 20 {
		t.Fatalf("claimed %d, want 20", n)
	}
	updates := func(column string) int {
		return env.count(`SELECT ` + column + ` FROM pg_stat_user_tables WHERE relname = 'deliveries_pending'`)
	}
	eventually(t, "the updates are counted", func() bool { return updates("n_tup_upd") == 20 })
	if n := updates("n_tup_hot_upd"); n != 20 {
		t.Errorf("%d of 20 updates are heap-only", n)
	}
}

// Deliveries that are passed to the engine of their process need no wakeup.
func TestOutbox_InsertsNoWakeupForLeasedDeliveries(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	s := env.sink(nil)
	env.register(s.URL)
	env.engine(Config{})
	env.record(1)
	s.next(t)
	if n := env.count(`SELECT count(*) FROM endpoint_wakeups`); n != 0 {
		t.Errorf("%d wakeups", n)
	}
}

// Writes in a row share one wakeup of each endpoint.
func TestOutbox_SharesWakeups(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	env.register("http://127.0.0.1:9999/a")
	env.register("http://127.0.0.1:9999/b")
	const wakeups = `SELECT count(*) FROM endpoint_wakeups`
	for _, c := range []struct {
		name    string
		prepare string
		want    int
	}{
		{"none yet", `DELETE FROM endpoint_wakeups`, 2},
		{"due later in time", `SELECT`, 2},
		{"due now", `UPDATE endpoint_wakeups SET wake_at = now()`, 2},
		{"due too late", `UPDATE endpoint_wakeups SET wake_at = now() + interval '1 hour'`, 4},
		{"for later deliveries",
			`UPDATE endpoint_wakeups SET wake_at = now(), due_from = now() + interval '1 hour'`, 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			env.exec(c.prepare)
			env.record(2)
			env.record(1)
			if n := env.count(wakeups); n != c.want {
				t.Errorf("%d wakeups, want %d", n, c.want)
			}
		})
	}
}

// A poll ahead finds the endpoint of a write at once and leaves the wakeup for its time.
func TestPoll_LooksAhead(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	e, _ := env.register("http://127.0.0.1:9999/")
	env.exec(`DELETE FROM endpoint_wakeups`)
	env.record(1)
	for ahead, want := range map[time.Duration]int{0: 0, webhooks.SharedWakeupDelay: 1} {
		f, err := selectDue(t.Context(), env.db.Unprepared(), pollPosition{}, ahead)
		must(t, err)
		if len(f.endpoints) != want {
			t.Fatalf("a poll %s ahead finds %d endpoints, want %d", ahead, len(f.endpoints), want)
		}
		if want == 1 && (f.endpoints[0].woken || f.endpoints[0].key.Endpoint != e.ID) {
			t.Errorf("found %+v, want %s, not woken", f.endpoints[0], e.ID)
		}
	}
}

// claimWoken makes all wakeups due and claims as an engine does that a poll told of them.
func (env *testEnv) claimWoken(e webhooks.Endpoint) (claimed []string) {
	env.t.Helper()
	env.exec(`UPDATE endpoint_wakeups SET wake_at = now()`)
	got, err := claim(env.t.Context(), env.db.Unprepared(), env.clock, claimRequest{
		key: webhooks.EndpointKey{Account: env.account, Endpoint: e.ID}, limit: maxClaim,
		lease: lease{id: 7, length: time.Hour}, dueFrom: &time.Time{}, woken: true,
		cover: cover{until: time.Now().Add(24 * time.Hour)},
	})
	must(env.t, err)
	for _, j := range got.jobs {
		claimed = append(claimed, j.id)
	}
	return claimed
}

// recordWaiting records an event in a transaction that waits between its last statement's snapshot and its commit: it
// calls a function of PostgreSQL.
func (env *testEnv) recordWaiting(call string) error {
	ctx := env.t.Context()
	return env.clock.Write(ctx, env.db, env.account, func(tx *postgres.Tx, stamp clock.Stamp) error {
		tx.Defer(`INSERT INTO endpoint_wakeups SELECT '', '', now(), now() FROM ` + call + ` f WHERE f::text <> ''`)
		return events.NewRecorder(env.outbox).Record(ctx, tx, stamp, events.BatchCompleted{BatchID: "bat_1"})
	})
}

// A claim does not see the delivery of an open transaction that shares the wakeup that it deletes.
func TestClaim_LeavesWakeupForOpenTransaction(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	e, _ := env.register("http://127.0.0.1:9999/")
	env.record(1)
	recorded := make(chan error, 1)
	must(t, env.db.InTx(t.Context(), func(tx *postgres.Tx) error {
		if _, err := tx.Exec(t.Context(), `SELECT pg_advisory_xact_lock(7)`); err != nil {
			return err
		}
		go func() { recorded <- env.recordWaiting(`pg_advisory_xact_lock(7)`) }()
		eventually(t, "the transaction waits", func() bool {
			return env.count(`SELECT count(*) FROM pg_stat_activity
			  WHERE datname = current_database() AND wait_event_type = 'Lock'`) == 1
		})
		if n := len(env.claimWoken(e)); n != 1 {
			t.Errorf("claimed %d during the transaction, want 1", n)
		}
		return nil
	}))
	must(t, <-recorded)
	const wakeups = `SELECT count(*) FROM endpoint_wakeups`
	if n := env.count(wakeups); n != 1 {
		t.Errorf("%d wakeups after the transaction, want 1", n)
	}
	if n := len(env.claimWoken(e)); n != 1 {
		t.Errorf("claimed %d after the transaction, want 1", n)
	}
	if n := env.count(wakeups); n != 0 {
		t.Errorf("%d wakeups are left, want none", n)
	}
}

// Every delivery has a wakeup until it is claimed, however writes and claims interleave.
func TestClaim_LeavesNoDeliveryWithoutWakeup(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	e, _ := env.register("http://127.0.0.1:9999/")
	const rounds, writers = 50, 4
	for round := range rounds {
		var group errgroup.Group
		for range writers {
			group.Go(func() error { return env.recordWaiting(`pg_sleep(0.002)`) })
		}
		written := make(chan error, 1)
		go func() { written <- group.Wait() }()
		claimed := 0
		for done, left := false, true; left; {
			select {
			case err := <-written:
				must(t, err)
				done = true
			default:
			}
			woken := env.count(`SELECT count(*) FROM endpoint_wakeups`) > 0
			if woken {
				claimed += len(env.claimWoken(e))
			}
			left = woken || !done
		}
		if claimed != writers {
			t.Fatalf("round %d: wakeups led to %d deliveries, want %d", round, claimed, writers)
		}
	}
}
