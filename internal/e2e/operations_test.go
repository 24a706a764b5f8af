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

// operationRequest is a valid request for an operation of the contract. Tests change one thing about it, which is then
// the reason for the error.
type operationRequest struct {
	*openapi3.Operation
	base, template string // of the contract: "/v2", "/cards/{id}"
	method, path   string
	body           any
	headers        []string
}

// bodies returns a valid body for each operation that takes one, by the operation's id.
func bodies(t testing.TB, p possessions) map[string]any {
	return map[string]any{
		"createCards":  `{"cards":[{"notes":"x"}]}`,
		"updateCard":   `{"notes":"x"}`,
		"putCardPhoto": blank(t),
		"scanCards":    scanForm(t, []file{{"a.jpg", blank(t)}}),
		"createBatch":  `{"name":"x"}`,
		"updateBatch":  `{"name":"y"}`,
		"identify":     `{"card_id":"` + p.card + `"}`,
		"lookupPrice":  `{"card":{"title":"No such card anywhere"}}`,
		"publishCard":  `{}`,
		"updateCards":  `{"updates":[{"id":"` + p.card + `","notes":"x"}]}`,
		"publishCards": `{"card_ids":["` + p.card + `"]}`,
		"endListings":  `{"listing_ids":["` + p.listing + `"]}`,
		"sellCard":     `{"channel":"in_person","price":{"amount":500,"currency":"USD"}}`,
		"updateSale":   `{"tax":{"amount":1,"currency":"USD"}}`,

		"updateAccount": `{"name":"x"}`,
		"updateListing": `{"title":"x"}`,
		"refundSale":    `{"restock":true}`,
		"createJob":     `{"kind":"archive","card_ids":["` + p.card + `"]}`,

		"createWebhook":                  `{"url":"http://127.0.0.1:9999/"}`,
		"updateWebhook":                  `{"enabled":false}`,
		"rotateWebhookSecret":            `{}`,
		"testWebhook":                    `{}`,
		"resendDroppedWebhookDeliveries": `{}`,
	}
}

// everyOperation returns a request for each operation of both versions, about what the caller has.
func everyOperation(t testing.TB, p possessions) []operationRequest {
	t.Helper()
	var all []operationRequest
	for base, contract := range map[string]func() (*openapi3.T, error){"": openapi.ParseV1, "/v2": openapi.ParseV2} {
		spec, err := contract()
		if err != nil {
			t.Fatal(err)
		}
		for path, item := range spec.Paths.Map() {
			for method, operation := range item.Operations() {
				all = append(all, p.operationRequest(t, base, path, method, operation))
			}
		}
	}
	slices.SortFunc(all, func(a, b operationRequest) int { return strings.Compare(a.path+a.method, b.path+b.method) })
	return all
}

func (p possessions) operationRequest(
	t testing.TB, base, path, method string, operation *openapi3.Operation,
) operationRequest {
	photo := p.photo
	if method == http.MethodPut {
		photo = "front"
	}
	o := operationRequest{
		Operation: operation,
		base:      base,
		template:  path,
		method:    method,
		path:      base + p.at(path, photo),
		body:      bodies(t, p)[operation.OperationID],
	}
	o.path += requiredQuery[path]
	switch _, binary := o.body.([]byte); {
	case operation.OperationID == "scanCards":
		o.headers = []string{formMedia}
	case binary:
		o.headers = []string{"Content-Type: image/jpeg"}
	}
	return o
}

// requiredQuery has the parameters that operations require, by path.
var requiredQuery = map[string]string{"/reports/sales": "?group_by=day", "/cards/summary": "?group_by=status"}

// call sends the request for an operation. The headers given replace those of the same name.
func (c *client) call(o operationRequest, headers ...string) response {
	c.t.Helper()
	return c.do(o.method, o.path, o.body, slices.Concat(o.headers, headers)...)
}

// repeatable reports whether the operation takes an Idempotency-Key.
func (o operationRequest) repeatable() bool { return o.method == http.MethodPost }

// unlimited raises the limits of addresses, which count requests without a valid token, so that no test reaches them.
func unlimited(c *config.Config) { c.RateLimits = "read=1000000,write=1000000,ai=1000000" }

// TestOperations_CommonErrors checks that the errors common to all operations have the same codes in each of them and
// change nothing.
func TestOperations_CommonErrors(t *testing.T) {
	t.Parallel()
	s := start(t, unlimited)
	c := s.client(t, false)
	mine := c.own()
	revoked := c.revoked()
	before := s.snapshot(t)
	for _, o := range everyOperation(t, mine) {
		t.Run(o.OperationID, func(t *testing.T) {
			c := c.in(t)
			refused := func(code string, headers ...string) {
				t.Helper()
				c.call(o, headers...).want(t, statusOf[code], nil).refused(t, code)
			}
			refused("missing_token", "Authorization:")
			refused("invalid_token", "Authorization: Bearer x")
			refused("revoked_token", "Authorization: Bearer "+revoked)
			refused("not_acceptable", "Accept: text/html")
			unknown := c.do(o.method, o.path+"?nothing=1", o.body, o.headers...)
			unknown.want(t, http.StatusBadRequest, nil).refused(t, "invalid_request")
			c.refuseBodies(o)
		})
	}
	s.unchanged(t, before)
}

// refuseBodies sends bodies of a wrong media type, size and syntax.
func (c *client) refuseBodies(o operationRequest) {
	c.t.Helper()
	refused := func(code string, body any, media string) {
		c.t.Helper()
		c.do(o.method, o.path, body, "Content-Type: "+media).want(c.t, statusOf[code], nil).refused(c.t, code)
	}
	if o.RequestBody == nil {
		refused("invalid_request", `{"notes":"x"}`, "application/json")
		return
	}
	media := slices.Sorted(maps.Keys(o.RequestBody.Value.Content))[0]
	refused("unsupported_media_type", "x", "text/plain")
	switch media {
	case "application/json":
		refused("invalid_json", "{", media)
	case "multipart/form-data": // TestForm_RefusedByHeaders sends one that is too large
		refused("invalid_request", "x", media)
		return
	}
	refused("payload_too_large", strings.Repeat(" ", 16<<20), media)
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

// TestOperations_RateLimited checks that each operation counts against its class, even if the request is refused, and
// is refused once the limit of the class is reached.
func TestOperations_RateLimited(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	mine := c.own()
	before := s.snapshot(t)
	for _, o := range everyOperation(t, mine) {
		t.Run(o.OperationID, func(t *testing.T) {
			once := c.in(t).limited(ratelimit.Limits{Read: 1, Write: 1, AI: 1})
			once.call(o, "Accept: text/html").want(t, http.StatusNotAcceptable, nil)
			once.call(o).want(t, http.StatusTooManyRequests, nil).refused(t, "rate_limited")
		})
	}
	// The test creates tokens, each of which advances the account's clock.
	s.unchanged(t, before, "tokens", "token_hashes", "audit_log", "account_clock")
}

// TestOperations_IdempotencyKey checks that each operation that takes a key refuses the key of another request and that
// of a request that still runs.
func TestOperations_IdempotencyKey(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	mine := c.own()
	c.do("POST", "/batches", `{"name":"Taken"}`, "Idempotency-Key: taken").want(t, http.StatusCreated, nil)
	for _, o := range everyOperation(t, mine) {
		if !o.repeatable() {
			continue
		}
		t.Run(o.OperationID, func(t *testing.T) {
			c := c.in(t)
			reused := c.call(o, "Idempotency-Key: taken")
			reused.want(t, http.StatusUnprocessableEntity, nil).refused(t, "idempotency_key_reused")
			key := "Idempotency-Key: " + o.OperationID
			first, again := c.call(o, key), c.call(o, key)
			if again.status != first.status || again.header.Get("Idempotent-Replayed") != "true" {
				t.Errorf("the repeated request got %d %s, the first one %d %s",
					again.status, again.body, first.status, first.body)
			}
			// The store has this row while the request runs.
			_, err := s.DB.Exec(t.Context(),
				`UPDATE idempotency_keys SET claim_id = 'running' WHERE key = $1`, o.OperationID)
			if err != nil {
				t.Fatal(err)
			}
			c.call(o, key).want(t, http.StatusConflict, nil).refused(t, "idempotency_conflict")
		})
	}
}

// TestOperations_MarkKeyAsCarriedOut checks that each operation that takes a key and changes something marks the key as
// carried out in the transaction of the change, so that a crash after the commit does not repeat the change. The
// handler must pass idempotency.Hook to the service. An operation whose valid request needs more than own to succeed
// prepares it here.
func TestOperations_MarkKeyAsCarriedOut(t *testing.T) {
	t.Parallel()
	s := start(t)
	unchanging := []string{"lookupPrice"}
	prepare := map[string]func(c *client, mine *possessions){
		"testWebhook": func(c *client, mine *possessions) {
			c.do("PATCH", "/webhooks/"+mine.webhook, `{"enabled":true}`).want(c.t, http.StatusOK, nil)
		},
		"reopenBatch": func(c *client, mine *possessions) {
			c.do("POST", "/batches/"+mine.batch+"/complete", nil).want(c.t, http.StatusOK, nil)
		},
		"undoJob": func(c *client, mine *possessions) {
			done, _ := c.run(`{"kind":"archive","card_ids":["` + c.create(`{"notes":"x"}`).ID + `"]}`)
			mine.job = done.ID
		},
		"publishCard": func(c *client, mine *possessions) { // the card of own is listed already
			draft := `{"identification":{"title":"x"},"pricing":{"asking_price":{"amount":500,"currency":"USD"}}}`
			mine.card = c.create(draft).ID
			photo := "/cards/" + mine.card + "/photos/front"
			c.do("PUT", photo, blank(c.t), "Content-Type: image/jpeg").want(c.t, http.StatusOK, nil)
		},
	}
	for _, o := range everyOperation(t, possessions{}) {
		if !o.repeatable() || slices.Contains(unchanging, o.OperationID) {
			continue
		}
		t.Run(o.OperationID, func(t *testing.T) {
			t.Parallel()
			c := s.client(t, false)
			mine := c.own()
			if prepare[o.OperationID] != nil {
				prepare[o.OperationID](c, &mine)
			}
			request := mine.operationRequest(t, o.base, o.template, o.method, o.Operation)
			if got := c.call(request, "Idempotency-Key: "+o.OperationID); got.status >= 300 {
				t.Fatalf("status %d, want success: %s", got.status, got.body)
			}
			var carriedOut bool
			err := s.DB.Get(t.Context(), &carriedOut,
				`SELECT carried_out FROM idempotency_keys WHERE key = $1`, o.OperationID)
			if err != nil || !carriedOut {
				t.Errorf("carried_out = %t, %v, want true: the handler does not pass idempotency.Hook", carriedOut, err)
			}
		})
	}
}
