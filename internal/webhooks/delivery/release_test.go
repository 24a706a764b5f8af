package delivery

import (
	"net/http"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/webhooks"
)

// A process dies with deliveries that it got directly and with deliveries that it claimed. After Release, another
// engine sends both kinds at once. Deliveries that are not due stay as they are, and the process cannot store results
// any more.
func TestOutbox_ReleaseOfDeadProcess(t *testing.T) {
	t.Parallel()
	env := newTestEnvWithURL(t)
	s := env.sink(nil)
	endpoint, _ := env.register(s.URL)
	key := webhooks.EndpointKey{Account: env.account, Endpoint: endpoint.ID}
	dead, proxy := env.behindProxy()

	dead.record(5) // without an engine, so they wait to be claimed
	hour := lease{id: dead.db.Process().NewClaim(), length: time.Hour}
	claimed := dead.claim(key, 3, hour)
	env.exec(`UPDATE deliveries_pending SET due_at = now() + interval '1 hour' WHERE claim_id IS NULL`)
	hold := make(chan struct{})
	held := env.sink(func(http.ResponseWriter, *http.Request) { <-hold })
	defer close(hold)
	dead.account = env.newAccount()
	dead.register(held.URL)
	dead.engineOf(dead.outbox, Config{})
	dead.record(3) // with a lease for its own engine
	for range 3 {
		held.next(t)
	}
	t.Cleanup(proxy.Thaw)
	proxy.Freeze()

	e := env.engine(Config{PollEvery: time.Hour})
	must(t, env.outbox.Release(t.Context(), dead.db.Process().ID()))
	for range 3 {
		s.next(t)
		held.next(t)
	}
	stored := `SELECT count(*) FROM deliveries_delivered`
	eventually(t, "what the dead process had claimed is delivered", func() bool { return env.count(stored) == 3 })
	if n := env.count(`SELECT count(*) FROM deliveries_pending WHERE account_id = $1 AND attempts = 0
		AND claim_id IS NULL AND due_at > now()`, key.Account); n != 2 {
		t.Errorf("%d deliveries wait for their time, want 2", n)
	}
	r := result{job: claimed[0], outcome: outcomeDelivered, started: env.clock.Time()}
	must(t, storeResults(t.Context(), env.db, []result{r}, []int64{hour.id}, env.clock.Time()))
	if n := env.count(stored); n != 3 {
		t.Errorf("%d deliveries are stored after a result of the dead process, want 3", n)
	}
	if e.db.Process().ID() == dead.db.Process().ID() {
		t.Error("both processes have the same identity: the test has tested nothing")
	}
}

// A process that was taken for dead and continues does not send what it had leased before.
func TestScheduler_GivesUpLostLeases(t *testing.T) {
	t.Parallel()
	now := time.Now()
	s := newScheduler(10, 10)
	s.running, s.process = true, 1
	key := webhooks.EndpointKey{Account: "acc_a", Endpoint: "wh_a"}
	s.queue(key, now).target = &target{}
	lost := &job{key: key, id: "dlv_1", claimID: 1<<32 | 1, sendBy: now.Add(time.Minute)}
	s.uncertain = true
	s.accept([]*job{lost}, now)
	if n := len(s.actions.attempts); n != 0 {
		t.Fatalf("%d attempts start while another process may take this one for dead, want none", n)
	}
	s.uncertain, s.process = false, 2
	s.accept([]*job{{key: key, id: "dlv_2", claimID: 2<<32 | 1, sendBy: now.Add(time.Minute)}}, now)
	if n := len(s.actions.attempts); n != 1 || s.actions.attempts[0].job.id != "dlv_2" {
		t.Errorf("%d attempts start, want that of the delivery under the new identity", n)
	}
	if len(s.actions.releases) != 1 || s.actions.releases[0] != lost {
		t.Errorf("releases %v, want the lost delivery", s.actions.releases)
	}
}
