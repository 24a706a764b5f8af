package processtest

import (
	"testing"
)

// PostgreSQL restarts or crashes twice while customers use the service and deliveries are in flight.
func TestPostgreSQL_Outage(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		start  func(*testing.T, settings) (api, engine *server)
		strike func(*cluster)
	}{
		"restart, one process":      {oneProcess, (*cluster).restart},
		"crash, one process":        {oneProcess, (*cluster).crash},
		"restart, separate workers": {separateWorkers, (*cluster).restart},
		"crash, separate workers":   {separateWorkers, (*cluster).crash},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			outage(t, tc.start, tc.strike)
		})
	}
}

// oneProcess starts a process that serves the API and sends webhooks.
func oneProcess(t *testing.T, s settings) (api, engine *server) {
	both := s.serve(t)
	return both, both
}

// separateWorkers starts one process that serves the API and one that sends webhooks.
func separateWorkers(t *testing.T, s settings) (api, engine *server) {
	return s.serve(t, "--workers=false"), s.work(t)
}

// outage stops the database twice: first while deliveries wait for their response, then while the results of deliveries
// wait to be stored. It checks that
//   - the API responds with 503 and Retry-After, and with no other error, until the database is back
//   - no process ends
//   - no confirmed change is lost
//   - every event arrives, and no attempt is sent twice, because the engine keeps the results in memory
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
	customers.awaitRounds(40)

	hook.hold()
	hook.held(4)
	strike(db)
	hook.release()
	recovers(t, customers, hook)
	strike(db)
	recovers(t, customers, hook)

	customers.finish()
	all := hook.gotAll(owner.at(api))
	customers.durable(owner.at(api), all)
	if _, away := customers.counts(); away == 0 {
		t.Error("no request was answered 503: the test has tested nothing")
	}
	if api.gone() || engine.gone() {
		t.Error("a process ended")
	}
	hook.silentAfterSuccess(owner.allDelivered(len(all)))
	hook.noAttemptTwice()
}

// recovers waits until requests succeed and deliveries arrive.
func recovers(t *testing.T, customers *load, hook *sink) {
	t.Helper()
	before := hook.count()
	customers.awaitRounds(40)
	eventually(t, "deliveries arrive again", func() bool { return hook.count() > before })
}
