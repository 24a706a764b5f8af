package processtest

import (
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// account is an account with a token whose limits are out of the way.
type account struct {
	t        testing.TB
	settings settings
	id       string
	token    string
	tokenID  string
}

// account makes one by the command line.
func (s settings) account(t testing.TB) *account {
	t.Helper()
	a := &account{t: t, settings: s}
	var made struct{ ID, Token string }
	s.read(t, &made, "account", "create", "--name", t.Name())
	a.id = made.ID
	a.tokenID, a.token = a.newToken("read=1000000,write=1000000,ai=1000000")
	return a
}

// newToken makes a token with these limits.
func (a *account) newToken(limits string) (id, token string) {
	a.t.Helper()
	var made struct{ ID, Token string }
	a.settings.read(a.t, &made, "token", "create", "--account", a.id, "--name", "test", "--limits", limits)
	return made.ID, made.Token
}

// client is a token's access to one server. It is safe for concurrent use.
type client struct {
	t     testing.TB
	base  string
	token string
	http  *http.Client
}

// at returns the account's access to a server, with connections of its own.
func (a *account) at(p *server) *client { return p.client(a.token) }

func (p *server) client(token string) *client {
	transport := &http.Transport{MaxIdleConnsPerHost: 16}
	p.t.Cleanup(transport.CloseIdleConnections)
	return &client{p.t, "http://" + p.host + "/api", token, &http.Client{Transport: transport, Timeout: patience}}
}

// answer is what a server answered.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// try sends a request, with a JSON body unless it is empty, and headers given as name, value, name, value…; the error
// says that no answer came.
func (c *client) try(method, path, body string, headers ...string) (answer, error) {
	r, err := http.NewRequest(method, c.base+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if method == http.MethodPost {
		// A connection that was never used can be closed by the server at the moment it is first used.
		// With a key http.Client knows that it may try again.
		r.Header.Set("Idempotency-Key", rand.Text())
	}
	for pair := range slices.Chunk(headers, 2) {
		r.Header.Set(pair[0], pair[1])
	}
	response, err := c.http.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, data}, err
}

// do sends a request that must be answered with the status, and decodes the answer into dest unless that is nil.
func (c *client) do(method, path, body string, status int, dest any) answer {
	c.t.Helper()
	got, err := c.try(method, path, body)
	if err != nil {
		c.t.Fatal(err)
	}
	if got.status != status {
		c.t.Fatalf("%s %s: status %d, want %d: %s", method, path, got.status, status, got.body)
	}
	if dest != nil {
		if err := json.Unmarshal(got.body, dest); err != nil {
			c.t.Fatalf("%s %s: %v: %s", method, path, err, got.body)
		}
	}
	return got
}

// decode reads the answer's JSON; it may be called from any goroutine of the test.
func (a answer) decode(t testing.TB, dest any) {
	t.Helper()
	if err := json.Unmarshal(a.body, dest); err != nil {
		t.Errorf("status %d: %v: %.500s", a.status, err, a.body)
	}
}

// problem is the error in an answer: its code and its message.
func (a answer) problem() (code, message string) {
	var e struct {
		Error struct {
			Code, Message string
			Status        int
		}
	}
	if err := json.Unmarshal(a.body, &e); err != nil || e.Error.Status != a.status {
		return "", ""
	}
	return e.Error.Code, e.Error.Message
}

// money is a price.
type money struct {
	Amount   int64
	Currency string
}

// card is what the tests look at of a card.
type card struct {
	ID             string
	Version        int64
	WorkflowStatus string `json:"workflow_status"`
	Pricing        struct {
		AskingPrice *money `json:"asking_price"`
	}
	UpdatedAt time.Time `json:"updated_at"`
}

// price is the card's asking price in minor units, 0 for none.
func (c card) price() int64 {
	if c.Pricing.AskingPrice == nil {
		return 0
	}
	return c.Pricing.AskingPrice.Amount
}

// create imports n identified cards in one request: each tells of two events.
func (c *client) create(n int) []card {
	c.t.Helper()
	var made struct{ Data []card }
	drafts := strings.Join(slices.Repeat([]string{`{"identification":{"title":"Ember Fox"}}`}, n), ",")
	c.do("POST", "/cards", `{"cards":[`+drafts+`]}`, http.StatusCreated, &made)
	return made.Data
}

// pages reads a list to its end.
func pages[T any](c *client, path string, query url.Values) []T {
	c.t.Helper()
	var all []T
	query.Set("limit", "200")
	for {
		var page struct {
			Data       []T
			HasMore    bool   `json:"has_more"`
			NextCursor string `json:"next_cursor"`
		}
		c.do("GET", path+"?"+query.Encode(), "", http.StatusOK, &page)
		all = append(all, page.Data...)
		if !page.HasMore {
			return all
		}
		query.Set("cursor", page.NextCursor)
	}
}

// event is an envelope, as webhooks and GET /events show it.
type event struct {
	ID        string          `json:"id"`
	Event     string          `json:"event"`
	CreatedAt time.Time       `json:"created_at"`
	AccountID string          `json:"account_id"`
	Data      json.RawMessage `json:"data"`
}

// events reads every event of the account.
func (c *client) events() []event {
	c.t.Helper()
	return pages[event](c, "/events", url.Values{})
}
