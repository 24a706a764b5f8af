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

// relay is a proxy between a client and the service. It validates requests and responses against a contract. If grown
// is set, it changes the responses into those of a server whose contract has every kind of additive change.
type relay struct {
	t      testing.TB
	routes routers.Router
	proxy  *httputil.ReverseProxy
	grown  bool

	mu    sync.Mutex
	calls map[string]bool // operations that were called
}

// route is the operation of a request and the error of its validation, kept until the response.
type route struct {
	*openapi3filter.RequestValidationInput
	invalid error
}

type routeKey struct{}

// today returns the contract of this version.
func today(t testing.TB) *openapi3.T {
	t.Helper()
	doc, err := openapi.ParseV1()
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// newRelay returns a relay to the service at a URL that ends with /api.
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
	r := &relay{
		t:      t,
		routes: routes,
		proxy:  httputil.NewSingleHostReverseProxy(target),
		grown:  grown,
		calls:  map[string]bool{},
	}
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
		http.Error(w, "no such path", http.StatusNotFound)
		return
	}
	r.mu.Lock()
	r.calls[found.Operation.OperationID] = true
	r.mu.Unlock()
	input := &openapi3filter.RequestValidationInput{
		Request:    request,
		PathParams: parameters,
		Route:      found,
		Options: &openapi3filter.Options{
			AuthenticationFunc:    openapi3filter.NoopAuthenticationFunc,
			ExcludeRequestBody:    request.Header.Get("Content-Type") != "application/json", // pictures
			SkipSettingDefaults:   true,
			IncludeResponseStatus: true,
			MultiError:            true,
		},
	}
	invalid := openapi3filter.ValidateRequest(request.Context(), input)
	request.Header.Del("Accept-Encoding") // pass reads the response
	ctx := context.WithValue(request.Context(), routeKey{}, route{input, invalid})
	r.proxy.ServeHTTP(w, request.WithContext(ctx))
}

// pass validates a response against the contract. If the relay is set to, it changes the response first.
func (r *relay) pass(resp *http.Response) error {
	at := resp.Request.Context().Value(routeKey{}).(route)
	operation := at.Route.Operation
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if at.invalid != nil && resp.StatusCode < http.StatusBadRequest {
		r.t.Errorf("%s: %d to a request that violates the contract: %v",
			operation.OperationID, resp.StatusCode, at.invalid)
	}
	if r.grown {
		body = grow(r.t, operation, resp, body)
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	if len(body) > 0 {
		resp.Header.Set("Content-Length", strconv.Itoa(len(body)))
	}
	err = openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: at.RequestValidationInput,
		Status:                 resp.StatusCode,
		Header:                 resp.Header,
		Body:                   io.NopCloser(bytes.NewReader(body)),
		Options:                at.Options,
	})
	if err != nil {
		r.t.Errorf("%s: %d: %v", operation.OperationID, resp.StatusCode, err)
	}
	return nil
}

// grow changes a response into one that a later server might send, and returns its body.
func grow(t testing.TB, operation *openapi3.Operation, resp *http.Response, body []byte) []byte {
	t.Helper()
	resp.Header.Set(additive.Header, "since a later release")
	if len(body) == 0 {
		return body
	}
	var value map[string]any
	if err := json.Unmarshal(body, &value); err != nil {
		t.Errorf("%s: %v", operation.OperationID, err)
		return body
	}
	if resp.StatusCode == http.StatusNotFound { // change it to a status that the operation does not have
		resp.StatusCode, resp.Status = http.StatusLocked, "423 Locked"
		value["error"].(map[string]any)["status"] = http.StatusLocked
	}
	if operation.OperationID == "listEvents" {
		value["data"] = append(value["data"].([]any), laterEvent())
	}
	schema := operation.Responses.Status(resp.StatusCode).Value.Content["application/json"].Schema
	grown, err := json.Marshal(additive.Answer(schema, value))
	if err != nil {
		t.Error(err)
	}
	return grown
}

// laterEvent returns an event of a kind that 1.0.0 does not have.
func laterEvent() map[string]any {
	return map[string]any{
		"id":         "evt_01k5w0q2m7t9c3r5v8x0z1b4d6",
		"event":      additive.Kind,
		"created_at": "2026-05-11T15:32:01.123456Z",
		"account_id": "acc_01k5w0q2m7t9c3r5v8x0z1b4d6",
		"data": map[string]any{
			"card_id": "card_01k5w0q2m7t9c3r5v8x0z1b4d6",
			"title":   "Ember Fox",
			"set":     "",
			"number":  "",
		},
	}
}
