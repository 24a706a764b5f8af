package processtest

import (
	"flag"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// soakFor makes TestSoak what make soak runs.
var soakFor = flag.Duration("soak", 0, "how long TestSoak runs, with a PostgreSQL of its own and with everything that can go wrong; 0 is a short version")

// strikeFor is how long each fault lasts.
var strikeFor = flag.Duration("strike", 10*time.Second, "how long a fault lasts, where it lasts a time, with -soak")

// What clients see of cards while processes, connections and answers are lost has one explanation, and nothing is lost
// or doubled. With -soak everything else goes wrong too: first one thing at a time, then two at once, and nothing may
// have grown when all of it has happened once.
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
		grown.look(t)
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
	f.rest(t)
	grown.judge(t)
}

// newSoakFleet starts a fleet with a durable PostgreSQL and a marketplace of its own.
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
