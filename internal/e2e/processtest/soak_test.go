package processtest

import (
	"flag"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

var soakFor = flag.Duration("soak", 0,
	"how long TestSoak runs, with all faults and a PostgreSQL of its own; 0 runs a short version")

var strikeFor = flag.Duration("strike", 10*time.Second, "with -soak, how long a fault lasts that has a duration")

// While processes, connections and responses are lost, what clients see is linearizable, and no change and no event is
// lost or duplicated. With -soak, every other fault is injected too: each of them once, then random pairs at the same
// time, which must not increase memory or tables any more.
func TestSoak(t *testing.T) {
	t.Parallel()
	if *soakFor > 0 {
		soak(t, time.Now().Add(*soakFor))
		return
	}
	f := newFleet(t, newSettings(t, pgtest.URL(t)).with(impatient...), 2, 1)
	for _, n := range shortNemeses {
		t.Run(n.name, func(t *testing.T) { newTrial(t, f, n).run(2 * time.Second) })
	}
}

func soak(t *testing.T, until time.Time) {
	random := randomness(t)
	f := newSoakFleet(t)
	grown := newGrowth(f)
	all := append(append([]nemesis(nil), shortNemeses...), longNemeses...)
	run := func(n nemesis) {
		t.Run(n.name, func(t *testing.T) { newTrial(t, f, n).run(*strikeFor) })
		grown.sample(t)
	}
	for _, i := range random.Perm(len(all)) {
		if time.Now().Before(until) {
			run(all[i])
		}
	}
	grown.warmedUp()
	for time.Now().Before(until) {
		run(both(all[random.IntN(len(all))], all[random.IntN(len(all))]))
	}
	f.awaitIdle(t)
	grown.check(t)
}

// newSoakFleet starts a fleet with its own durable PostgreSQL and its own marketplace.
func newSoakFleet(t *testing.T) *fleet {
	t.Helper()
	db := newCluster(t)
	s := newSettings(t, db.url()).with(impatient...)
	if got := s.run(t, "migrate", "up"); got.code != 0 {
		t.Fatalf("migrate up: %s", got.stderr)
	}
	market := s.with("CARDVAULT_MARKET_ADDR", "127.0.0.1:0").start(t, "market")
	market.foreign = true
	s = s.with("CARDVAULT_MARKET_URL", "http://"+market.announces(trading)[1], "CARDVAULT_MARKET_POLL", "500ms")
	f := newFleet(t, s, 2, 2)
	f.cluster, f.market = db, true
	f.large = s.account(t)
	if err := f.large.importCards(t, largeCards); err != nil {
		t.Fatal(err)
	}
	return f
}
