package sandboxmarket

import (
	"crypto/subtle"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// tokenError is an error response of the token endpoint, which has a format of its own.
type tokenError struct {
	status int
	body   wire.TokenError
}

// Error returns the code and the description.
func (e *tokenError) Error() string { return e.body.Code + ": " + e.body.Description }

var (
	invalidScope = &tokenError{http.StatusBadRequest, wire.TokenError{Code: wire.InvalidScope, Description: "The " +
		"requested scope is invalid, unknown, malformed, or exceeds the scope granted to the client"}}
	invalidClient = &tokenError{http.StatusUnauthorized, wire.TokenError{
		Code: wire.InvalidClient, Description: "client authentication failed"}}
	unsupportedGrant = &tokenError{http.StatusBadRequest, wire.TokenError{
		Code:        wire.UnsupportedGrantType,
		Description: "grant type in request is not supported by the authorization server"}}
	incompleteRequest = &tokenError{http.StatusBadRequest, wire.TokenError{Code: wire.InvalidRequest,
		Description: "request is missing a required parameter or malformed"}}
)

func (s *server) oauthRoutes(mux *http.ServeMux) {
	mux.HandleFunc("POST "+wire.TokenPath, s.token)
	mux.HandleFunc("GET "+wire.ConsentPath, s.askConsent)
	mux.HandleFunc("POST "+wire.ConsentPath, s.giveConsent)
	mux.HandleFunc("POST /sandbox/sellers/{seller}/revoke", s.control(s.apiRevoke))
}

// token issues tokens. The application authenticates by HTTP Basic with its identifier and its secret.
func (s *server) token(w http.ResponseWriter, r *http.Request) {
	err := s.inject(w, r, tokenCall, caller{}, func(w http.ResponseWriter) error {
		accessToken, err := s.issue(r)
		if err == nil {
			w.Header().Set("Cache-Control", "no-store")
			writeJSON(w, http.StatusOK, accessToken)
		}
		return err
	})
	var tokenErr *tokenError
	switch {
	case errors.As(err, &tokenErr):
		writeJSON(w, tokenErr.status, tokenErr.body)
	case err != nil:
		s.fail(w, r, err)
	}
}

func (s *server) issue(r *http.Request) (wire.Token, error) {
	client, secret, ok := r.BasicAuth()
	if !ok || client != ClientID || subtle.ConstantTimeCompare([]byte(secret), []byte(ClientSecret)) != 1 {
		return wire.Token{}, invalidClient
	}
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form-urlencoded") {
		return wire.Token{}, incompleteRequest
	}
	form := func(name string) string { return r.PostFormValue(name) }
	switch form("grant_type") {
	case wire.GrantCode:
		if form("code") == "" || form("redirect_uri") == "" {
			return wire.Token{}, incompleteRequest
		}
		return s.store.exchange(r.Context(), client, form("code"), form("redirect_uri"))
	case wire.GrantRefresh:
		if form("refresh_token") == "" {
			return wire.Token{}, incompleteRequest
		}
		return s.store.refresh(r.Context(), client, form("refresh_token"), form("scope"))
	case wire.GrantApplication:
		if form("scope") != wire.ScopeBase {
			return wire.Token{}, invalidScope
		}
		return s.store.application(r.Context(), client)
	}
	return wire.Token{}, unsupportedGrant
}

// consent is a valid request for a seller's consent.
type consent struct {
	Scopes   []string
	redirect *url.URL
	raw      string // redirect_uri as sent: the token endpoint must get the same
	state    string
}

// parseConsent reads the query of the consent page. On eBay, redirect_uri is a name under which the application has
// registered an address; here it is the address itself.
func parseConsent(query url.Values) (consent, error) {
	c := consent{
		Scopes: strings.Fields(query.Get("scope")), raw: query.Get("redirect_uri"), state: query.Get("state"),
	}
	redirect, err := url.Parse(c.raw)
	switch {
	case query.Get("client_id") != ClientID:
		return c, fault.New(fault.InvalidRequest, "client_id must be %s", ClientID)
	case query.Get("response_type") != "code":
		return c, fault.New(fault.InvalidRequest, "response_type must be code")
	case err != nil || redirect.Scheme != "http" && redirect.Scheme != "https" || redirect.Host == "":
		return c, fault.New(fault.InvalidRequest, "redirect_uri must be the http or https address of the application")
	case !areScopes(query.Get("scope"), scopes):
		return c, fault.New(fault.InvalidRequest, "scope must name scopes of eBay, separated by spaces")
	}
	c.redirect = redirect
	return c, nil
}

// with returns the application's address with parameters and the state.
func (c consent) with(parameters url.Values) string {
	target := *c.redirect
	query := target.Query()
	for name := range parameters {
		query.Set(name, parameters.Get(name))
	}
	if c.state != "" {
		query.Set("state", c.state)
	}
	target.RawQuery = query.Encode()
	return target.String()
}

func (s *server) askConsent(w http.ResponseWriter, r *http.Request) {
	c, err := parseConsent(r.URL.Query())
	if err != nil {
		s.renderError(w, r, err)
		return
	}
	// Browsers apply form-action to the redirect after the form too.
	policyWithTarget := strings.Replace(policy, "form-action 'self'",
		"form-action 'self' "+c.redirect.Scheme+"://"+c.redirect.Host, 1)
	s.renderWith(w, r, http.StatusOK, "consent.html", policyWithTarget, struct {
		Application string
		Scopes      []string
	}{ClientID, c.Scopes})
}

// giveConsent redirects to the application with a code, or with an error if the seller declined.
func (s *server) giveConsent(w http.ResponseWriter, r *http.Request) {
	c, err := parseConsent(r.URL.Query())
	if err != nil {
		s.renderError(w, r, err)
		return
	}
	if r.PostFormValue("answer") != "agree" {
		http.Redirect(w, r, c.with(url.Values{"error": {"access_denied"}}), http.StatusSeeOther)
		return
	}
	code, err := s.agree(r, c)
	if err != nil {
		s.renderError(w, r, err)
		return
	}
	http.Redirect(w, r, c.with(url.Values{
		"code": {code}, "expires_in": {strconv.Itoa(int(codeLife / time.Second))},
	}), http.StatusSeeOther)
}

// agree stores the consent of the seller whom the form names.
func (s *server) agree(r *http.Request, c consent) (code string, err error) {
	seller := strings.TrimSpace(r.PostFormValue("seller"))
	if seller == "" || len(seller) > maxSeller {
		return "", fault.New(fault.InvalidRequest, "the name of the seller must have 1 to %d characters", maxSeller)
	}
	g := grant{ClientID: ClientID, Seller: seller, Scopes: strings.Join(c.Scopes, " ")}
	return s.store.addGrant(r.Context(), g, c.raw)
}

const maxSeller = 64

// apiRevoke ends the consents of a seller, as a seller does in the account's settings.
func (s *server) apiRevoke(r *http.Request) (any, error) {
	count, err := s.store.revoke(r.Context(), r.PathValue("seller"))
	return struct {
		Revoked int64 `json:"revoked"`
	}{count}, err
}
