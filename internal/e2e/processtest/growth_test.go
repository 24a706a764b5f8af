package processtest

import (
	"database/sql"
	"fmt"
	"testing"

	"github.com/cardvault/cardvault/scripts/bench/measure"
)

// growth watches what could grow: the memory of each host's process and of PostgreSQL's, and the table of unfinished
// deliveries. The peaks after everything has gone wrong once are held against those before.
type growth struct {
	fleet *fleet
	warm  bool
	peaks []*measure.Peak // of each host, of PostgreSQL, of the table
}

// What memory and the table may vary by, beside measure.Peak's quarter: what the garbage collector and autovacuum, which
// comes once a minute, have not come to.
const (
	spareMemory = 64 << 20
	spareTable  = 32 << 20
)

func newGrowth(f *fleet) *growth {
	g := &growth{fleet: f}
	for i, h := range f.hosts() {
		g.peaks = append(g.peaks, &measure.Peak{Name: fmt.Sprintf("host %d (%s)", i+1, h.command), Spare: spareMemory})
	}
	g.peaks = append(g.peaks, &measure.Peak{Name: "PostgreSQL", Spare: spareMemory}, &measure.Peak{Name: "deliveries_pending", Spare: spareTable})
	return g
}

// look takes a sample while nothing is wrong.
func (g *growth) look(t *testing.T) {
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
	private, err := measure.BackendsMemory(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	var table int64
	if err := db.QueryRow(`SELECT pg_total_relation_size('deliveries_pending')`).Scan(&table); err != nil {
		t.Fatal(err)
	}
	for i, value := range append(values, private, table) {
		g.peaks[i].Note(value, g.warm)
	}
}

// warmedUp says that what is seen from now on is held against what was seen until now.
func (g *growth) warmedUp() { g.warm = true }

// judge logs the peaks and fails the test for those that have grown.
func (g *growth) judge(t *testing.T) {
	t.Helper()
	for _, p := range g.peaks {
		t.Log(p)
		if err := p.Err(); err != nil {
			t.Error(err)
		}
	}
}

// rest waits until nothing is left to be done in the background, and checks that no lease and no clock is held.
func (f *fleet) rest(t *testing.T) {
	t.Helper()
	db, err := sql.Open("postgres", f.direct["CARDVAULT_DATABASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var left, idle int
	eventually(t, "no delivery is left and no session is idle in a transaction", func() bool {
		err := db.QueryRow(`
			SELECT (SELECT count(*) FROM deliveries_pending),
			       (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'
			          AND now() - state_change > interval '1 minute')`).Scan(&left, &idle)
		if err != nil {
			t.Fatal(err)
		}
		return left == 0 && idle == 0
	})
}
