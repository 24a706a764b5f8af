package dashboard

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/identify/spend"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/users"
)

func TestSettings(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := s.logIn(ada)
	b.want(b.get("/settings"), http.StatusOK, "a token may send 60 requests that read")
	b.want(b.get("/settings"), http.StatusOK, s.account.ID)
	for field, tc := range map[string][2]string{ // the value, and a part of the message
		"name":      {"", "The name must be 1 to 120 characters"},
		"currency":  {"XYZ", "The currency must be an upper-case ISO 4217 code"},
		"time_zone": {"Mars/<b>Base</b>", "The time zone must be a name of the IANA database"},

		"floor_price":    {"1.005", "The floor price must be an amount such as 12.50"},
		"floor_currency": {"XYQ", "The currency must be an upper-case ISO 4217 code"},
		"threshold":      {"84.9", "The confidence must be a number from 85 to 100"},
		"providers":      {"a, then b", "The order must have"},
		"games":          {"chess", "The games must be some of"},
	} {
		values := map[string]string{
			"name": "The shop", "currency": "EUR", "time_zone": "Europe/Berlin", "floor_price": "1",
			"floor_currency": "EUR", "games": "magic",
		}
		values[field] = tc[0]
		refused := b.post("/settings", "name", values["name"], "currency", values["currency"],
			"time_zone", values["time_zone"], "floor_price", values["floor_price"],
			"floor_currency", values["floor_currency"], "threshold", values["threshold"],
			"providers", values["providers"], "games", values["games"])
		b.want(refused, http.StatusUnprocessableEntity, tc[1])
		kept := strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(tc[0])
		listed := field == "providers" || field == "games" // only listed values can be chosen
		if !listed && !strings.Contains(refused.body, kept) {
			t.Errorf("%s: the page does not keep %q as typed: %s", field, kept, refused.body)
		}
	}
	b.want(b.post("/settings", "name", "a\x00b", "currency", "EUR", "time_zone", "UTC"),
		http.StatusUnprocessableEntity, "The name must be")
	b.wantRedirect(b.post("/settings", "name", " <script>alert(1)</script> ", "currency", "eur",
		"time_zone", "Europe/Berlin", "floor_price", "0.99", "floor_currency", "usd", "threshold", "92.5",
		"providers", "guesser", "games", "magic", "games", "other"), "/settings?saved=true")
	got, err := s.config.Accounts.Get(t.Context(), s.account.ID)
	if err != nil {
		t.Fatal(err)
	}
	threshold := 0.925
	want := accounts.Account{
		ID: s.account.ID, Name: "<script>alert(1)</script>", Currency: "EUR", TimeZone: "Europe/Berlin",
		Preferences: accounts.Preferences{
			FloorPrice: &money.Money{Amount: 99, Currency: "USD"},
			Providers:  []string{"guesser"}, Threshold: &threshold,
			Games: []string{"magic", "other"},
		},
		CreatedAt: got.CreatedAt,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("account (-want +got):\n%s", diff)
	}
	page := b.get("/settings?saved=true")
	b.want(page, http.StatusOK, "Saved.")
	b.want(page, http.StatusOK, "&lt;script&gt;alert(1)&lt;/script&gt;")
	if n := strings.Count(page.body, " checked"); n != 2 {
		t.Errorf("the page has %d chosen games, want 2", n)
	}
	if strings.Contains(page.body, "<script>alert") {
		t.Error("the name is shown as markup")
	}
}

func TestSettings_ForOwnersOnly(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.newUser(s.account, "bob@example.com", users.Member)
	bob := s.logIn("bob@example.com")
	for _, path := range []string{"/settings", "/settings/users"} {
		page := bob.get(path)
		bob.want(page, http.StatusForbidden, "Only owners of the account can do this.")
		if strings.Contains(page.body, `class="section-links"`) || strings.Contains(page.body, `href="/settings"`) {
			t.Errorf("%s: a member's page has the links of owners", path)
		}
	}
	bob.want(bob.post("/settings", "name", "Bob's", "currency", "EUR", "time_zone", "UTC"), http.StatusForbidden, "")
	for _, action := range []string{"role", "link", "remove", "withdraw"} {
		bob.want(bob.post("/settings/users/"+s.ada.ID+"/"+action, "role", "member"), http.StatusForbidden, "")
	}
}

// TestSettings_Spend shows what an account has spent on remote identification providers.
func TestSettings_Spend(t *testing.T) {
	t.Parallel()
	s := setup(t)
	const heading = "Remote identification today"
	if page := s.logIn(ada).get("/settings"); strings.Contains(page.body, heading) {
		t.Error("the page shows remote providers that are not configured")
	}
	budget := spend.New(s.db, spend.Dollars(5))
	s.config.Spend = budget
	handler, err := New(s.config)
	if err != nil {
		t.Fatal(err)
	}
	s.server = httptest.NewServer(handler)
	t.Cleanup(s.server.Close)
	b := s.logIn(ada)
	b.want(b.get("/settings"), http.StatusOK, "$0.00 of $5.00 a day is used.")
	for _, provider := range []string{"gemini", "openai", "openai"} {
		if _, err := budget.Reserve(t.Context(), s.account.ID, provider, spend.Dollars(0.0025)); err != nil {
			t.Fatal(err)
		}
	}
	page := b.get("/settings")
	b.want(page, http.StatusOK, "$0.0075 of $5.00 a day is used.")
	b.want(page, http.StatusOK, "<dt>gemini</dt><dd>1 photo, $0.0025</dd>")
	b.want(page, http.StatusOK, "<dt>openai</dt><dd>2 photos, $0.005</dd>")
	sandbox, err := s.config.Accounts.Create(t.Context(), "Sandbox", true)
	if err != nil {
		t.Fatal(err)
	}
	s.newUser(sandbox, "eve@example.com", users.Owner)
	if page := s.logIn("eve@example.com").get("/settings"); strings.Contains(page.body, heading) {
		t.Error("the page of a sandbox account shows remote providers")
	}
}
