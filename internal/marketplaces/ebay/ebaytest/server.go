// Package ebaytest provides tests with a server that stands in for eBay: the sandbox marketplace for listings and
// orders, and in front of it OAuth, business policies and locations as eBay has them. It checks every request and every
// response against eBay's published contracts. Only tests import it.
package ebaytest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/sandboxmarket/markettest"
)

// The keyset of the server.
const (
	ClientID     = "CardVaul-test-PRD-1"
	ClientSecret = "client-secret"
	Redirect     = "CardVault-RuName"
)

// Server stands in for eBay. All sellers have the same policies and locations.
type Server struct {
	URL string

	mu        sync.Mutex
	issued    int
	access    map[string]string // the sellers, by the access tokens that are valid
	refresh   map[string]string // the sellers, by the refresh tokens that are valid
	codes     map[string]string // the sellers, by the codes that were not used
	refreshes int
	requests  []string // method and path
	locations []wire.Location
	policies  int // per kind
	fail      func(w http.ResponseWriter, r *http.Request) bool
	back      string // where the page of consent leads
}

// New starts a server with a location and one policy per kind. The database must be migrated.
func New(t testing.TB, db *postgres.DB) *Server {
	t.Helper()
	s := &Server{
		access: map[string]string{}, refresh: map[string]string{}, codes: map[string]string{}, policies: 1,
		locations: []wire.Location{
			{MerchantLocationKey: "closed", MerchantLocationStatus: "DISABLED"},
			{MerchantLocationKey: "home", MerchantLocationStatus: wire.LocationEnabled, Name: "Home"},
		},
	}
	market := markettest.Unchecked(t, db)
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+wire.ConsentPath, s.consent)
	mux.HandleFunc("POST "+wire.TokenPath, s.token)
	mux.Handle("GET "+wire.InventoryPath+"/location", s.authorized(s.getLocations))
	mux.Handle("POST "+wire.InventoryPath+"/location/{key}", s.authorized(s.createLocation))
	for _, kind := range []string{"fulfillment", "payment", "return"} {
		mux.Handle("GET "+wire.AccountPath+"/"+kind+"_policy", s.authorized(s.getPolicies(kind)))
	}
	mux.Handle("/sell/", s.authorized(s.withSandboxSetup(market)))
	mux.Handle(wire.MediaPath+"/", s.authorized(market.ServeHTTP))
	mux.Handle("/images/", market)
	mux.Handle("/sandbox/", market)
	server := httptest.NewServer(s.recorded(markettest.Validate(t, mux, nil)))
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// recorded records the requests and lets the test answer them.
func (s *Server) recorded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests = append(s.requests, r.Method+" "+r.URL.Path)
		fail := s.fail
		s.mu.Unlock()
		if fail == nil || !fail(w, r) {
			next.ServeHTTP(w, r)
		}
	})
}

// Fail sets a function that answers requests in place of the server. It returns false for those that the server
// answers.
func (s *Server) Fail(f func(w http.ResponseWriter, r *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = f
}

// Requests returns the requests since the last call, such as "GET /sell/inventory/v1/offer".
func (s *Server) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.requests
	s.requests = nil
	return list
}

// Refreshes returns how often an access token was refreshed.
func (s *Server) Refreshes() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refreshes
}

// Code returns a code with which a new seller consented.
func (s *Server) Code() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.issued++
	code := fmt.Sprintf("v^1.1#i^1#code-%d+/=", s.issued)
	s.codes[code] = fmt.Sprintf("seller-%d", s.issued)
	return code
}

// SendBack sets the address to which the page of consent sends a browser. At eBay, it belongs to Redirect.
func (s *Server) SendBack(address string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.back = address
}

// consent shows the page at which a new seller consents or does not.
func (s *Server) consent(w http.ResponseWriter, r *http.Request) {
	answer := func(name, value string) string {
		s.mu.Lock()
		defer s.mu.Unlock()
		query := url.Values{name: {value}, "state": {r.FormValue("state")}}
		return html.EscapeString(s.back + "?" + query.Encode())
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><title>Consent</title><link rel="icon" href="data:,">`+
		`<main><a href="%s">Agree and continue</a> <a href="%s">Cancel</a></main>`,
		answer("code", s.Code()), answer("error", "access_denied"))
}

// ExpireAccess makes all access tokens invalid.
func (s *Server) ExpireAccess() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.access)
}

// Revoke makes all tokens invalid, as a seller does who revokes the consent.
func (s *Server) Revoke() {
	s.ExpireAccess()
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.refresh)
}

// SetPolicies sets the number of policies per kind and the locations.
func (s *Server) SetPolicies(n int, locations ...wire.Location) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.policies, s.locations = n, append([]wire.Location{}, locations...)
}

// token implements the token endpoint.
func (s *Server) token(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, secret, ok := r.BasicAuth()
	if !ok || id != ClientID || secret != ClientSecret {
		writeJSON(w, http.StatusUnauthorized, map[string]string{"error": "invalid_client"})
		return
	}
	seller := ""
	answer := map[string]any{"expires_in": 7200, "token_type": "User Access Token"}
	switch r.FormValue("grant_type") {
	case "authorization_code":
		code := r.FormValue("code")
		if seller = s.codes[code]; seller == "" || r.FormValue("redirect_uri") != Redirect {
			refuseGrant(w, code)
			return
		}
		delete(s.codes, code)
		s.issued++
		refresh := fmt.Sprintf("refresh-token-%d", s.issued)
		s.refresh[refresh] = seller
		answer["refresh_token"], answer["refresh_token_expires_in"] = refresh, 47304000
	case "refresh_token":
		s.refreshes++
		refresh := r.FormValue("refresh_token")
		if seller = s.refresh[refresh]; seller == "" {
			refuseGrant(w, refresh)
			return
		}
	default:
		writeJSON(w, http.StatusBadRequest, map[string]string{"error": "unsupported_grant_type"})
		return
	}
	s.issued++
	access := fmt.Sprintf("access-token-%d", s.issued)
	s.access[access] = seller
	answer["access_token"] = access
	writeJSON(w, http.StatusOK, answer)
}

// refuseGrant refuses a code or a token. The answer contains it, so that tests notice where it gets to.
func refuseGrant(w http.ResponseWriter, grant string) {
	writeJSON(w, http.StatusBadRequest, wire.TokenError{Code: wire.InvalidGrant, Description: grant})
}

// authorized passes requests with a valid access token to next, with the seller's name in place of the token, which is
// how the sandbox marketplace knows sellers.
func (s *Server) authorized(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		s.mu.Lock()
		seller := s.access[token]
		s.mu.Unlock()
		if seller == "" {
			writeJSON(w, http.StatusUnauthorized, wire.ErrorBody{Errors: []wire.Error{{
				ErrorID: wire.InvalidToken, Domain: "OAuth", Category: "REQUEST", Message: "Invalid access token",
			}}})
			return
		}
		r.Header.Set("Authorization", "Bearer "+seller)
		next(w, r)
	})
}

// withSandboxSetup replaces the seller's location and policies in offers by the sandbox marketplace's own. It keeps
// others, which the sandbox marketplace refuses.
func (s *Server) withSandboxSetup(market http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var one wire.NewOffer
		var many wire.BulkOffers
		var body any
		path, ok := strings.CutPrefix(r.URL.Path, wire.InventoryPath+"/offer")
		switch {
		case r.URL.Path == wire.InventoryPath+"/bulk_create_offer":
			body = &many
		case ok && (r.Method == http.MethodPost || r.Method == http.MethodPut) && strings.Count(path, "/") < 2:
			body = &one
		default:
			market.ServeHTTP(w, r)
			return
		}
		if err := json.NewDecoder(r.Body).Decode(body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		s.replaceSetup(&one.OfferTerms)
		for i := range many.Requests {
			s.replaceSetup(&many.Requests[i].OfferTerms)
		}
		data, err := json.Marshal(body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(data)), int64(len(data))
		market.ServeHTTP(w, r)
	}
}

func (s *Server) replaceSetup(terms *wire.OfferTerms) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, location := range s.locations {
		if location.MerchantLocationKey == terms.MerchantLocationKey &&
			location.MerchantLocationStatus == wire.LocationEnabled {
			terms.MerchantLocationKey = "sandbox"
		}
	}
	for kind, id := range map[string]*string{
		"fulfillment": &terms.ListingPolicies.FulfillmentPolicyID,
		"payment":     &terms.ListingPolicies.PaymentPolicyID, "return": &terms.ListingPolicies.ReturnPolicyID,
	} {
		var number int
		name, _ := strings.CutPrefix(*id, kind+"-EBAY_")
		if _, err := fmt.Sscanf(name[min(len(name), 2):], "-%d", &number); err == nil && number <= s.policies {
			*id = "1"
		}
	}
}

func (s *Server) getLocations(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	writeJSON(w, http.StatusOK, wire.Locations{Total: len(s.locations), Locations: s.locations})
}

func (s *Server) createLocation(w http.ResponseWriter, r *http.Request) {
	var made wire.NewLocation
	if err := json.NewDecoder(r.Body).Decode(&made); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, location := range s.locations {
		if location.MerchantLocationKey == r.PathValue("key") {
			writeJSON(w, http.StatusBadRequest, wire.ErrorBody{Errors: []wire.Error{{
				ErrorID: wire.LocationExists, Domain: "API_INVENTORY", Category: "REQUEST",
				Message: "merchantLocationKey already exists.",
			}}})
			return
		}
	}
	s.locations = append(s.locations, wire.Location{
		MerchantLocationKey: r.PathValue("key"), MerchantLocationStatus: made.Status, Name: made.Name,
		LocationTypes: made.Types, Location: made.Location,
	})
	w.WriteHeader(http.StatusNoContent)
}

// getPolicies lists policies "fulfillment-EBAY_US-1", and one for vehicles.
func (s *Server) getPolicies(kind string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		site := r.URL.Query().Get("marketplace_id")
		list := []map[string]any{}
		for i := range s.policies + 1 {
			types, name := wire.CategoryTypeCards, fmt.Sprintf("%s-%s-%d", kind, site, i)
			if i == 0 {
				types = "MOTORS_VEHICLES"
			}
			list = append(list, map[string]any{
				kind + "PolicyId": name, "name": name, "marketplaceId": site,
				"categoryTypes": []map[string]any{{"name": types}},
			})
		}
		writeJSON(w, http.StatusOK, map[string]any{kind + "Policies": list, "total": len(list)})
	}
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}
