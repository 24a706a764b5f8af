package api_test

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// lookups is an Authenticator that counts look-ups. The token "stranger-good" is valid and must be looked up.
type lookups struct {
	tokens
	made, running, most atomic.Int32
	blocked             chan struct{} // look-ups wait for it unless it is nil
}

func (l *lookups) Authenticate(ctx context.Context, token string) (caller.Caller, error) {
	if l.Recognizes(token) {
		return l.tokens.Authenticate(ctx, token)
	}
	l.made.Add(1)
	if running := l.running.Add(1); running > l.most.Load() {
		l.most.Store(running)
	}
	defer l.running.Add(-1)
	if l.blocked != nil {
		<-l.blocked
	}
	return l.tokens.Authenticate(ctx, strings.TrimPrefix(token, "stranger-"))
}

// get returns a request for a card with a token and a client address.
func get(token, address string) *http.Request {
	r := request("GET", "/api/cards/"+cardID, "", "Authorization", "Bearer "+token)
	r.RemoteAddr = address + ":1234"
	return r
}

func TestAuthenticate_LimitsFailedLookupsPerAddress(t *testing.T) {
	t.Parallel()
	const limit, requests, clients = 60, 4000, 50
	l := &lookups{}
	s := setup(t, reading(), func(c *api.Config) { c.Tokens, c.Limits = l, ratelimit.Limits{Read: limit} })
	var sending sync.WaitGroup
	var refused atomic.Int32
	for client := range clients {
		sending.Go(func() {
			for n := range requests / clients {
				resp, _ := s.do(t, get(fmt.Sprintf("stranger%d-%d", client, n), "192.0.2.1"))
				if resp.StatusCode == http.StatusTooManyRequests {
					refused.Add(1)
				}
			}
		})
	}
	sending.Wait()
	if made := l.made.Load(); made < limit || made > limit+1 {
		t.Errorf("got %d look-ups for one address, want %d", made, limit)
	}
	if got := refused.Load(); got < requests-limit-1 {
		t.Errorf("%d of %d requests got 429", got, requests)
	}
	for _, test := range []struct {
		name, token, address string
		status               int
	}{
		{"recognized token", "good", "192.0.2.1", 200},
		{"new token", "stranger-good", "192.0.2.1", 429},
		{"new token, other address", "stranger-good", "192.0.2.2", 200},
		{"unknown token, other address", "stranger", "192.0.2.2", 401},
	} {
		t.Run(test.name, func(t *testing.T) {
			if resp, body := s.do(t, get(test.token, test.address)); resp.StatusCode != test.status {
				t.Errorf("got %d %s, want %d", resp.StatusCode, body, test.status)
			}
		})
	}
}

func TestAuthenticate_CountsLookedUpTokenOnce(t *testing.T) {
	t.Parallel()
	s := setup(t, reading(), func(c *api.Config) { c.Tokens = &lookups{} })
	for _, want := range []struct{ token, remaining string }{
		{"stranger", "999"}, {"stranger", "998"}, {"stranger-good", "999"}, {"good", "998"}, {"stranger", "997"},
	} {
		resp, _ := s.do(t, get(want.token, "192.0.2.1"))
		if got := resp.Header.Get("X-RateLimit-Remaining"); got != want.remaining {
			t.Errorf("%s: %s requests remaining, want %s", want.token, got, want.remaining)
		}
	}
}

func TestAuthenticate_LimitsConcurrentLookups(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &lookups{blocked: make(chan struct{})}
		s := setup(t, reading(), func(c *api.Config) { c.Tokens = l })
		statuses := make(chan int)
		send := func(address string) {
			resp, _ := s.do(t, get("stranger-good", address))
			statuses <- resp.StatusCode
		}
		for range 10 {
			go send("192.0.2.1")
		}
		if synctest.Wait(); l.most.Load() != 2 {
			t.Errorf("%d look-ups of one address are running, want 2", l.most.Load())
		}
		for address := range 10 {
			go send("198.51.100." + strconv.Itoa(address))
		}
		if synctest.Wait(); l.most.Load() != 6 {
			t.Errorf("%d look-ups are running, want 6", l.most.Load())
		}
		if resp, _ := s.do(t, get("good", "192.0.2.1")); resp.StatusCode != http.StatusOK {
			t.Errorf("recognized token: got %d, want 200", resp.StatusCode)
		}
		time.Sleep(3 * time.Second) // longer than lookupWait
		close(l.blocked)
		got := map[int]int{}
		for range 20 {
			got[<-statuses]++
		}
		if got[http.StatusServiceUnavailable] != 14 || got[http.StatusOK] != 6 {
			t.Errorf("statuses are %v, want 14 times 503 and 6 times 200", got)
		}
	})
}
