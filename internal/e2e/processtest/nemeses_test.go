package processtest

import (
	"database/sql"
	"math/rand/v2"
	"sync"
	"syscall"
	"time"

	_ "github.com/lib/pq" // the driver
)

// nemesis is a fault that is injected during a trial.
type nemesis struct {
	name   string
	strike func(r *trial, length time.Duration) // returns when the fault is over
	// repeats says that the fault may keep a worker from storing the result of a delivery, which is then sent again.
	repeats bool
	// bystander bounds the time of a request of another account; 0 if the fault may affect other accounts.
	bystander time.Duration
}

// calm is no fault: what must hold during a fault must hold without one.
var calm = nemesis{
	name:      "nothing",
	strike:    func(r *trial, length time.Duration) { time.Sleep(length) },
	bystander: unaffected,
}

// unaffected is much longer than a request takes on a machine under load, and shorter than a request would take if it
// waited for a fault of another account.
const unaffected = 8 * time.Second

func anyOf[T any](list []T) T { return list[rand.IntN(len(list))] }

// killHosts kills random hosts of a kind, one after the other.
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

// freezeOpen freezes a host's open connections to the database. New ones work.
func freezeOpen(of func(*fleet) []*host) func(*trial, time.Duration) {
	return func(r *trial, length time.Duration) {
		h := anyOf(of(r.fleet))
		defer h.proxy.Thaw()
		h.proxy.FreezeOpen()
		time.Sleep(length)
		r.goesOn(1) // with new connections, while the others are still frozen
	}
}

// loseCommits loses the responses to some COMMITs of a host.
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

// pauseHost stops a host's process for length.
func pauseHost(of func(*fleet) []*host) func(*trial, time.Duration) {
	return func(r *trial, length time.Duration) { anyOf(of(r.fleet)).pause(length) }
}

// cutConnections repeatedly closes all database connections of all hosts.
func cutConnections(r *trial, length time.Duration) {
	for end := time.Now().Add(length); time.Now().Before(end); {
		for _, h := range r.fleet.hosts() {
			h.proxy.Cut()
		}
		r.goesOn(1)
	}
}

// cutOff freezes a server's open and new connections to the database.
func cutOff(r *trial, length time.Duration) {
	h := anyOf(r.fleet.serving)
	defer h.proxy.Thaw()
	h.proxy.Freeze()
	time.Sleep(length)
}

// killAll kills all processes at the same time.
func killAll(r *trial, _ time.Duration) {
	for _, h := range r.fleet.hosts() {
		h.kill()
	}
	for _, h := range r.fleet.hosts() {
		h.start()
	}
}

// stopBackends stops three of PostgreSQL's processes for length. They may hold locks.
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
			_ = syscall.Kill(pid, s) // fails if the process has ended
		}
	}
	defer signal(syscall.SIGCONT)
	signal(syscall.SIGSTOP)
	time.Sleep(length)
}

// restartDatabase restarts PostgreSQL without a checkpoint.
func restartDatabase(how func(*cluster)) func(*trial, time.Duration) {
	return func(r *trial, _ time.Duration) { how(r.fleet.cluster) }
}

// lockCard locks a card for length, as an operator's transaction may do.
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

// repeat repeats an operator's action until it succeeds. Another fault at the same time may make it fail.
func (r *trial) repeat(what string, do func() error) {
	r.t.Helper()
	eventually(r.t, what, func() bool {
		err := do()
		if err != nil {
			r.t.Logf("%s: failed, will be repeated: %v", what, err)
		}
		return err == nil
	})
}

// loseHost freezes a server's connections while one holds the account's clock and kills the server, as if its host had
// vanished: PostgreSQL sees no end of the connections. The server starts again, as on another host.
func loseHost(r *trial, _ time.Duration) {
	h := anyOf(r.fleet.serving)
	select {
	case <-h.proxy.FreezeAfter("UPDATE account_clock"):
	case <-time.After(patience):
		r.t.Error("no statement locked the account's clock: the test has tested nothing")
	}
	h.proxy.FreezeOpen()
	h.kill()
	h.start()
}

// replay sends all events of the trial again.
func replay(r *trial, length time.Duration) {
	begun := time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)
	time.Sleep(length / 2)
	r.repeat("the webhooks are sent again", func() error {
		return r.fleet.direct.run(r.t, "webhook", "resend", "--account", r.owner.id, "--endpoint", r.hook.endpoint,
			"--since", begun, "--rate", "1000").failure()
	})
	time.Sleep(length / 2)
}

// openDirect opens a connection to the database without a proxy.
func openDirect(r *trial) *sql.DB {
	db, err := sql.Open("postgres", r.fleet.direct["CARDVAULT_DATABASE_URL"])
	if err != nil {
		r.t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	return db
}

// shortNemeses take some seconds and need no PostgreSQL of their own.
var shortNemeses = []nemesis{
	calm,
	{name: "a server is killed", strike: killHosts(servingHosts)},
	{name: "responses to COMMIT are lost", strike: loseCommits(servingHosts)},
	{name: "a server's connections freeze", strike: freezeOpen(servingHosts)},
}

// longNemeses run with -soak only.
var longNemeses = []nemesis{
	{name: "a worker is killed", strike: killHosts(workingHosts), repeats: true, bystander: unaffected},
	{name: "all processes are killed", strike: killAll, repeats: true},
	{
		name:   "a worker's responses to COMMIT are lost",
		strike: loseCommits(workingHosts), repeats: true, bystander: unaffected,
	},
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

// both returns two nemeses at the same time.
func both(a, b nemesis) nemesis {
	return nemesis{
		name:    a.name + " and " + b.name,
		repeats: a.repeats || b.repeats,
		strike: func(r *trial, length time.Duration) {
			var group sync.WaitGroup
			group.Go(func() { a.strike(r, length) })
			group.Go(func() { b.strike(r, length) })
			group.Wait()
		},
	}
}
