package processtest

import (
	"net/http"
	"syscall"
	"testing"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// A server that stops stores the requests that it counted since the last minute. Another server reports them.
func TestServer_StoresUsageAtStop(t *testing.T) {
	t.Parallel()
	s := newSettings(t, pgtest.URL(t))
	owner := s.account(t)
	first := s.serve(t)
	const requests = 7
	for range requests {
		owner.at(first).do("GET", "/cards", "", http.StatusOK, nil)
	}
	first.signal(syscall.SIGTERM)
	if code := first.end(drainTime); code != 0 {
		t.Errorf("exit code %d", code)
	}
	var usage struct {
		Tokens []struct{ Read struct{ Requests int } }
	}
	second := s.serve(t)
	owner.at(second).do("GET", "/account/usage?hours=2", "", http.StatusOK, &usage)
	if len(usage.Tokens) != 1 || usage.Tokens[0].Read.Requests != requests {
		t.Errorf("got %+v, want %d reads of one token", usage, requests)
	}
}
