package e2e

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

func TestAccount(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, sandbox := range []bool{false, true} {
		c := s.client(t, sandbox).scoped(ratelimit.Limits{Read: 7}, caller.WebhooksScope)
		type account struct {
			ID       string
			Name     string
			Sandbox  bool
			Currency string
			TimeZone string `json:"time_zone"`
			Limits   map[string]int
			Scopes   []string
		}
		want := account{
			ID: c.account, Name: t.Name(), Sandbox: sandbox, Currency: "USD", TimeZone: "UTC",
			Limits: map[string]int{"read": 7, "write": 20, "ai": 5}, Scopes: []string{"webhooks"},
		}
		var got account
		c.do("GET", "/account", nil).want(t, http.StatusOK, &got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("account (-want +got):\n%s", diff)
		}
	}
}

// TestOperations_Scopes calls each operation with each set of scopes. Without its scope, the operation is refused and
// changes nothing.
func TestOperations_Scopes(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	mine := c.own()
	limits := ratelimit.Limits{Read: 1e6, Write: 1e6, AI: 1e6}
	clients := map[caller.Scope]*client{}
	for _, without := range caller.Scopes {
		scopes := slices.DeleteFunc(slices.Clone(caller.Scopes), func(s caller.Scope) bool { return s == without })
		clients[without] = c.scoped(limits, scopes...)
	}
	before := s.snapshot(t)
	for _, o := range everyOperation(t, mine) {
		t.Run(o.OperationID, func(t *testing.T) {
			needed := neededScope(o)
			for without, c := range clients {
				// The media type is refused after the scope was checked, and keeps the request from changing anything.
				got := c.in(t).call(o, "Accept: text/html")
				if without != needed {
					got.want(t, http.StatusNotAcceptable, nil)
					continue
				}
				got.want(t, http.StatusForbidden, nil).refused(t, "insufficient_scope")
				if !strings.Contains(string(got.body), "scope "+string(needed)+";") {
					t.Errorf("%s does not name the scope %s", got.body, needed)
				}
			}
		})
	}
	s.unchanged(t, before)
}

// neededScope returns the scope that an operation needs. It repeats what the guide says.
func neededScope(o operationRequest) caller.Scope {
	switch {
	case o.template == "/account":
		return ""
	case strings.HasPrefix(o.template, "/webhooks"):
		return caller.WebhooksScope
	case o.method == http.MethodGet:
		return caller.ReadScope
	}
	return caller.WriteScope
}
