package sandboxmarket_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/marketplaces/marketplacetest"
	"github.com/cardvault/cardvault/internal/sandboxmarket"
)

func TestFaults_ChangeAnswers(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		fault string
		want  []string // the results of three calls of getOrders
	}{
		"none":                {"", []string{"200", "200", "200"}},
		"error, once":         {`{"kind":"error","count":1}`, []string{"500 30500", "200", "200"}},
		"error, of this call": {`{"kind":"error","call":"getOrders","count":1}`, []string{"500 30500", "200", "200"}},
		"error, other call":   {`{"kind":"error","call":"getOffers"}`, []string{"200", "200", "200"}},
		"error, other seller": {`{"kind":"error","seller":"ben"}`, []string{"200", "200", "200"}},
		"quota, for good":     {`{"kind":"quota","seller":"ada"}`, []string{"429 2001", "429 2001", "429 2001"}},
		"consent revoked":     {`{"kind":"revoked","count":2}`, []string{"401 1001", "401 1001", "200"}},
		"slow":                {`{"kind":"slow","count":1,"seconds":0.01}`, []string{"200", "200", "200"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := setup(t)
			if tc.fault != "" {
				m.mustPost(t, "/sandbox/faults", tc.fault)
			}
			var got []string
			for range tc.want {
				status, body := m.call(t, "ada", http.MethodGet, wire.FulfillmentPath+"/order", "")
				result := fmt.Sprint(status)
				if _, rest, found := strings.Cut(body, `"errorId":`); found {
					id, _, _ := strings.Cut(rest, ",")
					result += " " + id
				}
				got = append(got, result)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
		})
	}
}

// The answer is lost, but the offer is published.
func TestFaults_LoseAnswerAfterEffect(t *testing.T) {
	t.Parallel()
	m := setup(t)
	o := newOffer()
	m.mustPost(t, "/sandbox/faults", `{"kind":"lost","call":"publishOffer","count":1}`)
	if _, err := marketplacetest.Publish(t.Context(), m.seller, o); err == nil {
		t.Error("Publish returns no error")
	}
	if got := m.status(t, o.ListingID); got.ExternalID == "" {
		t.Errorf("Status = %+v, want the listing live", got)
	}
	publish(t, m, o)
	if n := m.listed.Load(); n > 1 {
		t.Errorf("%d listings were created, want 1", n)
	}
}

func TestFaults_OfTokenEndpoint(t *testing.T) {
	t.Parallel()
	m := setup(t)
	token := m.connect(t, "ada", wire.ScopeInventory)
	refresh := url.Values{"grant_type": {wire.GrantRefresh}, "refresh_token": {token.RefreshToken}}
	for _, tc := range []struct {
		kind, code string
		status     int
	}{{"revoked", wire.InvalidGrant, 400}, {"error", "server_error", 500}} {
		m.mustPost(t, "/sandbox/faults", `{"kind":"`+tc.kind+`","call":"getToken","count":1}`)
		if status, _, code := m.tokens(t, sandboxmarket.ClientSecret, refresh); status != tc.status || code != tc.code {
			t.Errorf("%s: %d %s, want %d %s", tc.kind, status, code, tc.status, tc.code)
		}
		if status, _, code := m.tokens(t, sandboxmarket.ClientSecret, refresh); status != http.StatusOK {
			t.Errorf("after %s: %d %s", tc.kind, status, code)
		}
	}
}

func TestFaults_AreSwitchedOffByRoute(t *testing.T) {
	t.Parallel()
	m := setup(t)
	for _, kind := range []string{"slow", "error", "lost"} {
		m.mustPost(t, "/sandbox/faults", `{"kind":"`+kind+`"}`)
	}
	remove := func(path string, want ...string) {
		t.Helper()
		_, body := m.call(t, "x", http.MethodDelete, path, "")
		got := strings.Count(body, `"kind"`)
		for _, kind := range want {
			if !strings.Contains(body, `"kind":"`+kind+`"`) {
				got = -1
			}
		}
		if got != len(want) {
			t.Errorf("DELETE %s: %s, want %v", path, body, want)
		}
	}
	remove("/sandbox/faults/2", "slow", "lost")
	remove("/sandbox/faults")
	if _, body := m.get(t, "/sandbox/faults"); strings.TrimSpace(body) != `{"faults":[]}` {
		t.Errorf("faults: %s, want none", body)
	}
	for _, body := range []string{
		`{"kind":"other"}`, `{"kind":"slow","call":"none"}`, `{"kind":"slow","seconds":61}`,
		`{"kind":"slow","count":-1}`, "[",
	} {
		if status, answer := m.post(t, "/sandbox/faults", body); status != http.StatusBadRequest {
			t.Errorf("%s: %d %s, want 400", body, status, answer)
		}
	}
}

func TestFaultsPage(t *testing.T) {
	t.Parallel()
	m := setup(t)
	const none = "No fault is on"
	if _, page := m.get(t, "/faults"); !strings.Contains(page, none) || !strings.Contains(page, "publishOffer") {
		t.Errorf("the page without faults:\n%s", page)
	}
	form := url.Values{"kind": {"slow"}, "call": {"getOffer"}, "seller": {"<b>ada"}, "count": {"3"}, "seconds": {"1.5"}}
	status, page := m.submit(t, "/faults", m.url, form)
	for _, want := range []string{"&lt;b&gt;ada", "<td>getOffer</td>", "<td>3</td>", "<td>1.5</td>", "/faults/1/off"} {
		if status != http.StatusOK || !strings.Contains(page, want) {
			t.Errorf("%d: the page lacks %q:\n%s", status, want, page)
		}
	}
	if status, page := m.submit(t, "/faults/1/off", m.url, nil); status != 200 || !strings.Contains(page, none) {
		t.Errorf("switched off: %d\n%s", status, page)
	}
	form.Set("count", "many")
	if status, _ := m.submit(t, "/faults", m.url, form); status != http.StatusBadRequest {
		t.Errorf("a count that is no number: %d, want 400", status)
	}
	if status, _ := m.submit(t, "/faults", "https://evil.example", form); status != http.StatusForbidden {
		t.Errorf("form of another origin: %d, want 403", status)
	}
}
