package delivery

import (
	"errors"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest/faultproxy"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// cutAfter cuts the next connection whose statement contains text, when the server has executed the statement.
func cutAfter(proxy *faultproxy.Proxy, executed func() bool, text string) {
	hit := proxy.FreezeAfter(text)
	go func() {
		link := <-hit
		for !executed() {
			time.Sleep(time.Millisecond)
		}
		link.Cut()
	}()
}

// A claim is committed and its answer is lost. The deliveries do not wait for the end of the lease.
func TestEngine_ReleasesClaimWithoutAnswer(t *testing.T) {
	t.Parallel()
	env := newTestEnvWithURL(t)
	s := env.sink(nil)
	env.register(s.URL)
	there, proxy := env.behindProxy()
	there.engineOf(there.outbox, Config{Lease: time.Hour})
	leased := `SELECT count(*) FROM deliveries_pending WHERE leased_until > now()`
	cutAfter(proxy, func() bool { return env.count(leased) == 3 }, "UPDATE deliveries_pending p SET leased_until")
	env.record(3) // by a process without an engine
	for range 3 {
		s.next(t)
	}
	eventually(t, "all are delivered", func() bool {
		return env.count(`SELECT count(*) FROM deliveries_delivered`) == 3
	})
}

// The answer to the commit of a write is lost, whose deliveries are leased for the engine of the same process. They do
// not wait for the end of the lease.
func TestEngine_ReleasesReservationOfUnknownCommit(t *testing.T) {
	t.Parallel()
	env := newTestEnvWithURL(t)
	s := env.sink(nil)
	env.register(s.URL)
	there, proxy := env.behindProxy()
	there.engineOf(there.outbox, Config{Lease: time.Hour})
	cutAfter(proxy, func() bool { return env.count(`SELECT count(*) FROM deliveries_pending`) == 1 }, "COMMIT")
	if err := there.tryRecord(env.account, 1); !errors.Is(err, postgres.ErrCommitUnknown) {
		t.Fatalf("the write ended with %v, want an unknown outcome", err)
	}
	s.next(t)
}

// A queue remembers a bounded number of claims without an answer, and passes them to one fetch.
func TestScheduler_UnconfirmedClaimsAreBounded(t *testing.T) {
	t.Parallel()
	now, s := time.Now(), newScheduler(10, 10)
	key := webhooks.EndpointKey{Account: "acc_a", Endpoint: "wh_a"}
	for claim := range int64(maxUnconfirmed + 10) {
		for range 2 { // deliveries of one claim
			s.unconfirmed([]*job{{key: key, claimID: claim}}, now)
		}
	}
	s.running = true
	s.dispatch(now)
	if len(s.actions.fetches) != 1 {
		t.Fatalf("%d fetches start, want one", len(s.actions.fetches))
	}
	f := s.actions.fetches[0]
	if n := len(f.unconfirmed); n != maxUnconfirmed || f.unconfirmed[n-1] != maxUnconfirmed+9 {
		t.Errorf("the fetch releases %d claims: %v, want the newest %d", n, f.unconfirmed, maxUnconfirmed)
	}
	s.onFetched(f, fetchResult{unconfirmed: f.unconfirmed}, true, now)
	if got := s.queue(key, now).unconfirmed; len(got) != maxUnconfirmed {
		t.Errorf("after a fetch that failed, %d claims are remembered, want %d", len(got), maxUnconfirmed)
	}
}
