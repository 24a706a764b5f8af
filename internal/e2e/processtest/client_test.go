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

// account is an account with a token whose limits no test reaches.
type account struct {
	t        testing.TB
	settings settings
	id       string
	token    string
	tokenID  string
}

// account creates one with the command line.
func (s settings) account(t testing.TB) *account {
	t.Helper()
	a := &account{t: t, settings: s}
	var made struct{ ID, Token string }
	s.read(t, &made, "account", "create", "--name", t.Name())
	a.id = made.ID
	a.tokenID, a.token = a.newToken("read=1000000,write=1000000,ai=1000000")
	return a
}

// newToken creates a token with these limits.
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
	return &client{p.t, "http://" + p.host + "/api", token, &http.Client{Transport: transport, Timeout: requestTimeout}}
}

// answer is a server's response.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// try sends a request, with a JSON body unless body is empty, and with headers given as name, value, name, value….
// It returns an error only if there was no response.
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
		// The server may close an idle connection at the moment when the client uses it. With a key, http.Client
		// knows that it may repeat the request.
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

// do sends a request, fails the test unless the response has the status, and decodes it into dest unless dest is nil.
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

// decode decodes the response's JSON into dest. Any goroutine of the test may call it.
func (a answer) decode(t testing.TB, dest any) {
	t.Helper()
	if err := json.Unmarshal(a.body, dest); err != nil {
		t.Errorf("status %d: %v: %.500s", a.status, err, a.body)
	}
}

// problem returns the code and the message of an error response.
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

// card has the fields of a card that the tests read.
type card struct {
	ID             string
	Version        int64
	WorkflowStatus string `json:"workflow_status"`
	Pricing        struct {
		AskingPrice *money `json:"asking_price"`
	}
	UpdatedAt time.Time `json:"updated_at"`
}

// price returns the card's asking price in minor units, 0 for none.
func (c card) price() int64 {
	if c.Pricing.AskingPrice == nil {
		return 0
	}
	return c.Pricing.AskingPrice.Amount
}

// create imports n identified cards in one request. Each card causes two events.
func (c *client) create(n int) []card {
	c.t.Helper()
	var made struct{ Data []card }
	drafts := strings.Join(slices.Repeat([]string{`{"identification":{"title":"Ember Fox"}}`}, n), ",")
	c.do("POST", "/cards", `{"cards":[`+drafts+`]}`, http.StatusCreated, &made)
	return made.Data
}

// pages returns all items of a paginated list.
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

// event is an event's envelope, as in webhooks and in GET /events.
type event struct {
	ID        string          `json:"id"`
	Event     string          `json:"event"`
	CreatedAt time.Time       `json:"created_at"`
	AccountID string          `json:"account_id"`
	Data      json.RawMessage `json:"data"`
}

// events returns all events of the account, newest first.
func (c *client) events() []event {
	c.t.Helper()
	return pages[event](c, "/events", url.Values{})
}
