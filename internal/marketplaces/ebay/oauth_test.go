package ebay

import (
	"errors"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces/connections"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/ebaytest"
	"github.com/cardvault/cardvault/internal/marketplaces/marketplacetest"
)

func TestProvider_ConsentURL(t *testing.T) {
	t.Parallel()
	for name, host := range map[string]string{
		Production: "auth.ebay.com", Sandbox: "auth.sandbox.ebay.com", "http://localhost:8081/": "localhost:8081",
	} {
		env, err := ParseEnvironment(name)
		if err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse(NewProvider(env, credentials).ConsentURL("the-state"))
		if err != nil || u.Host != host || u.Path != "/oauth2/authorize" {
			t.Errorf("%s: got %v, %v", name, u, err)
		}
		want := url.Values{
			"client_id": {ebaytest.ClientID}, "redirect_uri": {ebaytest.Redirect}, "response_type": {"code"},
			"state": {"the-state"}, "scope": {"https://api.ebay.com/oauth/api_scope/sell.inventory " +
				"https://api.ebay.com/oauth/api_scope/sell.account.readonly " +
				"https://api.ebay.com/oauth/api_scope/sell.fulfillment"},
		}
		if diff := cmp.Diff(want, u.Query()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestProvider_Tokens(t *testing.T) {
	t.Parallel()
	s := setup(t)
	p := NewProvider(s.env, credentials)
	got, err := p.Exchange(t.Context(), s.server.Code())
	if err != nil {
		t.Fatal(err)
	}
	want := connections.Tokens{
		Access: "access-token-3", AccessLife: 2 * time.Hour,
		Refresh: "refresh-token-2", RefreshLife: 47304000 * time.Second,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Exchange (-want +got):\n%s", diff)
	}
	fresh, err := p.Refresh(t.Context(), got.Refresh)
	want = connections.Tokens{Access: "access-token-4", AccessLife: 2 * time.Hour}
	if diff := cmp.Diff(want, fresh); diff != "" || err != nil {
		t.Errorf("Refresh: %v (-want +got):\n%s", err, diff)
	}
	if _, err := p.Exchange(t.Context(), "code-guessed"); !errors.Is(err, connections.ErrInvalidGrant) {
		t.Errorf("Exchange of an unknown code: got %v", err)
	}
	s.server.Revoke()
	_, err = p.Refresh(t.Context(), got.Refresh)
	if !errors.Is(err, connections.ErrInvalidGrant) {
		t.Errorf("Refresh after the consent was revoked: got %v", err)
	}
	wantNoSecrets(t, err)
}

const wrongKeyset = `{"error":"invalid_client"}`

func TestProvider_Failures(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for name, answer := range map[string]func(w http.ResponseWriter){
		"down":           func(w http.ResponseWriter) { w.WriteHeader(http.StatusServiceUnavailable) },
		"wrong keyset":   func(w http.ResponseWriter) { w.WriteHeader(401); w.Write([]byte(wrongKeyset)) },
		"not JSON":       func(w http.ResponseWriter) { w.Write([]byte(`refresh-token-1`)) },
		"no token":       func(w http.ResponseWriter) { w.Write([]byte(`{"token_type":"refresh-token-1"}`)) },
		"broken off":     func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
		"echoes a token": func(w http.ResponseWriter) { w.WriteHeader(400); w.Write([]byte(`refresh-token-1`)) },
	} {
		s.server.Fail(func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Content-Type", "application/json")
			answer(w)
			return true
		})
		_, err := NewProvider(s.env, credentials).Refresh(t.Context(), "refresh-token-1")
		if !fault.Is(err, fault.UpstreamError) || errors.Is(err, connections.ErrInvalidGrant) {
			t.Errorf("%s: got %v, want an error that can be retried", name, err)
		}
		wantNoSecrets(t, err)
	}
}

func TestParseEnvironment_Refuses(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "test", "ftp://localhost", "http://", "https://a:b@host", "http://h?a=b"} {
		if _, err := ParseEnvironment(name); err == nil {
			t.Errorf("ParseEnvironment(%q): no error", name)
		}
	}
}

// A seller has the listings that were published with the tokens of this seller, and not those of another.
func TestProvider_HasAny(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.connect(account, "EBAY_US")
	o, unknown := marketplacetest.Offer(), marketplacetest.Offer().ListingID
	if _, err := marketplacetest.Publish(t.Context(), s.Seller(account), o); err != nil {
		t.Fatal(err)
	}
	p := NewProvider(s.env, credentials)
	own, err := s.connections.Token(t.Context(), account)
	if err != nil {
		t.Fatal(err)
	}
	other, err := p.Exchange(t.Context(), s.server.Code())
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		token    string
		listings []string
		want     bool
	}{
		{own, []string{unknown, o.ListingID}, true},
		{own, []string{unknown}, false},
		{other.Access, []string{unknown, o.ListingID}, false},
	} {
		got, err := p.HasAny(t.Context(), tc.token, "EBAY_US", tc.listings)
		if err != nil || got != tc.want {
			t.Errorf("HasAny(%s, %v) = %v, %v, want %v", tc.token, tc.listings, got, err, tc.want)
		}
	}
	_, err = p.HasAny(t.Context(), "access-token-forged", "EBAY_US", []string{o.ListingID})
	if err == nil {
		t.Error("HasAny with a token that eBay does not accept: no error")
	}
	wantNoSecrets(t, err)
}
