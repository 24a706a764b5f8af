package e2e

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

func TestAccount(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, sandbox := range []bool{false, true} {
		c := s.client(t, sandbox).scoped(ratelimit.Limits{Read: 7}, caller.WebhooksScope)
		type account struct {
			ID             string
			Name           string
			Sandbox        bool
			Currency       string
			TimeZone       string       `json:"time_zone"`
			Floor          *money.Money `json:"floor_price"`
			Identification accounts.Identification
			Limits         map[string]int
			Scopes         []string
		}
		want := account{
			ID: c.account, Name: t.Name(), Sandbox: sandbox, Currency: "USD", TimeZone: "UTC",
			Identification: accounts.Identification{
				Providers: []string{"fingerprint", "ocr"}, Threshold: 0.85, Games: []string{},
			},
			Limits: map[string]int{"read": 7, "write": 20, "ai": 5}, Scopes: []string{"webhooks"},
		}
		var got account
		c.do("GET", "/account", nil).want(t, http.StatusOK, &got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("account (-want +got):\n%s", diff)
		}
	}
}

// TestAccount_Update changes the settings of an account, and of no other one.
func TestAccount_Update(t *testing.T) {
	t.Parallel()
	s := start(t)
	c, other := s.client(t, false), s.client(t, false)
	var got struct {
		Name           string
		Currency       string
		FloorPrice     *money.Money `json:"floor_price"`
		Identification accounts.Identification
	}
	c.do("PATCH", "/account", `{"name":"The shop","currency":"EUR","floor_price":{"amount":99,"currency":"EUR"},
		"identification":{"providers":["ocr","fingerprint"],"threshold":0.9,"games":["magic","yugioh","magic"]}}`).
		want(t, http.StatusOK, &got)
	c.do("PATCH", "/account", `{}`).want(t, http.StatusOK, &got)
	floor := money.Money{Amount: 99, Currency: "EUR"}
	asked := accounts.Identification{
		Providers: []string{"ocr", "fingerprint"}, Threshold: 0.9, Games: []string{"magic", "yugioh"},
	}
	if got.Name != "The shop" || got.Currency != "EUR" || *got.FloorPrice != floor ||
		!cmp.Equal(got.Identification, asked) {
		t.Errorf("account: got %+v", got)
	}
	below := `{"cards":[{"pricing":{"asking_price":{"amount":98,"currency":"EUR"}}}]}`
	c.do("POST", "/cards", below).refused(t, "price_below_floor")
	other.do("POST", "/cards", below).want(t, http.StatusCreated, nil)
	c.do("PATCH", "/account", `{"floor_price":null,"identification":{"providers":null,"threshold":null,"games":[]}}`).
		want(t, http.StatusOK, &got)
	asked = accounts.Identification{Providers: []string{"fingerprint", "ocr"}, Threshold: 0.85, Games: []string{}}
	if got.FloorPrice != nil || !cmp.Equal(got.Identification, asked) {
		t.Errorf("account after null: got %+v", got)
	}
	c.do("POST", "/cards", below).want(t, http.StatusCreated, nil)
	for _, body := range []string{
		`{"identification":{"threshold":0.8}}`, `{"identification":{"providers":["ocr","gemini"]}}`,
		`{"currency":"XYZ"}`, `{"time_zone":"Mars/Base"}`, `{"floor_price":{"amount":1,"currency":"XYZ"}}`,
		`{"identification":null}`, `{"identification":{"games":["chess"]}}`,
		`{"identification":{"games":null}}`, `{"sandbox":true}`,
	} {
		c.do("PATCH", "/account", body).refused(t, "invalid_request")
	}
	reader := c.scoped(ratelimit.Limits{}, caller.ReadScope)
	reader.do("PATCH", "/account", `{"name":"x"}`).refused(t, "insufficient_scope")
}

// TestAccountUsage checks the counts of requests by hour, class and token, refused ones included.
func TestAccountUsage(t *testing.T) {
	t.Parallel()
	s := start(t)
	reader := s.client(t, false)
	writer := reader.scoped(ratelimit.Limits{Write: 2}, caller.WriteScope)
	s.client(t, false).do("GET", "/cards", nil).want(t, http.StatusOK, nil) // another account
	reader.do("GET", "/cards", nil).want(t, http.StatusOK, nil)
	reader.do("GET", "/nothing", nil).want(t, http.StatusNotFound, nil)
	for _, status := range []int{http.StatusBadRequest, http.StatusBadRequest, http.StatusTooManyRequests} {
		writer.do("POST", "/batches", `{}`).want(t, status, nil)
	}
	reader.do("GET", "/cards", nil, "Authorization: Bearer x").want(t, http.StatusUnauthorized, nil)
	s.storeUsage(t)
	type counts struct{ Requests, Refused int }
	type classes struct{ Read, Write, AI counts }
	type usage struct {
		Hours  []classes
		Tokens []struct {
			ID, Name string
			classes
		}
	}
	var got usage
	reader.do("GET", "/account/usage?hours=168", nil).want(t, http.StatusOK, &got)
	last := got.Hours[len(got.Hours)-2:] // an hour may have ended in between
	sum := classes{
		Read:  counts{last[0].Read.Requests + last[1].Read.Requests, last[0].Read.Refused + last[1].Read.Refused},
		Write: counts{last[0].Write.Requests + last[1].Write.Requests, last[0].Write.Refused + last[1].Write.Refused},
	}
	want := classes{Read: counts{2, 0}, Write: counts{3, 1}}
	if len(got.Hours) != 168 || sum != want || len(got.Tokens) != 2 || got.Tokens[0].Write != want.Write ||
		got.Tokens[0].Name != "test" || got.Tokens[1].Read != want.Read {
		t.Errorf("got %d hours, %+v in the last two, want %+v; tokens %+v", len(got.Hours), sum, want, got.Tokens)
	}
	var one usage
	reader.do("GET", "/account/usage?token="+got.Tokens[1].ID, nil).want(t, http.StatusOK, &one)
	if len(one.Hours) != 24 || len(one.Tokens) != 1 || one.Tokens[0].Read != want.Read {
		t.Errorf("one token: got %d hours, tokens %+v", len(one.Hours), one.Tokens)
	}
}

// storeUsage stores the requests that were counted. Small responses are sent after their requests are counted.
func (s *service) storeUsage(t testing.TB) {
	t.Helper()
	if err := s.Usage.Store(t.Context()); err != nil {
		t.Fatal(err)
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
	case o.template == "/account" && o.method == http.MethodGet:
		return ""
	case strings.HasPrefix(o.template, "/webhooks"):
		return caller.WebhooksScope
	case o.method == http.MethodGet:
		return caller.ReadScope
	}
	return caller.WriteScope
}
