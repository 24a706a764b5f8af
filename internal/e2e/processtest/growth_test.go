package processtest

import (
	"database/sql"
	"fmt"
	"testing"

	"github.com/cardvault/cardvault/scripts/bench/measure"
)

// growth measures the memory of each host's process, the mean memory of PostgreSQL's sessions, and the size of the
// table of pending deliveries. It compares the peaks after the warm-up, in which each fault happened once, with those
// before. It also checks that the hosts keep to the size of their pools.
type growth struct {
	fleet *fleet
	warm  bool
	peaks []*measure.Peak // of each host, of a session, of the table
}

// Growth in bytes that is allowed beside the quarter of measure.Peak: the garbage collector has not run yet, a session
// has prepared more statements, and autovacuum runs once a minute.
const (
	spareMemory  = 64 << 20
	spareSession = 4 << 20
	spareTable   = 32 << 20
)

// maxSessions is what a host may have in use: its pool, one for notifications, and those of a process before it or of
// connections that were lost, which PostgreSQL has not ended yet.
const maxSessions = 2 * (24 + 1)

func newGrowth(f *fleet) *growth {
	g := &growth{fleet: f}
	for i, h := range f.hosts() {
		name := fmt.Sprintf("host %d (%s)", i+1, h.command)
		g.peaks = append(g.peaks, &measure.Peak{Name: name, Spare: spareMemory})
	}
	g.peaks = append(g.peaks,
		&measure.Peak{Name: "a PostgreSQL session", Spare: spareSession},
		&measure.Peak{Name: "deliveries_pending", Spare: spareTable})
	return g
}

// sample measures once, while there is no fault.
func (g *growth) sample(t *testing.T) {
	t.Helper()
	db, err := sql.Open("postgres", g.fleet.direct["CARDVAULT_DATABASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var values []int64
	for _, h := range g.fleet.hosts() {
		resident, err := h.pid().Memory("VmRSS")
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, resident)
	}
	sessions, perSession, err := measure.SessionMemory(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("memory of the hosts: %d MiB; of %d sessions of PostgreSQL: %.1f MiB each",
		mebibytes(values), sessions, float64(perSession)/(1<<20))
	if limit := maxSessions * len(g.fleet.hosts()); sessions > limit {
		t.Errorf("PostgreSQL has %d sessions, want at most %d", sessions, limit)
	}
	var table int64
	if err := db.QueryRow(`SELECT pg_total_relation_size('deliveries_pending')`).Scan(&table); err != nil {
		t.Fatal(err)
	}
	for i, value := range append(values, perSession, table) {
		g.peaks[i].Note(value, g.warm)
	}
}

// warmedUp ends the warm-up.
func (g *growth) warmedUp() { g.warm = true }

// check logs the peaks and fails the test for those that grew.
func (g *growth) check(t *testing.T) {
	t.Helper()
	for _, p := range g.peaks {
		t.Log(p)
		if err := p.Err(); err != nil {
			t.Error(err)
		}
	}
}

// awaitIdle waits until no delivery is pending and no session has been idle in a transaction for a minute: such a
// session would hold an account's clock or another lock.
func (f *fleet) awaitIdle(t *testing.T) {
	t.Helper()
	db, err := sql.Open("postgres", f.direct["CARDVAULT_DATABASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var pending, idle int
	eventually(t, "no delivery is pending and no session is idle in a transaction", func() bool {
		err := db.QueryRow(`
			SELECT (SELECT count(*) FROM deliveries_pending),
			       (SELECT count(*) FROM pg_stat_activity
			        WHERE datname = current_database() AND state LIKE 'idle in transaction%'
			          AND now() - state_change > interval '1 minute')`).Scan(&pending, &idle)
		if err != nil {
			t.Fatal(err)
		}
		return pending == 0 && idle == 0
	})
}

// mebibytes converts bytes.
func mebibytes(bytes []int64) []int64 {
	converted := make([]int64, len(bytes))
	for i, n := range bytes {
		converted[i] = n >> 20
	}
	return converted
}
