package processtest

import (
	"testing"
)

func TestPostgreSQLRestartsUnderLoad(t *testing.T) {
	t.Parallel()
	outage(t, together, (*cluster).restart)
}

func TestPostgreSQLIsKilledUnderLoad(t *testing.T) {
	t.Parallel()
	outage(t, together, (*cluster).crash)
}

func TestPostgreSQLRestartsUnderAnEngineOfItsOwn(t *testing.T) {
	t.Parallel()
	outage(t, apart, (*cluster).restart)
}

func TestPostgreSQLIsKilledUnderAnEngineOfItsOwn(t *testing.T) {
	t.Parallel()
	outage(t, apart, (*cluster).crash)
}

// together starts one process that serves and sends.
func together(t *testing.T, s settings) (api, engine *server) {
	both := s.serve(t)
	return both, both
}

// apart starts one process that serves and one that sends.
func apart(t *testing.T, s settings) (api, engine *server) {
	return s.serve(t, "--workers=false"), s.work(t)
}

// outage breaks the database twice while customers work and deliveries are in flight: first some
// that wait for their answer, then some that were answered and are not stored yet. Customers are told
// to try again, by 503 and nothing else, until it is back; no process needs a restart; what was
// confirmed has lasted; every event arrives, and none of it twice, for the engine has not forgotten.
func outage(t *testing.T, start func(*testing.T, settings) (api, engine *server), strike func(*cluster)) {
	db := newCluster(t)
	s := newSettings(t, db.url()).with(impatient...)
	if got := s.run(t, "migrate", "up"); got.code != 0 {
		t.Fatalf("migrate up: %s", got.stderr)
	}
	owner := s.account(t)
	hook := owner.sink(nil)
	api, engine := start(t, s)
	customers := newLoad(owner.at(api), 4)
	customers.wentWell(40)

	hook.hold()
	hook.held(4)
	strike(db)
	hook.release()
	goesOn(t, customers, hook)
	strike(db)
	goesOn(t, customers, hook)

	customers.settle()
	all := hook.gotAll(owner.at(api))
	customers.durable(owner.at(api), all)
	if _, away := customers.counts(); away == 0 {
		t.Error("nobody noticed that the database was away")
	}
	if api.gone() || engine.gone() {
		t.Error("a process did not survive")
	}
	hook.silentAfterSuccess(owner.allDelivered(len(all)))
	hook.noAttemptTwice()
}

// goesOn waits until customers are served and deliveries flow.
func goesOn(t *testing.T, customers *load, hook *sink) {
	t.Helper()
	before := hook.count()
	customers.wentWell(40)
	eventually(t, "deliveries go on", func() bool { return hook.count() > before })
}
