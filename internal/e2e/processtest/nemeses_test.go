package processtest

import (
	"database/sql"
	"math/rand/v2"
	"sync"
	"syscall"
	"time"

	_ "github.com/lib/pq" // the driver
)

// nemesis is something that goes wrong during a trial.
type nemesis struct {
	name   string
	strike func(r *trial, length time.Duration) // returns when it is over
	// repeats: it may keep a worker from storing that a delivery was sent, so that it is sent again.
	repeats bool
	// bystander is the longest that another account's request may wait; 0: it may be hit as well.
	bystander time.Duration
}

// calm is nothing: what must hold under a fault must hold without one.
var calm = nemesis{name: "nothing", strike: func(r *trial, length time.Duration) { time.Sleep(length) }, bystander: unaffected}

// unaffected is far more than a request takes on a machine under load, and less than clients wait for one another's
// faults where nothing separates them.
const unaffected = 8 * time.Second

func anyOf[T any](list []T) T { return list[rand.IntN(len(list))] }

// killHost kills hosts of a kind again and again.
func killHosts(of func(*fleet) []*host) func(*trial, time.Duration) {
	return func(r *trial, length time.Duration) {
		for end := time.Now().Add(length); time.Now().Before(end); {
			h := anyOf(of(r.fleet))
			h.kill()
			h.start()
			r.goesOn(1)
		}
	}
}

func servingHosts(f *fleet) []*host { return f.serving }
func workingHosts(f *fleet) []*host { return f.working }

// freezeOpen makes a host's connections to the database silent; new ones work.
func freezeOpen(of func(*fleet) []*host) func(*trial, time.Duration) {
	return func(r *trial, length time.Duration) {
		h := anyOf(of(r.fleet))
		defer h.proxy.Thaw()
		h.proxy.FreezeOpen()
		time.Sleep(length)
		r.goesOn(1) // by other connections, before these work again
	}
}

// loseCommits has the answers to some COMMITs of a host never arrive.
func loseCommits(of func(*fleet) []*host) func(*trial, time.Duration) {
	return func(r *trial, length time.Duration) {
		h := anyOf(of(r.fleet))
		defer h.proxy.Thaw()
		for end := time.After(length); ; {
			select {
			case link := <-h.proxy.FreezeAfter("COMMIT"):
				time.Sleep(time.Duration(rand.Int64N(int64(length / 4))))
				link.Cut()
			case <-end:
				return
			}
		}
	}
}

// pauseHost stops a host's process for a time.
func pauseHost(of func(*fleet) []*host) func(*trial, time.Duration) {
	return func(r *trial, length time.Duration) { anyOf(of(r.fleet)).pause(length) }
}

// cutConnections closes all connections of all hosts again and again.
func cutConnections(r *trial, length time.Duration) {
	for end := time.Now().Add(length); time.Now().Before(end); {
		for _, h := range r.fleet.hosts() {
			h.proxy.Cut()
		}
		r.goesOn(1)
	}
}

// cutOff makes the database silent for a server, also for new connections.
func cutOff(r *trial, length time.Duration) {
	h := anyOf(r.fleet.serving)
	defer h.proxy.Thaw()
	h.proxy.Freeze()
	time.Sleep(length)
}

// killAll kills every process at once.
func killAll(r *trial, _ time.Duration) {
	for _, h := range r.fleet.hosts() {
		h.kill()
	}
	for _, h := range r.fleet.hosts() {
		h.start()
	}
}

// stopBackends stops some of PostgreSQL's processes for a time, whatever they hold.
func stopBackends(r *trial, length time.Duration) {
	db := openDirect(r)
	defer db.Close()
	var pids []int
	for range 3 {
		var pid int
		r.repeat("a backend is found", func() error {
			return db.QueryRow(`
				SELECT pid FROM pg_stat_activity
				WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
				ORDER BY random() LIMIT 1`).Scan(&pid)
		})
		pids = append(pids, pid)
	}
	signal := func(s syscall.Signal) {
		for _, pid := range pids {
			_ = syscall.Kill(pid, s) // it may have ended meanwhile
		}
	}
	defer signal(syscall.SIGCONT)
	signal(syscall.SIGSTOP)
	time.Sleep(length)
}

// restartDatabase ends PostgreSQL without a checkpoint, by a restart or by a kill.
func restartDatabase(how func(*cluster)) func(*trial, time.Duration) {
	return func(r *trial, _ time.Duration) { how(r.fleet.cluster) }
}

// lockCard has an operator hold the lock of a card for a time.
func lockCard(r *trial, length time.Duration) {
	db := openDirect(r)
	defer db.Close()
	r.repeat("the card is locked", func() error {
		tx, err := db.Begin()
		if err != nil {
			return err
		}
		defer tx.Rollback()
		_, err = tx.Exec(`SELECT FROM cards WHERE account_id = $1 AND id = $2 FOR UPDATE`, r.owner.id, r.cards[0])
		if err != nil {
			return err
		}
		time.Sleep(length)
		return nil
	})
}

// repeat repeats what an operator does until it succeeds: another fault at the same time may prevent it.
func (r *trial) repeat(what string, do func() error) {
	r.t.Helper()
	eventually(r.t, what, func() bool {
		err := do()
		if err != nil {
			r.t.Logf("%s: not yet: %v", what, err)
		}
		return err == nil
	})
}

// loseHost has a server's host vanish while it holds the account's clock: PostgreSQL hears nothing more of it. Its
// process comes back, as on another host.
func loseHost(r *trial, _ time.Duration) {
	h := anyOf(r.fleet.serving)
	select {
	case <-h.proxy.FreezeAfter("UPDATE account_clock"):
	case <-time.After(patience):
		r.t.Error("no statement takes the account's clock: this has tested nothing")
	}
	h.proxy.FreezeOpen()
	h.kill()
	h.start()
}

// replay sends everything again that was sent.
func replay(r *trial, length time.Duration) {
	begun := time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)
	time.Sleep(length / 2)
	r.repeat("the webhooks are sent again", func() error {
		return r.fleet.direct.run(r.t, "webhook", "resend", "--account", r.owner.id, "--endpoint", r.hook.endpoint,
			"--since", begun, "--rate", "1000").failure()
	})
	time.Sleep(length / 2)
}

// openDirect opens a connection to the database that no proxy disturbs.
func openDirect(r *trial) *sql.DB {
	db, err := sql.Open("postgres", r.fleet.direct["CARDVAULT_DATABASE_URL"])
	if err != nil {
		r.t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	return db
}

// shortNemeses are those that need no PostgreSQL of the test's own and no more than some seconds.
var shortNemeses = []nemesis{
	calm,
	{name: "a server is killed", strike: killHosts(servingHosts)},
	{name: "answers to COMMIT are lost", strike: loseCommits(servingHosts)},
	{name: "a server's connections freeze", strike: freezeOpen(servingHosts)},
}

// longNemeses are the others.
var longNemeses = []nemesis{
	{name: "a worker is killed", strike: killHosts(workingHosts), repeats: true, bystander: unaffected},
	{name: "all processes are killed", strike: killAll, repeats: true},
	{name: "a worker's answers to COMMIT are lost", strike: loseCommits(workingHosts), repeats: true, bystander: unaffected},
	{name: "a worker's connections freeze", strike: freezeOpen(workingHosts), repeats: true, bystander: unaffected},
	{name: "a server cannot reach the database", strike: cutOff},
	{name: "connections are cut", strike: cutConnections, repeats: true},
	{name: "a server is stopped for a while", strike: pauseHost(servingHosts)},
	{name: "a worker is stopped for a while", strike: pauseHost(workingHosts), repeats: true, bystander: unaffected},
	{name: "backends are stopped for a while", strike: stopBackends, repeats: true},
	{name: "PostgreSQL restarts", strike: restartDatabase((*cluster).restart), repeats: true},
	{name: "PostgreSQL is killed", strike: restartDatabase((*cluster).crash), repeats: true},
	{name: "an operator locks a card", strike: lockCard, bystander: unaffected},
	{name: "a host is lost", strike: loseHost},
	{name: "everything is sent again", strike: replay, repeats: true, bystander: unaffected},
	{name: "unknown tokens", strike: floodTokens, bystander: unaffected},
	{name: "the worst bodies", strike: floodBodies, bystander: unaffected},
	{name: "many searches", strike: floodSearches, bystander: unaffected},
	{name: "a large import", strike: importMany, bystander: unaffected},
}

// both is two nemeses at once.
func both(a, b nemesis) nemesis {
	return nemesis{name: a.name + " and " + b.name, repeats: a.repeats || b.repeats, strike: func(r *trial, length time.Duration) {
		var group sync.WaitGroup
		group.Go(func() { a.strike(r, length) })
		group.Go(func() { b.strike(r, length) })
		group.Wait()
	}}
}
