package ebay

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/keyring"
	"github.com/cardvault/cardvault/internal/marketplaces/callbudget"
	"github.com/cardvault/cardvault/internal/marketplaces/connections"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/ebayapi"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/ebaytest"
	"github.com/cardvault/cardvault/internal/marketplaces/marketplacetest"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// shop is eBay as an installation uses it, at a server that stands in for it.
type shop struct {
	*Market
	t      *testing.T
	db     *postgres.DB
	server *ebaytest.Server
	env    Environment
	calls  int // that an account may make in a day
}

func setup(t *testing.T) *shop {
	t.Helper()
	s := &shop{t: t, db: pgtest.New(t), calls: 10_000}
	s.server = ebaytest.New(t, s.db)
	var err error
	if s.env, err = ParseEnvironment(s.server.URL); err != nil {
		t.Fatal(err)
	}
	s.Market = s.process()
	return s
}

var credentials = Credentials{
	ClientID: ebaytest.ClientID, ClientSecret: ebaytest.ClientSecret, Redirect: ebaytest.Redirect,
}

// process returns the market of another process.
func (s *shop) process() *Market {
	s.t.Helper()
	keys, err := keyring.New(make([]byte, keyring.KeySize))
	if err != nil {
		s.t.Fatal(err)
	}
	connected := connections.New(s.db, keys, NewProvider(s.env, credentials), idle{})
	return New(s.env, connected, callbudget.New(s.db, Name, s.calls))
}

// idle are the listings of accounts without listings.
type idle struct{}

func (idle) OpenOn(context.Context, postgres.Querier, string, string) (bool, error) {
	return false, nil
}
func (idle) SampleOn(context.Context, postgres.Querier, string, string, int) ([]string, error) {
	return nil, nil
}
func (idle) Resume(context.Context, *postgres.Tx, string, string) error { return nil }

// connect connects an account to a site and chooses the defaults.
func (s *shop) connect(account, site string) {
	s.t.Helper()
	if err := s.begin(account, site); err != nil {
		s.t.Fatal(err)
	}
	if _, err := s.useDefaults(s.t.Context(), account); err != nil {
		s.t.Fatal(err)
	}
}

// begin connects an account to a site.
func (s *shop) begin(account, site string) error {
	s.t.Helper()
	address, err := s.connections.Begin(s.t.Context(), account, site)
	if err != nil {
		return err
	}
	consent, err := url.Parse(address)
	if err != nil {
		return err
	}
	_, err = s.connections.Complete(s.t.Context(), account, url.Values{
		"state": {consent.Query().Get("state")}, "code": {s.server.Code()}, "expires_in": {"299"},
	})
	return err
}

// visit performs an action on the site of the stand-in: "buy" or "end".
func (s *shop) visit(act string) func(t *testing.T, listingID string) {
	return func(t *testing.T, listingID string) {
		resp, err := http.Post(s.server.URL+"/sandbox/listings/"+listingID+"/"+act, "application/json", nil)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatal(resp, err)
		}
		resp.Body.Close()
	}
}

// Every request and response of the suite is checked against eBay's contracts.
func TestMarket_Conformance(t *testing.T) {
	t.Parallel()
	s := setup(t)
	marketplacetest.Run(t, func(t *testing.T) marketplacetest.Subject {
		s.connect(t.Name(), "EBAY_US")
		return marketplacetest.Subject{
			Marketplace: s.Seller(t.Name()), Limits: ebayapi.Limits, Buy: s.visit("buy"), EndThere: s.visit("end"),
		}
	})
}

// wantNoSecrets checks that an error, printed with its whole chain, contains no secret.
func wantNoSecrets(t *testing.T, err error) {
	t.Helper()
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Error("failed", "error", err)
	for ; err != nil; err = errors.Unwrap(err) {
		log.WriteString(err.Error())
	}
	for _, secret := range []string{"access-token", "refresh-token", "code-", ebaytest.ClientSecret} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("the error contains %q: %s", secret, log.String())
		}
	}
}
