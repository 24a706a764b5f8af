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
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// client is an account's access to the API. Every answer it gets is held against the contract.
type client struct {
	t       testing.TB
	service *service
	account string
	token   string
}

// client makes an account with a token whose limits are out of the way.
func (s *service) client(t testing.TB, sandbox bool) *client {
	t.Helper()
	account, err := s.Accounts.Create(t.Context(), t.Name(), sandbox)
	if err != nil {
		t.Fatal(err)
	}
	c := &client{t: t, service: s, account: account.ID}
	return c.limited(ratelimit.Limits{Read: 1e6, Write: 1e6, AI: 1e6})
}

// limited returns the account's access by another token, with limits of its own; a class that is 0
// has the service's.
func (c *client) limited(limits ratelimit.Limits) *client {
	c.t.Helper()
	_, secret, err := c.service.Accounts.CreateToken(c.t.Context(), c.account, "test", limits)
	if err != nil {
		c.t.Fatal(err)
	}
	return &client{t: c.t, service: c.service, account: c.account, token: secret}
}

// answer is what the service answered.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// do sends a request and holds the answer against the contract; for what it sends see request.
func (c *client) do(method, path string, body any, headers ...string) answer {
	c.t.Helper()
	return c.send(c.request(method, path, body, headers...))
}

// request makes a request; body is JSON text, or bytes or a reader with a Content-Type among headers.
// A header is "Name: value", or "Name:" to leave one out; one given twice is sent twice.
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

// send sends a request as it is.
func (c *client) send(r *http.Request) answer {
	c.t.Helper()
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	return answer{resp.StatusCode, resp.Header, apitest.Validate(c.t, r, resp)}
}

// want fails the test unless the answer has the status, and decodes its body into dest if there is one.
func (a answer) want(t testing.TB, status int, dest any) answer {
	t.Helper()
	if a.status != status {
		t.Fatalf("status %d, want %d: %s", a.status, status, a.body)
	}
	if dest != nil {
		if err := json.Unmarshal(a.body, dest); err != nil {
			t.Fatalf("%v: %s", err, a.body)
		}
	}
	return a
}

// refused fails the test unless the answer is an error with the code.
func (a answer) refused(t testing.TB, code string) answer {
	t.Helper()
	var e struct {
		Error struct {
			Code    string
			Message string
			Status  int
		}
	}
	if err := json.Unmarshal(a.body, &e); err != nil || e.Error.Code != code || e.Error.Status != a.status || e.Error.Message == "" {
		t.Errorf("%d %s, want %s", a.status, a.body, code)
	}
	return a
}

// card is what the tests look at of a card.
type card struct {
	ID             string
	WorkflowStatus string `json:"workflow_status"`
	Title          *string
	Identification struct {
		Status, Source, Provider *string
		CatalogID                *string `json:"catalog_id"`
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

// listOf is a page of anything.
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
