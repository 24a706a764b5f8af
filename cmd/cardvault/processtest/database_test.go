package processtest

import (
	"testing"
)

func TestPostgreSQLRestartsUnderLoad(t *testing.T) {
	t.Parallel()
	outage(t, (*cluster).restart)
}

func TestPostgreSQLIsKilledUnderLoad(t *testing.T) {
	t.Parallel()
	outage(t, (*cluster).crash)
}

// outage breaks the database while customers work and deliveries are in flight. They are told to
// try again, by 503 and nothing else, until it is back; the server needs no restart; what was
// confirmed has lasted, and every event arrives.
func outage(t *testing.T, strike func(*cluster)) {
	db := newCluster(t)
	s := newSettings(t, db.url()).with(impatient...)
	if got := s.run(t, "migrate", "up"); got.code != 0 {
		t.Fatalf("migrate up: %s", got.stderr)
	}
	owner := s.account(t)
	hook := owner.sink(nil)
	server := s.serve(t)
	customers := newLoad(owner.at(server), 4)
	customers.wentWell(40)

	hook.hold()
	hook.held(4)
	strike(db)
	hook.release()
	before := hook.count()
	customers.wentWell(40)
	eventually(t, "deliveries go on", func() bool { return hook.count() > before })

	customers.settle()
	all := hook.gotAll(owner.at(server))
	customers.durable(owner.at(server), all)
	if _, away := customers.counts(); away == 0 {
		t.Error("nobody noticed that the database was away")
	}
	if server.gone() {
		t.Error("the server did not survive")
	}
	owner.allDelivered(len(all))
}
