package processtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/sandboxmarket"
	"github.com/cardvault/cardvault/internal/sandboxmarket/markettest"
	"github.com/cardvault/cardvault/internal/tracing/tracingtest"
)

// buyerName is what the service must not write anywhere.
const buyerName = "buyer-bea-4711"

// ebayStandIn is the sandbox marketplace as eBay. It keeps the secrets that pass through it.
type ebayStandIn struct {
	t       *testing.T
	url     string
	mu      sync.Mutex
	secrets map[string]string // names by secret
}

func newEbayStandIn(t *testing.T) *ebayStandIn {
	t.Helper()
	m := &ebayStandIn{t: t, secrets: map[string]string{sandboxmarket.ClientSecret: "client secret"}}
	next := markettest.On(t, pgtest.New(t))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
			m.keep(token, "access token")
		}
		if r.URL.Path != wire.TokenPath {
			next.ServeHTTP(w, r)
			return
		}
		response := httptest.NewRecorder()
		next.ServeHTTP(response, r) // parses the form
		m.keep(r.FormValue("code"), "code")
		m.keep(r.FormValue("refresh_token"), "refresh token")
		var issued struct {
			Access  string `json:"access_token"`
			Refresh string `json:"refresh_token"`
		}
		if json.Unmarshal(response.Body.Bytes(), &issued) == nil {
			m.keep(issued.Access, "access token")
			m.keep(issued.Refresh, "refresh token")
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(response.Code)
		w.Write(response.Body.Bytes())
	}))
	t.Cleanup(server.Close)
	m.url = server.URL
	return m
}

func (m *ebayStandIn) keep(secret, name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if secret != "" {
		m.secrets[secret] = name
	}
}

// visit does what a visitor of the marketplace's site does.
func (m *ebayStandIn) visit(path, body string, answer any) {
	m.t.Helper()
	resp, err := http.Post(m.url+"/sandbox"+path, "application/json", strings.NewReader(body))
	if err != nil {
		m.t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(answer); err != nil || resp.StatusCode != http.StatusOK {
		m.t.Fatalf("%s: %s, %v", path, resp.Status, err)
	}
}

// connect connects an account with the command line, as an operator does.
func (m *ebayStandIn) connect(s settings, account string) {
	m.t.Helper()
	var begun struct{ URL string }
	s.read(m.t, &begun, "marketplace", "connect", "--account", account, "--site", "EBAY_US")
	browser := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := browser.PostForm(begun.URL, url.Values{"seller": {"ada"}, "answer": {"agree"}})
	if err != nil {
		m.t.Fatal(err)
	}
	resp.Body.Close()
	var connected struct{ State string }
	s.read(m.t, &connected, "marketplace", "connect", "--account", account, "--answer", resp.Header.Get("Location"))
	if connected.State != "connected" {
		m.t.Fatalf("the account is %q", connected.State)
	}
}

// wantAbsent checks that a text has none of the secrets and no buyer.
func (m *ebayStandIn) wantAbsent(where, text string) {
	m.t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	if text == "" {
		m.t.Errorf("%s is empty", where)
	}
	if strings.Contains(text, buyerName) {
		m.t.Errorf("%s has the name of the buyer", where)
	}
	for secret, name := range m.secrets {
		if strings.Contains(text, secret) || strings.Contains(text, url.QueryEscape(secret)) {
			m.t.Errorf("%s has the %s", where, name)
		}
	}
}

// ready creates a card that can be published.
func (c *client) ready() (cardID string) {
	c.t.Helper()
	var made struct{ Data []struct{ ID string } }
	c.do("POST", "/cards", `{"cards":[{"identification":{"title":"Ember Fox","condition":"NM","game":"pokemon"},
		"pricing":{"asking_price":{"amount":1250,"currency":"USD"}}}]}`, http.StatusCreated, &made)
	cardID = made.Data[0].ID
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, image.NewGray(image.Rect(0, 0, 600, 840)), nil); err != nil {
		c.t.Fatal(err)
	}
	got, err := c.try("PUT", "/cards/"+cardID+"/photos/front", photo.String(), "Content-Type", "image/jpeg")
	if err != nil || got.status != http.StatusOK {
		c.t.Fatalf("photo: %d %s, %v", got.status, got.body, err)
	}
	return cardID
}

// A card is published on eBay, sold and refunded by processes of which one is killed, until the seller revokes the
// consent. Neither their logs, at the level debug, nor their traces, events and responses have tokens, secrets or the
// name of the buyer.
func TestEbay_WritesNoSecrets(t *testing.T) {
	t.Parallel()
	collector, market := tracingtest.NewCollector(t), newEbayStandIn(t)
	s := newSettings(t, pgtest.URL(t)).with("CARDVAULT_EBAY_CLIENT_ID", sandboxmarket.ClientID,
		"CARDVAULT_EBAY_CLIENT_SECRET", sandboxmarket.ClientSecret, "CARDVAULT_EBAY_ENVIRONMENT", market.url,
		"CARDVAULT_EBAY_REDIRECT", "https://vault.example/settings/marketplaces/ebay/callback",
		"CARDVAULT_MARKET_POLL", "200ms", "CARDVAULT_LOG_LEVEL", "debug",
		"OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL, "OTEL_TRACES_SAMPLER", "always_on",
		"OTEL_BSP_SCHEDULE_DELAY", "10")
	owner := s.account(t)
	market.connect(s, owner.id)

	first := s.serve(t)
	c := owner.at(first)
	var listing struct{ ID, Status string }
	var faulty struct{ Kind string }
	market.visit("/faults", `{"kind":"lost","call":"createImageFromFile","count":1}`, &faulty)
	c.do("POST", "/listings/"+c.ready()+"/publish", `{}`, http.StatusAccepted, nil) // stays live, so that polls go on
	c.do("POST", "/listings/"+c.ready()+"/publish", `{}`, http.StatusAccepted, &listing)
	eventually(t, "the listing is live", func() bool {
		c.do("GET", "/listings/"+listing.ID, "", http.StatusOK, &listing)
		return listing.Status == "live"
	})
	first.kill()

	second := s.serve(t)
	c = owner.at(second)
	var sale struct {
		OrderID string `json:"order_id"`
	}
	market.visit("/listings/"+listing.ID+"/buy", `{"buyer":"`+buyerName+`","delivery":400}`, &sale)
	// The killed process may have claimed the poll.
	eventuallyWithin(t, takeoverTime, "the listing is sold", func() bool {
		c.do("GET", "/listings/"+listing.ID, "", http.StatusOK, &listing)
		return listing.Status == "sold"
	})
	market.visit("/orders/"+sale.OrderID+"/refund", "", new(any))
	var sales answer
	eventually(t, "the sale is refunded", func() bool {
		sales = c.do("GET", "/sales?status=refunded", "", http.StatusOK, nil)
		return bytes.Contains(sales.body, []byte(sale.OrderID))
	})
	market.visit("/sellers/ada/revoke", "", new(any))
	var status struct{ State string }
	eventually(t, "the connection has ended", func() bool {
		s.read(t, &status, "marketplace", "status", "--account", owner.id)
		return status.State == "revoked"
	})
	listings := c.do("GET", "/listings", "", http.StatusOK, nil)
	events := fmt.Sprint(c.events())
	second.signal(syscall.SIGTERM)
	if code := second.end(drainTime); code != 0 {
		t.Errorf("exit code %d", code)
	}
	spans, err := json.Marshal(collector.All())
	if err != nil || !bytes.Contains(spans, []byte(wire.CreateImagePath)) {
		t.Errorf("the traces do not have the calls of eBay, %v", err)
	}
	if len(market.secrets) < 4 { // of the client, the consent and two kinds of tokens
		t.Errorf("only %d secrets were seen", len(market.secrets))
	}
	for where, text := range map[string]string{
		"the log of the first process": first.log.String(), "the log of the second process": second.log.String(),
		"the traces": string(spans), "the events": events, "the sales": string(sales.body),
		"the listings": string(listings.body),
	} {
		market.wantAbsent(where, text)
	}
}
