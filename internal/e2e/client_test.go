package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/api/apitest"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// client sends the requests of one account with one token. It validates every response against the contract.
type client struct {
	t       testing.TB
	service *service
	account string
	token   string
}

// client creates an account and a token whose rate limits no test reaches.
func (s *service) client(t testing.TB, sandbox bool) *client {
	t.Helper()
	account, err := s.Accounts.Create(t.Context(), t.Name(), sandbox)
	if err != nil {
		t.Fatal(err)
	}
	c := &client{t: t, service: s, account: account.ID}
	return c.limited(ratelimit.Limits{Read: 1e6, Write: 1e6, AI: 1e6})
}

// in returns the client for a subtest, which its failures belong to.
func (c *client) in(t testing.TB) *client {
	copied := *c
	copied.t = t
	return &copied
}

// limited creates another token of the account with rate limits of its own. A class whose limit is 0 has the service's
// limit.
func (c *client) limited(limits ratelimit.Limits) *client {
	c.t.Helper()
	return c.scoped(limits, caller.Scopes...)
}

// scoped creates another token of the account with these limits and scopes.
func (c *client) scoped(limits ratelimit.Limits, scopes ...caller.Scope) *client {
	c.t.Helper()
	_, secret, err := c.service.Accounts.CreateToken(c.t.Context(), c.account, "test", limits, scopes...)
	if err != nil {
		c.t.Fatal(err)
	}
	return &client{t: c.t, service: c.service, account: c.account, token: secret}
}

// response is a response of the service.
type response struct {
	status int
	header http.Header
	body   []byte
}

// do sends a request and validates its response. For the arguments see request.
func (c *client) do(method, path string, body any, headers ...string) response {
	c.t.Helper()
	return c.send(c.request(method, path, body, headers...))
}

// request builds a request. The body is JSON text, or bytes or a reader with a Content-Type among headers. A header is
// "Name: value", or "Name:" to omit a default one. A header that is given twice is sent twice.
func (c *client) request(method, path string, body any, headers ...string) *http.Request {
	c.t.Helper()
	var reader io.Reader
	contentType := ""
	switch b := body.(type) {
	case nil:
	case string:
		reader, contentType = strings.NewReader(b), "application/json"
	case []byte:
		reader = bytes.NewReader(b)
	case io.Reader:
		reader = b
	}
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.service.url+path, reader)
	if err != nil {
		c.t.Fatal(err)
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	for _, h := range headers {
		name, _, _ := strings.Cut(h, ":")
		r.Header.Del(name)
	}
	for _, h := range headers {
		if name, value, given := strings.Cut(h, ": "); given {
			r.Header.Add(name, value)
		}
	}
	return r
}

// send sends a request as it is and validates its response.
func (c *client) send(r *http.Request) response {
	c.t.Helper()
	resp, err := (&http.Client{Transport: transport}).Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	return response{resp.StatusCode, resp.Header, apitest.Validate(c.t, r, resp)}
}

// want fails the test unless the response has the status. It decodes the body into dest unless that is nil.
func (r response) want(t testing.TB, status int, dest any) response {
	t.Helper()
	if r.status != status {
		t.Fatalf("status %d, want %d: %s", r.status, status, r.body)
	}
	if dest != nil {
		if err := json.Unmarshal(r.body, dest); err != nil {
			t.Fatalf("decode the response: %v: %s", err, r.body)
		}
	}
	return r
}

// refused reports an error unless the response is an error with the code.
func (r response) refused(t testing.TB, code string) response {
	t.Helper()
	var e struct {
		Error struct {
			Code    string
			Message string
			Status  int
		}
	}
	err := json.Unmarshal(r.body, &e)
	if err != nil || e.Error.Code != code || e.Error.Status != r.status || e.Error.Message == "" {
		t.Errorf("got %d %s, want an error with the code %s", r.status, r.body, code)
	}
	return r
}

// message reports an error unless the response is an error with the message.
func (r response) message(t testing.TB, want string) {
	t.Helper()
	var e struct{ Error struct{ Message string } }
	if err := json.Unmarshal(r.body, &e); err != nil || e.Error.Message != want {
		t.Errorf("got %s, want the message %q", r.body, want)
	}
}

// card holds the fields of a card that the tests check.
type card struct {
	ID             string
	WorkflowStatus string `json:"workflow_status"`
	Title          *string
	Identification struct {
		Status, Source, Provider *string
		CatalogID                *string `json:"catalog_id"`
	}
	Pricing struct {
		AskingPrice *struct{ Amount int64 } `json:"asking_price"`
	}
	BatchID   *string `json:"batch_id"`
	ListingID *string `json:"listing_id"`
	Photos    []struct {
		ID, Role, Status string
		URL, Failure     *string
		Width            *int
	}
	Version   int64
	UpdatedAt time.Time `json:"updated_at"`
}

// listOf is a page of a list.
type listOf[T any] struct {
	Data       []T
	HasMore    bool    `json:"has_more"`
	NextCursor *string `json:"next_cursor"`
}

// create imports one card, given as JSON.
func (c *client) create(draft string) card {
	c.t.Helper()
	var made listOf[card]
	c.do("POST", "/cards", `{"cards":[`+draft+`]}`).want(c.t, http.StatusCreated, &made)
	return made.Data[0]
}

// get reads a card.
func (c *client) get(id string) card {
	c.t.Helper()
	var found card
	c.do("GET", "/cards/"+id, nil).want(c.t, http.StatusOK, &found)
	return found
}
