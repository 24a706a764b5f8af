package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/cardvault/cardvault/openapi"
	"github.com/cardvault/cardvault/openapi/additive"
)

// relay stands between a client and the service and holds requests and answers against a contract. It may let the
// answers grow: then they are those of a server whose contract has had every kind of additive change.
type relay struct {
	t      testing.TB
	routes routers.Router
	proxy  *httputil.ReverseProxy
	grown  bool

	mu    sync.Mutex
	calls map[string]bool // operations that were called
}

// route is where a request goes by the contract, and what is wrong with it, kept for its answer.
type route struct {
	*openapi3filter.RequestValidationInput
	invalid error
}

type routeKey struct{}

// today returns the contract as it is.
func today(t testing.TB) *openapi3.T {
	t.Helper()
	doc, err := openapi.ParseV1()
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// newRelay returns a relay to the service at an address that ends with /api.
func newRelay(t testing.TB, address string, contract *openapi3.T, grown bool) *relay {
	t.Helper()
	target, err := url.Parse(strings.TrimSuffix(address, "/api"))
	if err != nil {
		t.Fatal(err)
	}
	routes, err := gorillamux.NewRouter(contract)
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{t: t, routes: routes, proxy: httputil.NewSingleHostReverseProxy(target), grown: grown, calls: map[string]bool{}}
	r.proxy.ModifyResponse = r.pass
	return r
}

// called returns the names of the operations that were called.
func (r *relay) called() map[string]bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.calls)
}

// ServeHTTP implements http.Handler.
func (r *relay) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	found, parameters, err := r.routes.FindRoute(request)
	if err != nil {
		r.t.Errorf("%s %s: %v", request.Method, request.URL, err)
		http.Error(w, "no such address", http.StatusNotFound)
		return
	}
	r.mu.Lock()
	r.calls[found.Operation.OperationID] = true
	r.mu.Unlock()
	input := &openapi3filter.RequestValidationInput{Request: request, PathParams: parameters, Route: found, Options: &openapi3filter.Options{
		AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, SkipSettingDefaults: true, IncludeResponseStatus: true, MultiError: true,
	}}
	input.Options.ExcludeRequestBody = request.Header.Get("Content-Type") != "application/json" // pictures
	invalid := openapi3filter.ValidateRequest(request.Context(), input)
	request.Header.Del("Accept-Encoding") // answers are read on their way
	r.proxy.ServeHTTP(w, request.WithContext(context.WithValue(request.Context(), routeKey{}, route{input, invalid})))
}

// pass hands an answer on, grown if that is asked for, and holds it against the contract.
func (r *relay) pass(answer *http.Response) error {
	at := answer.Request.Context().Value(routeKey{}).(route)
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if at.invalid != nil && answer.StatusCode < http.StatusBadRequest {
		r.t.Errorf("%s: %d to a request that is not in the contract: %v", at.Route.Operation.OperationID, answer.StatusCode, at.invalid)
	}
	if r.grown {
		body = grow(r.t, at.Route.Operation, answer, body)
	}
	answer.Body, answer.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	if len(body) > 0 {
		answer.Header.Set("Content-Length", strconv.Itoa(len(body)))
	}
	err = openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: at.RequestValidationInput, Status: answer.StatusCode, Header: answer.Header,
		Body: io.NopCloser(bytes.NewReader(body)), Options: at.Options,
	})
	if err != nil {
		r.t.Errorf("%s: %d: %v", at.Route.Operation.OperationID, answer.StatusCode, err)
	}
	return nil
}

// grow makes of an answer one that a later server could give, and returns its body.
func grow(t testing.TB, op *openapi3.Operation, answer *http.Response, body []byte) []byte {
	t.Helper()
	answer.Header.Set(additive.Header, "since a later release")
	if len(body) == 0 {
		return body
	}
	var value map[string]any
	if err := json.Unmarshal(body, &value); err != nil {
		t.Errorf("%s: %v", op.OperationID, err)
		return body
	}
	if answer.StatusCode == http.StatusNotFound {
		answer.StatusCode, answer.Status = http.StatusLocked, "423 Locked" // a status that the operation did not have
		value["error"].(map[string]any)["status"] = http.StatusLocked
	}
	if op.OperationID == "listEvents" {
		value["data"] = append(value["data"].([]any), laterEvent())
	}
	grown, err := json.Marshal(additive.Answer(op.Responses.Status(answer.StatusCode).Value.Content["application/json"].Schema, value))
	if err != nil {
		t.Error(err)
	}
	return grown
}

// laterEvent is of a kind that 1.0.0 did not have.
func laterEvent() map[string]any {
	return map[string]any{
		"id": "evt_01k5w0q2m7t9c3r5v8x0z1b4d6", "event": additive.Kind, "created_at": "2026-05-11T15:32:01.123456Z",
		"account_id": "acc_01k5w0q2m7t9c3r5v8x0z1b4d6",
		"data":       map[string]any{"card_id": "card_01k5w0q2m7t9c3r5v8x0z1b4d6", "title": "Ember Fox", "set": "", "number": ""},
	}
}
