package sandboxmarket_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/sandboxmarket"
	"github.com/cardvault/cardvault/internal/sandboxmarket/markettest"
)

const appURL = "https://app.example/callback?from=market"

// consentPath returns the address of the consent page for scopes.
func consentPath(scopes ...string) string {
	return wire.ConsentPath + "?" + url.Values{
		"client_id": {sandboxmarket.ClientID}, "redirect_uri": {appURL}, "response_type": {"code"},
		"scope": {strings.Join(scopes, " ")}, "state": {"a state"},
	}.Encode()
}

// answer submits the form of the consent page and returns the query with which the application is called.
func (m *market) answer(t *testing.T, path string, form url.Values) url.Values {
	t.Helper()
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.PostForm(m.url+path, form)
	if err != nil {
		t.Fatal(err)
	}
	body := readBody(t, resp)
	target, err := resp.Location()
	if err != nil || target.Host != "app.example" {
		t.Fatalf("consent: %d, redirect to %v, %v: %s", resp.StatusCode, target, err, body)
	}
	return target.Query()
}

// tokens calls the token endpoint.
func (m *market) tokens(t *testing.T, secret string, form url.Values) (status int, token wire.Token, code string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, m.url+wire.TokenPath,
		strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.SetBasicAuth(sandboxmarket.ClientID, secret)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	var body struct {
		wire.Token
		wire.TokenError
	}
	data := readBody(t, resp)
	if err := json.Unmarshal([]byte(data), &body); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return resp.StatusCode, body.Token, body.Code
}

// connect gives a seller's consent and returns the tokens.
func (m *market) connect(t *testing.T, seller string, scopes ...string) wire.Token {
	t.Helper()
	query := m.answer(t, consentPath(scopes...), url.Values{"seller": {seller}, "answer": {"agree"}})
	status, token, code := m.tokens(t, sandboxmarket.ClientSecret, url.Values{
		"grant_type": {wire.GrantCode}, "code": {query.Get("code")}, "redirect_uri": {appURL}})
	if status != http.StatusOK {
		t.Fatalf("code for tokens: %d %s", status, code)
	}
	return token
}

// call makes a call and returns the status and the body of the response.
func (m *market) call(t *testing.T, token, method, path, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, m.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Content-Language", "en-US")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, readBody(t, resp)
}

func TestConsent_IssuesTokens(t *testing.T) {
	t.Parallel()
	m := setup(t)
	path := consentPath(wire.ScopeInventory, wire.ScopeFulfillment)
	resp, page := m.get(t, path)
	if !strings.Contains(page, wire.ScopeFulfillment) || !strings.Contains(page, sandboxmarket.ClientID) {
		t.Errorf("the page does not say who asks for what:\n%s", page)
	}
	if csp := resp.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "'self' https://app.example;") {
		t.Errorf("Content-Security-Policy %q does not allow the redirect", csp)
	}
	query := m.answer(t, path, url.Values{"seller": {"ada"}, "answer": {"agree"}})
	if query.Get("state") != "a state" || query.Get("from") != "market" || query.Get("expires_in") != "299" {
		t.Errorf("the application is called with %v", query)
	}
	exchange := url.Values{"grant_type": {wire.GrantCode}, "code": {query.Get("code")}, "redirect_uri": {appURL}}
	status, token, _ := m.tokens(t, sandboxmarket.ClientSecret, exchange)
	if status != http.StatusOK || token.ExpiresIn != 7200 || token.RefreshTokenExpiresIn < 46_000_000 ||
		token.TokenType != "User Access Token" {
		t.Errorf("tokens: %d %+v", status, token)
	}
	if status, _, code := m.tokens(t, sandboxmarket.ClientSecret, exchange); status != 400 || code != "invalid_grant" {
		t.Errorf("the code again: %d %s, want 400 invalid_grant", status, code)
	}
	refresh := url.Values{"grant_type": {wire.GrantRefresh}, "refresh_token": {token.RefreshToken}}
	status, second, _ := m.tokens(t, sandboxmarket.ClientSecret, refresh)
	if status != http.StatusOK || second.RefreshToken != "" || second.AccessToken == token.AccessToken {
		t.Errorf("refresh: %d %+v", status, second)
	}
	o := newOffer()
	m.seller = m.as(t, "ada")
	publish(t, m, o)
	for _, access := range []string{token.AccessToken, second.AccessToken} {
		status, body := m.call(t, access, "GET", wire.InventoryPath+"/offer?sku="+wire.SKU(o.ListingID), "")
		if status != http.StatusOK {
			t.Errorf("the seller's offer: %d %s", status, body)
		}
	}
}

func TestConsent_Declined(t *testing.T) {
	t.Parallel()
	m := setup(t)
	query := m.answer(t, consentPath(wire.ScopeInventory), url.Values{"answer": {"decline"}})
	if query.Get("error") != "access_denied" || query.Get("state") != "a state" || query.Has("code") {
		t.Errorf("the application is called with %v, want access_denied", query)
	}
}

func TestConsent_RefusesRequests(t *testing.T) {
	t.Parallel()
	m := setup(t)
	for name, change := range map[string][2]string{
		"other application": {"client_id", "other"}, "implicit": {"response_type", "token"},
		"script": {"redirect_uri", "javascript:alert(1)"}, "scope": {"scope", "<b>everything"},
		"no scope": {"scope", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, query, _ := strings.Cut(consentPath(wire.ScopeInventory), "?")
			values, _ := url.ParseQuery(query)
			values.Set(change[0], change[1])
			resp, page := m.get(t, path+"?"+values.Encode())
			if resp.StatusCode != 400 || strings.Contains(page, "<form") || strings.Contains(page, "<b>") {
				t.Errorf("status %d, want 400 without a form:\n%s", resp.StatusCode, page)
			}
		})
	}
	for name, form := range map[string]url.Values{
		"no seller": {"answer": {"agree"}}, "long name": {"answer": {"agree"}, "seller": {strings.Repeat("x", 65)}},
	} {
		if status, _ := m.submit(t, consentPath(wire.ScopeInventory), m.url, form); status != http.StatusBadRequest {
			t.Errorf("%s: status %d, want 400", name, status)
		}
	}
	form := url.Values{"answer": {"agree"}, "seller": {"ada"}}
	status, _ := m.submit(t, consentPath(wire.ScopeInventory), "https://evil.example", form)
	if status != http.StatusForbidden {
		t.Errorf("form of another origin: status %d, want 403", status)
	}
}

func TestToken_Refusals(t *testing.T) {
	t.Parallel()
	m := setup(t)
	token := m.connect(t, "ada", wire.ScopeInventory)
	code := m.answer(t, consentPath(wire.ScopeInventory), url.Values{"seller": {"a"}, "answer": {"agree"}}).Get("code")
	for name, tc := range map[string]struct {
		secret string
		form   url.Values
		status int
		code   string
	}{
		"secret": {"wrong", url.Values{"grant_type": {wire.GrantRefresh}, "refresh_token": {token.RefreshToken}},
			401, wire.InvalidClient},
		"grant type":       {"", url.Values{"grant_type": {"password"}}, 400, wire.UnsupportedGrantType},
		"no refresh token": {"", url.Values{"grant_type": {wire.GrantRefresh}}, 400, wire.InvalidRequest},
		"no code":          {"", url.Values{"grant_type": {wire.GrantCode}}, 400, wire.InvalidRequest},
		"unknown token": {"", url.Values{"grant_type": {wire.GrantRefresh}, "refresh_token": {"v^1.1#x"}},
			400, wire.InvalidGrant},
		"other address": {"", url.Values{"grant_type": {wire.GrantCode}, "code": {code},
			"redirect_uri": {"https://evil.example"}}, 400, wire.InvalidGrant},
		"more scopes": {"", url.Values{"grant_type": {wire.GrantRefresh}, "refresh_token": {token.RefreshToken},
			"scope": {wire.ScopeAccount}}, 400, wire.InvalidScope},
		"application's scopes": {"", url.Values{"grant_type": {wire.GrantApplication}, "scope": {wire.ScopeAccount}},
			400, wire.InvalidScope},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tc.secret == "" {
				tc.secret = sandboxmarket.ClientSecret
			}
			status, _, code := m.tokens(t, tc.secret, tc.form)
			if status != tc.status || code != tc.code {
				t.Errorf("%d %s, want %d %s", status, code, tc.status, tc.code)
			}
		})
	}
}

func TestToken_Ends(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		end       func(t *testing.T, m *market)
		refreshed bool // the refresh token still works
	}{
		"revoked": {func(t *testing.T, m *market) { m.mustPost(t, "/sandbox/sellers/ada/revoke", "") }, false},
		"access expired": {func(t *testing.T, m *market) {
			m.mustExec(t, "UPDATE market.access_tokens SET expires_at = now() - interval '1 second'")
		}, true},
		"refresh expired": {func(t *testing.T, m *market) {
			m.mustExec(t, "UPDATE market.access_tokens SET expires_at = now() - interval '1 second'")
			m.mustExec(t, "UPDATE market.grants SET refresh_expires_at = now() - interval '1 second'")
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := setup(t)
			token, other := m.connect(t, "ada", wire.ScopeInventory), m.connect(t, "ben", wire.ScopeInventory)
			tc.end(t, m)
			status, body := m.call(t, token.AccessToken, "GET", wire.InventoryPath+"/offer?sku=x", "")
			if status != http.StatusUnauthorized || !strings.Contains(body, `"errorId":1001`) {
				t.Errorf("call: %d %s, want 401 with error 1001", status, body)
			}
			refresh := url.Values{"grant_type": {wire.GrantRefresh}, "refresh_token": {token.RefreshToken}}
			status, fresh, code := m.tokens(t, sandboxmarket.ClientSecret, refresh)
			if tc.refreshed != (status == http.StatusOK) || !tc.refreshed && code != wire.InvalidGrant {
				t.Errorf("refresh: %d %s %+v", status, code, fresh)
			}
			if name == "revoked" {
				status, body := m.call(t, other.AccessToken, "GET", wire.InventoryPath+"/offer?sku=x", "")
				if status != http.StatusNotFound {
					t.Errorf("the other seller's call: %d %s", status, body)
				}
			}
		})
	}
}

func TestToken_LimitsCallsByScope(t *testing.T) {
	t.Parallel()
	m := setup(t)
	reader := m.connect(t, "ada", wire.ScopeInventory+wire.ReadOnly)
	_, app, _ := m.tokens(t, sandboxmarket.ClientSecret,
		url.Values{"grant_type": {wire.GrantApplication}, "scope": {wire.ScopeBase}})
	for name, tc := range map[string]struct {
		token, method, path, body string
		status                    int
	}{
		"reads":              {reader.AccessToken, "GET", wire.InventoryPath + "/offer?sku=x", "", 404},
		"writes":             {reader.AccessToken, "PUT", wire.InventoryPath + "/inventory_item/x", "{}", 403},
		"another API":        {reader.AccessToken, "GET", wire.FulfillmentPath + "/order", "", 403},
		"application's":      {app.AccessToken, "GET", wire.FulfillmentPath + "/order", "", 403},
		"name of the seller": {"ada", "GET", wire.FulfillmentPath + "/order", "", 200},
	} {
		status, body := m.call(t, tc.token, tc.method, tc.path, tc.body)
		if status != tc.status || status == 403 && !strings.Contains(body, `"errorId":1100`) {
			t.Errorf("%s: %d %s, want %d", name, status, body, tc.status)
		}
	}
}

// The scopes of the calls are those of eBay's contracts, and the names are its operationIds.
func TestCalls_ConformToContracts(t *testing.T) {
	t.Parallel()
	contracts := markettest.All(t)
	for _, call := range sandboxmarket.Operations() {
		req, err := http.NewRequest(call.Method, call.Path, nil)
		if err != nil {
			t.Fatal(err)
		}
		name, scopes := contracts.Operation(req)
		slices.Sort(scopes)
		got := slices.Sorted(slices.Values(call.Scopes))
		if diff := cmp.Diff(scopes, got); name != call.Name || diff != "" {
			t.Errorf("%s %s is %q, want %q; scopes (-want +got):\n%s", call.Method, call.Path, name, call.Name, diff)
		}
	}
}
