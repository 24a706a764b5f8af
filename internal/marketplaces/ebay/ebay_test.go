package ebay

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/ebayapi"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/marketplaces/marketplacetest"
)

const account = "acc_a"

func TestSites(t *testing.T) {
	t.Parallel()
	production, err := ParseEnvironment(Production)
	if err != nil {
		t.Fatal(err)
	}
	sandbox, err := ParseEnvironment(Sandbox)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, site := range wire.Sites() {
		got[site.ID] = []string{site.Language, site.Currency, production.items(site), sandbox.items(site)}
	}
	want := map[string][]string{
		"EBAY_US": {"en-US", "USD", "https://www.ebay.com/itm/", "https://www.sandbox.ebay.com/itm/"},
		"EBAY_GB": {"en-GB", "GBP", "https://www.ebay.co.uk/itm/", "https://www.sandbox.ebay.co.uk/itm/"},
		"EBAY_DE": {"de-DE", "EUR", "https://www.ebay.de/itm/", "https://www.sandbox.ebay.de/itm/"},
		"EBAY_AU": {"en-AU", "AUD", "https://www.ebay.com.au/itm/", "https://www.sandbox.ebay.com.au/itm/"},
		"EBAY_CA": {"en-CA", "CAD", "https://www.ebay.ca/itm/", "https://www.sandbox.ebay.ca/itm/"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sites (-want +got):\n%s", diff)
	}
}

func wantRefused(t *testing.T, err error, code string) {
	t.Helper()
	if refusal, ok := marketplaces.AsRefusal(err); !ok || refusal.Code != code {
		t.Errorf("got %v, want a refusal with code %s", err, code)
	}
}

func wantBroken(t *testing.T, err error, code string) {
	t.Helper()
	if broken, ok := marketplaces.AsConnectionError(err); !ok || broken.Code != code {
		t.Errorf("got %v, want a connection error with code %s", err, code)
	}
	wantNoSecrets(t, err)
}

// The offer on each site has the site's language and currency, and the seller's settings for the site.
func TestSeller_PublishesOnSite(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.connect(account, "EBAY_DE")
	o := marketplacetest.Offer()
	s.server.Requests()
	_, err := marketplacetest.Publish(t.Context(), s.Seller(account), o)
	wantRefused(t, err, marketplaces.CodeCurrency)
	_, err = marketplacetest.Revise(t.Context(), s.Seller(account), o)
	wantRefused(t, err, marketplaces.CodeCurrency)
	if sent := s.server.Requests(); len(sent) > 0 {
		t.Errorf("requests for a price in another currency: %v", sent)
	}
	o.Price.Currency = "EUR"
	var mu sync.Mutex
	var languages []string
	var offer wire.NewOffer
	s.server.Fail(func(w http.ResponseWriter, r *http.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		if r.Method != http.MethodGet && r.ContentLength > 0 {
			languages = append(languages, r.Header.Get("Content-Language"))
		}
		if !strings.HasSuffix(r.URL.Path, "/offer") || r.Method != http.MethodPost {
			return false
		}
		if err := json.NewDecoder(r.Body).Decode(&offer); err != nil {
			t.Error(err)
		}
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	})
	if _, err := marketplacetest.Publish(t.Context(), s.Seller(account), o); !fault.Is(err, fault.UpstreamError) {
		t.Errorf("Publish: got %v", err)
	}
	mu.Lock()
	defer mu.Unlock()
	if diff := cmp.Diff([]string{"de-DE", "de-DE"}, languages); diff != "" {
		t.Errorf("languages of the item and the offer (-want +got):\n%s", diff)
	}
	want := wire.NewOffer{SKU: wire.SKU(o.ListingID), MarketplaceID: "EBAY_DE", Format: "FIXED_PRICE",
		OfferTerms: wire.OfferTerms{
			AvailableQuantity: 1, CategoryID: "183454", ListingDuration: "GTC", MerchantLocationKey: "home",
			ListingDescription: "Dawn of Cinders<br>never played",
			ListingPolicies: wire.ListingPolicies{
				FulfillmentPolicyID: "fulfillment-EBAY_DE-1", PaymentPolicyID: "payment-EBAY_DE-1",
				ReturnPolicyID: "return-EBAY_DE-1",
			},
			PricingSummary: wire.PricingSummary{Price: &wire.Amount{Value: "12.50", Currency: "EUR"}},
		}}
	if diff := cmp.Diff(want, offer); diff != "" {
		t.Errorf("offer (-want +got):\n%s", diff)
	}
}

func TestSeller_AccessTokenExpired(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.connect(account, "EBAY_US")
	o := marketplacetest.Offer()
	made, err := marketplacetest.Publish(t.Context(), s.Seller(account), o)
	if err != nil {
		t.Fatal(err)
	}
	s.server.ExpireAccess() // earlier than eBay announced
	var wait sync.WaitGroup
	for range 4 {
		market := s.process()
		wait.Go(func() {
			seen, err := market.Seller(account).Status(t.Context(), marketplaces.Ref{ListingID: o.ListingID})
			if err != nil || seen.ExternalID != made.ExternalID {
				t.Errorf("Status = %+v, %v, want the live listing", seen, err)
			}
		})
	}
	wait.Wait()
	if n := s.server.Refreshes(); n != 1 {
		t.Errorf("the token was refreshed %d times, want once", n)
	}
}

func TestSeller_ConnectionBroken(t *testing.T) {
	t.Parallel()
	s := setup(t)
	seller, o := s.Seller(account).(marketplaces.Connected), marketplacetest.Offer()
	group := []marketplaces.Offer{marketplacetest.Offer(), o}
	ref := marketplaces.Ref{ListingID: o.ListingID}
	calls := map[string]func() error{
		"publish":      func() error { _, err := marketplacetest.Publish(t.Context(), seller, o); return err },
		"revise":       func() error { _, err := marketplacetest.Revise(t.Context(), seller, o); return err },
		"end":          func() error { _, err := marketplacetest.End(t.Context(), seller, ref); return err },
		"status":       func() error { _, err := seller.Status(t.Context(), ref); return err },
		"publish many": func() error { return seller.Publish(t.Context(), group)[1].Err },
		"revise many":  func() error { return seller.Revise(t.Context(), group)[1].Err },
		"sales":        func() error { _, err := seller.Sales(t.Context(), time.Now()); return err },
		"since":        func() error { _, err := seller.ConnectedSince(t.Context()); return err },
	}
	wantAll := func(code string) {
		t.Helper()
		for _, call := range calls {
			wantBroken(t, call(), code)
		}
		if err := s.Ready(t.Context(), account); !fault.Is(err, fault.InvalidRequest) {
			t.Errorf("Ready: got %v, want invalid_request", err)
		}
	}
	wantUsed := func(want bool) {
		t.Helper()
		if used, err := s.Used(t.Context(), account); used != want || err != nil {
			t.Errorf("Used = %v, %v, want %v", used, err, want)
		}
	}
	wantAll(marketplaces.CodeNotConnected)
	wantUsed(false)
	s.connect(account, "EBAY_US")
	wantUsed(true)
	if err := s.Ready(t.Context(), account); err != nil {
		t.Errorf("Ready of a connected account: %v", err)
	}
	if _, err := marketplacetest.Publish(t.Context(), seller, o); err != nil {
		t.Fatal(err)
	}
	s.server.Revoke()
	wantBroken(t, calls["status"](), marketplaces.CodeConnectionRevoked)
	s.server.Requests()
	wantAll(marketplaces.CodeConnectionRevoked)
	if sent := s.server.Requests(); len(sent) > 0 {
		t.Errorf("requests after the consent was revoked: %v", sent)
	}
	wantUsed(true)
	if err := s.connections.Disconnect(t.Context(), account); err != nil {
		t.Error(err)
	}
	s.connect(account, "EBAY_US")
	if since, err := seller.ConnectedSince(t.Context()); err != nil || time.Since(since) > time.Minute {
		t.Errorf("ConnectedSince = %v, %v", since, err)
	}
	if err := s.connections.Disconnect(t.Context(), account); err != nil {
		t.Error(err)
	}
	wantAll(marketplaces.CodeNotConnected)
	wantUsed(false)
}

func TestMarket_Settings(t *testing.T) {
	t.Parallel()
	s, ctx := setup(t), t.Context()
	s.server.SetPolicies(2)
	s.connect(account, "EBAY_US")
	_, err := marketplacetest.Publish(ctx, s.Seller(account), marketplacetest.Offer())
	wantRefused(t, err, marketplaces.CodeLocation)
	address := wire.Address{Country: "us", PostalCode: " 95125 "}
	wrong := wire.Address{Country: "USA", PostalCode: "95125"}
	if err := s.CreateLocation(ctx, account, "Home", wrong); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("CreateLocation with a wrong country: got %v", err)
	}
	for range 2 { // it is repeatable
		if err := s.CreateLocation(ctx, account, "Home", address); err != nil {
			t.Fatal(err)
		}
	}
	_, err = marketplacetest.Publish(ctx, s.Seller(account), marketplacetest.Offer())
	wantRefused(t, err, marketplaces.CodePolicies)
	if err := s.Ready(ctx, account); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("Ready without policies: got %v", err)
	}
	chosen := Settings{
		LocationKey: "cardvault", FulfillmentPolicyID: "fulfillment-EBAY_US-2", PaymentPolicyID: "payment-EBAY_US-1",
		ReturnPolicyID: "return-EBAY_US-1",
	}
	foreign := chosen
	foreign.ReturnPolicyID = "return-EBAY_DE-1"
	if err := s.configure(ctx, account, "EBAY_US", foreign); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("Configure with a policy of another site: got %v", err)
	}
	if err := s.configure(ctx, account, "EBAY_US", chosen); err != nil {
		t.Fatal(err)
	}
	if got, err := s.useDefaults(ctx, account); err != nil || got != chosen {
		t.Errorf("useDefaults = %+v, %v, want what was chosen", got, err)
	}
	if _, err := marketplacetest.Publish(ctx, s.Seller(account), marketplacetest.Offer()); err != nil {
		t.Error(err)
	}
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	one, two := []ebayapi.Choice{{ID: "a"}}, []ebayapi.Choice{{ID: "a"}, {ID: "b"}}
	choices := ebayapi.Choices{Locations: one, Fulfillment: two, Payment: two}
	got := Defaults(Settings{PaymentPolicyID: "b", ReturnPolicyID: "gone"}, choices)
	if want := (Settings{LocationKey: "a", PaymentPolicyID: "b"}); got != want {
		t.Errorf("Defaults = %+v, want %+v", got, want)
	}
	choices.Payment = []ebayapi.Choice{{ID: "a", Default: true}, {ID: "b"}}
	choices.Return = []ebayapi.Choice{{ID: "a", Default: true}, {ID: "b", Default: true}}
	got = Defaults(Settings{}, choices)
	if want := (Settings{LocationKey: "a", PaymentPolicyID: "a"}); got != want {
		t.Errorf("Defaults with defaults at eBay = %+v, want %+v", got, want)
	}
}

// One card is priced in another currency. The bulk calls publish and revise the others.
func TestSeller_PublishesManyOnSite(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.connect(account, "EBAY_DE")
	seller := s.Seller(account)
	group := []marketplaces.Offer{marketplacetest.Offer(), marketplacetest.Offer(), marketplacetest.Offer()}
	group[0].Price.Currency, group[2].Price.Currency = "EUR", "EUR"
	s.server.Requests()
	results := seller.Publish(t.Context(), group)
	wantRefused(t, results[1].Err, marketplaces.CodeCurrency)
	for _, i := range []int{0, 2} {
		if r := results[i]; r.Err != nil || !strings.HasSuffix(r.URL, "/itm/"+r.ExternalID) {
			t.Errorf("offer %d: %+v, want a listing", i, r)
		}
		group[i].Price.Amount = 999
	}
	if sent := s.server.Requests(); len(sent) != 4 {
		t.Errorf("requests that publish two cards: %v, want four bulk calls", sent)
	}
	revised := seller.Revise(t.Context(), group)
	wantRefused(t, revised[1].Err, marketplaces.CodeCurrency)
	for _, i := range []int{0, 2} {
		if r := revised[i]; r.Err != nil || r.State != marketplaces.Live {
			t.Errorf("revision %d: %+v, want it live", i, r)
		}
	}
}

// TestSeller_CallsUsedUp checks that an account that has used up its calls for publishing sends no more of them today,
// and that it can still end listings and read sales.
func TestSeller_CallsUsedUp(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.connect(account, "EBAY_US")
	o := marketplacetest.Offer()
	if _, err := marketplacetest.Publish(t.Context(), s.Seller(account), o); err != nil {
		t.Fatal(err)
	}
	today, err := s.budget.Today(t.Context(), account)
	if err != nil || today.Calls < 3 {
		t.Fatalf("Today: got %+v, %v, want those of publishing counted", today, err)
	}
	s.calls = int(today.Calls) + 1 // a fifth of them is kept for ends and sales
	few := s.process().Seller(account).(*seller)
	s.server.Requests()
	next := marketplacetest.Offer()
	next.ListingID = "lst_other"
	_, err = marketplacetest.Publish(t.Context(), few, next)
	if f, ok := fault.As(err); !ok || f.Code != fault.Unavailable || f.RetryAfter <= 0 {
		t.Errorf("Publish: got %v, want unavailable with the time to wait", err)
	}
	if _, err := marketplacetest.Revise(t.Context(), few, o); !fault.Is(err, fault.Unavailable) {
		t.Errorf("Revise: got %v, want unavailable", err)
	}
	if sent := s.server.Requests(); len(sent) > 0 {
		t.Errorf("requests without calls left: %v", sent)
	}
	since, err := few.ConnectedSince(t.Context())
	if err != nil || !since.After(time.Now()) {
		t.Errorf("ConnectedSince: got %v, %v, want the end of the day", since, err)
	}
	if _, err := few.Sales(t.Context(), time.Now().Add(-time.Hour)); err != nil {
		t.Errorf("Sales: got %v", err)
	}
}
