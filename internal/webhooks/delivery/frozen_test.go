package delivery

import (
	"context"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/postgres/pgtest/faultproxy"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// behindProxy returns the environment as another process sees it whose database connections go through a proxy.
func (env *testEnv) behindProxy() (*testEnv, *faultproxy.Proxy) {
	env.t.Helper()
	proxy, err := faultproxy.New(env.url)
	must(env.t, err)
	env.t.Cleanup(proxy.Close)
	db, err := postgres.Open(postgres.Config{URL: proxy.URL()})
	must(env.t, err)
	env.t.Cleanup(func() { db.Close() })
	other := *env
	other.db, other.outbox = db, NewOutbox(db, env.clock)
	return &other, proxy
}

// newTestEnvWithURL returns an environment whose url is set.
func newTestEnvWithURL(t *testing.T) *testEnv {
	t.Helper()
	url := pgtest.URL(t)
	db, err := postgres.Open(postgres.Config{URL: url})
	must(t, err)
	t.Cleanup(func() { db.Close() })
	env := newTestEnvOn(t, db, clock.System)
	env.url = url
	return env
}

// awaitFrozen waits until a connection is frozen.
func awaitFrozen(t *testing.T, hit <-chan *faultproxy.Link) {
	t.Helper()
	select {
	case <-hit:
	case <-time.After(testTimeout):
		t.Fatal("no connection was frozen")
	}
}

// frozenTimeout is shorter than the sum of the time limits of the frozen calls, and much longer than other calls
// take.
const frozenTimeout = 8 * time.Second

// receives waits up to frozenTimeout for n requests.
func (s *sink) receives(t *testing.T, n int) {
	t.Helper()
	deadline := time.After(frozenTimeout)
	for range n {
		select {
		case <-s.requests:
		case <-deadline:
			t.Fatal("a frozen connection blocks other connections")
		}
	}
}

// Three polls block on dead connections. Another poll finds the delivery.
func TestEngine_PollsBesideFrozenPolls(t *testing.T) {
	t.Parallel()
	env := newTestEnvWithURL(t)
	s := env.sink(nil)
	env.register(s.URL)
	other, proxy := env.behindProxy()
	var hits []<-chan *faultproxy.Link
	for range 3 {
		hits = append(hits, proxy.FreezeAfter("FROM endpoint_wakeups"))
	}
	other.engineOf(other.outbox, Config{})
	t.Cleanup(proxy.Cut) // or Stop would wait for the frozen connections
	awaitFrozen(t, hits[0])
	env.record(1) // by a process without an engine
	s.receives(t, 1)
}

// One claim blocks on a dead connection. Other endpoints' deliveries are claimed.
func TestEngine_ClaimsForOthersBesideFrozenClaim(t *testing.T) {
	t.Parallel()
	env := newTestEnvWithURL(t)
	s, other := env.sink(nil), env.sink(nil)
	env.register(s.URL)
	there, proxy := env.behindProxy()
	there.engineOf(there.outbox, Config{})
	t.Cleanup(proxy.Cut) // or Stop would wait for the frozen connections
	hit := proxy.FreezeBefore("UPDATE deliveries_pending p SET leased_until")
	env.record(1)
	awaitFrozen(t, hit)
	env.account = env.newAccount()
	env.register(other.URL)
	for range 3 {
		env.record(1)
		other.receives(t, 1)
	}
}

// One batch of results blocks on a dead connection. Later batches are stored, and this one when its attempt ends.
func TestEngine_StoresResultsBesideFrozenBatch(t *testing.T) {
	t.Parallel()
	env := newTestEnvWithURL(t)
	s := env.sink(nil)
	env.register(s.URL)
	other, proxy := env.behindProxy()
	other.engineOf(other.outbox, Config{})
	t.Cleanup(proxy.Cut) // or Stop would wait for the frozen connections
	hit := proxy.FreezeBefore("INSERT INTO delivery_attempts")
	env.record(1)
	awaitFrozen(t, hit)
	env.record(4)
	s.receives(t, 5)
	start := time.Now()
	delivered := func() int { return env.count(`SELECT count(*) FROM deliveries_delivered`) }
	eventually(t, "the later results are stored", func() bool { return delivered() >= 4 })
	if duration := time.Since(start); duration > frozenTimeout {
		t.Errorf("the later results were stored after %v", duration)
	}
	proxy.Cut() // like the end of its attempt
	eventually(t, "all are stored", func() bool { return delivered() == 5 })
	if n := s.total.Load(); n != 5 {
		t.Errorf("%d requests for 5 events", n)
	}
}

// The claims of one endpoint fail. Other endpoints' deliveries are claimed, and its own when the error ends.
func TestEngine_ClaimsForOthersWhileOneFails(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	s, other := env.sink(nil), env.sink(nil)
	broken, _ := env.register(s.URL)
	for _, statement := range []string{
		`CREATE TABLE broken (endpoint_id text)`,
		`CREATE FUNCTION break() RETURNS trigger LANGUAGE plpgsql AS $$
			BEGIN
				IF NEW.endpoint_id IN (SELECT endpoint_id FROM broken) THEN RAISE 'broken'; END IF;
				RETURN NEW;
			END $$`,
		`CREATE TRIGGER break BEFORE UPDATE ON deliveries_pending FOR EACH ROW EXECUTE FUNCTION break()`,
	} {
		env.exec(statement)
	}
	env.exec(`INSERT INTO broken VALUES ($1)`, broken.ID)
	healthy := *env
	healthy.account = env.newAccount()
	healthy.register(other.URL)
	e := env.engine(Config{PollEvery: time.Hour})
	env.withClock(env.clock).record(1) // by a process without an engine
	e.Wake()
	eventually(t, "the claim to fail", func() bool {
		e.mu.Lock()
		defer e.mu.Unlock()
		return e.scheduler.queue(webhooks.EndpointKey{Account: env.account, Endpoint: broken.ID},
			time.Now()).fetchFailures > 0
	})
	for range 30 {
		healthy.record(1)
		other.next(t)
	}
	env.exec(`DELETE FROM broken`)
	s.next(t)
}

func (env *testEnv) exec(statement string, args ...any) {
	env.t.Helper()
	_, err := env.db.Exec(context.Background(), statement, args...)
	must(env.t, err)
}
