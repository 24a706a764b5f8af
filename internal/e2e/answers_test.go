package e2e

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/ratelimit"
	"github.com/cardvault/cardvault/openapi"
)

// asked is a request for an operation of the contract with which nothing is wrong: what a test changes about it is why
// it is refused.
type asked struct {
	*openapi3.Operation
	method, path string
	body         any
	headers      []string
}

// bodies are what the operations take that take one.
func bodies(t testing.TB, p possessions) map[string]any {
	return map[string]any{
		"createCards": `{"cards":[{"notes":"x"}]}`, "updateCard": `{"notes":"x"}`, "putCardPhoto": blank(t), "createBatch": `{"name":"x"}`,
		"identify": `{"card_id":"` + p.card + `"}`, "lookupPrice": `{"card":{"title":"No such card anywhere"}}`, "publishCard": `{}`,
	}
}

// everyOperation returns a request for each operation of both versions, about what the caller has.
func everyOperation(t testing.TB, p possessions) []asked {
	t.Helper()
	var all []asked
	for base, contract := range map[string]func() (*openapi3.T, error){"": openapi.ParseV1, "/v2": openapi.ParseV2} {
		spec, err := contract()
		if err != nil {
			t.Fatal(err)
		}
		for path, item := range spec.Paths.Map() {
			for method, operation := range item.Operations() {
				all = append(all, p.ask(t, base, path, method, operation))
			}
		}
	}
	slices.SortFunc(all, func(a, b asked) int { return strings.Compare(a.path+a.method, b.path+b.method) })
	return all
}

func (p possessions) ask(t testing.TB, base, path, method string, operation *openapi3.Operation) asked {
	photo := p.photo
	if method == http.MethodPut {
		photo = "front"
	}
	a := asked{Operation: operation, method: method, path: base + p.at(path, photo), body: bodies(t, p)[operation.OperationID]}
	if _, picture := a.body.([]byte); picture {
		a.headers = []string{"Content-Type: image/jpeg"}
	}
	return a
}

// ask sends the request with further headers, which take the place of its own.
func (c *client) ask(a asked, headers ...string) answer {
	c.t.Helper()
	return c.do(a.method, a.path, a.body, slices.Concat(a.headers, headers)...)
}

// repeatable reports whether the operation takes an Idempotency-Key.
func (a asked) repeatable() bool { return a.method == http.MethodPost }

// unlimited takes the limits of addresses out of the way: those of clients without a valid token.
func unlimited(c *config.Config) { c.RateLimits = "read=1000000,write=1000000,ai=1000000" }

// Whoever asks, and however: each operation refuses what every operation refuses, with the same codes, and nothing happens.
func TestWhatEveryOperationRefuses(t *testing.T) {
	t.Parallel()
	s := start(t, unlimited)
	c := s.client(t, false)
	mine := c.own()
	revoked := c.revoked()
	before := s.snapshot(t)
	for _, a := range everyOperation(t, mine) {
		refused := func(code string, headers ...string) {
			t.Helper()
			c.ask(a, headers...).want(t, statusOf[code], nil).refused(t, code)
		}
		refused("missing_token", "Authorization:")
		refused("invalid_token", "Authorization: Bearer x")
		refused("revoked_token", "Authorization: Bearer "+revoked)
		refused("not_acceptable", "Accept: text/html")
		c.do(a.method, a.path+"?nothing=1", a.body, a.headers...).want(t, http.StatusBadRequest, nil).refused(t, "invalid_request")
		c.refuseBodies(a)
	}
	s.unchanged(t, before)
}

// refuseBodies sends bodies of the wrong kind, size and form.
func (c *client) refuseBodies(a asked) {
	c.t.Helper()
	refused := func(code string, body any, media string) {
		c.t.Helper()
		c.do(a.method, a.path, body, "Content-Type: "+media).want(c.t, statusOf[code], nil).refused(c.t, code)
	}
	if a.RequestBody == nil {
		refused("invalid_request", `{"notes":"x"}`, "application/json")
		return
	}
	media := slices.Sorted(maps.Keys(a.RequestBody.Value.Content))[0]
	refused("unsupported_media_type", "x", "text/plain")
	refused("payload_too_large", strings.Repeat(" ", 16<<20), media)
	if media == "application/json" {
		refused("invalid_json", "{", media)
	}
}

// revoked returns a token of the account that was revoked.
func (c *client) revoked() string {
	c.t.Helper()
	token, secret, err := c.service.Accounts.CreateToken(c.t.Context(), c.account, "revoked", ratelimit.Limits{})
	if err == nil {
		_, err = c.service.Accounts.RevokeToken(c.t.Context(), token.ID)
	}
	if err != nil {
		c.t.Fatal(err)
	}
	return secret
}

// Each operation counts against its class and is refused when that is used up, whatever else is wrong with it.
func TestEveryOperationIsLimited(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	mine := c.own()
	before := s.snapshot(t)
	for _, a := range everyOperation(t, mine) {
		once := c.limited(ratelimit.Limits{Read: 1, Write: 1, AI: 1})
		once.ask(a, "Accept: text/html").want(t, http.StatusNotAcceptable, nil)
		once.ask(a).want(t, http.StatusTooManyRequests, nil).refused(t, "rate_limited")
	}
	delete(before, "tokens") // those made here
	delete(before, "token_hashes")
	after := s.snapshot(t)
	for table, rows := range before {
		if after[table] != rows {
			t.Errorf("%s: %s, was %s", table, after[table], rows)
		}
	}
}

// A key that another request has, or that is running, is refused by each operation that takes one.
func TestEveryPostKnowsItsKey(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	mine := c.own()
	c.do("POST", "/batches", `{"name":"Taken"}`, "Idempotency-Key: taken").want(t, http.StatusCreated, nil)
	for _, a := range everyOperation(t, mine) {
		if !a.repeatable() {
			continue
		}
		c.ask(a, "Idempotency-Key: taken").want(t, http.StatusUnprocessableEntity, nil).refused(t, "idempotency_key_reused")
		key := "Idempotency-Key: " + a.OperationID
		first := c.ask(a, key)
		if again := c.ask(a, key); again.status != first.status || again.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("%s again: %d %s, first %d %s", a.OperationID, again.status, again.body, first.status, first.body)
		}
		// As the store has it while the request runs.
		if _, err := s.DB.Exec(t.Context(), `UPDATE idempotency_keys SET claim_id = 'running' WHERE key = $1`, a.OperationID); err != nil {
			t.Fatal(err)
		}
		c.ask(a, key).want(t, http.StatusConflict, nil).refused(t, "idempotency_conflict")
	}
}
