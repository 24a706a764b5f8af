// Package apitest validates responses against the contract in tests, and records which of the documented responses
// tests have produced. It sends no requests.
package apitest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/cardvault/cardvault/openapi"
)

// document is a contract with its router.
type document struct {
	version string
	spec    *openapi3.T
	router  routers.Router
}

var (
	v1 = sync.OnceValue(func() document { return load("v1", openapi.ParseV1) })
	v2 = sync.OnceValue(func() document { return load("v2", openapi.ParseV2) })
)

// load uses the document that the service has parsed. The tests of package openapi check that it is valid.
func load(version string, parse func() (*openapi3.T, error)) document {
	doc, err := parse()
	if err != nil {
		panic(fmt.Sprintf("apitest: the contract: %v", err))
	}
	spec := *doc
	spec.Security = nil
	router, err := gorillamux.NewRouter(&spec)
	if err != nil {
		panic(fmt.Sprintf("apitest: the contract: %v", err))
	}
	return document{version, &spec, router}
}

// Validate fails the test if a response to a request under /api does not match the contract: an undocumented status,
// missing headers, or an invalid body. It returns the body, which can still be read from resp.
func Validate(t testing.TB, r *http.Request, resp *http.Response) []byte {
	t.Helper()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", r.Method, r.URL, err)
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	checkHeaders(t, r, resp)
	if r.Method == http.MethodOptions {
		return body
	}
	doc := v1()
	if strings.HasPrefix(r.URL.Path, "/api/v2/") {
		doc = v2()
	}
	probe := r.Clone(context.Background())
	if probe.Method == http.MethodHead {
		probe.Method = http.MethodGet
	}
	route, _, err := doc.router.FindRoute(probe)
	// The router decodes %2F, but for the service it is part of a path that does not exist.
	if err != nil || strings.Contains(strings.ToUpper(r.URL.RawPath), "%2F") {
		checkEnvelope(t, r, resp, body)
		noteCode(t, doc, NoOperation, r, resp, body)
		return body
	}
	checkCode(t, route.Operation, r, resp, body)
	noteCode(t, doc, route.Operation.OperationID, r, resp, body)
	err = openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, Route: route},
		Status:                 resp.StatusCode, Header: resp.Header, Body: io.NopCloser(bytes.NewReader(body)),
		Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true},
	})
	if err != nil {
		t.Errorf("%s %s: %d does not match the contract: %v\n%s", r.Method, r.URL, resp.StatusCode, err, body)
	}
	if status := resp.StatusCode; (status == http.StatusNotModified || status == http.StatusNoContent) &&
		len(body) > 0 {
		t.Errorf("%s %s: %d with a body: %s", r.Method, r.URL, status, body)
	}
	return body
}

// checkCode fails the test if the contract does not list the error's code for the operation and the status.
func checkCode(t testing.TB, operation *openapi3.Operation, r *http.Request, resp *http.Response, body []byte) {
	t.Helper()
	if resp.StatusCode < 400 || r.Method == http.MethodHead {
		return
	}
	if code, codes := codeIn(body), codesOf(operation, strconv.Itoa(resp.StatusCode)); !slices.Contains(codes, code) {
		t.Errorf("%s %s: %d %s, but x-error-codes of %s lists %q", r.Method, r.URL, resp.StatusCode, code,
			operation.OperationID, codes)
	}
}

// noteCode records the response and the errors of its items, except for errors of HEAD requests, which have no code.
func noteCode(t testing.TB, doc document, operation string, r *http.Request, resp *http.Response, body []byte) {
	t.Helper()
	code := codeIn(body)
	if resp.StatusCode >= 400 && code == "" {
		return
	}
	for _, code := range append(itemCodesIn(body), code) {
		if err := note(Response{doc.version, operation, resp.StatusCode, code}); err != nil {
			t.Errorf("%s: %v", SeenVariable, err)
		}
	}
}

// commonHeaders are the headers of all responses under /api.
var commonHeaders = []string{
	"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset",
	"X-Request-Id", "Cache-Control", "X-Content-Type-Options", "Access-Control-Allow-Origin",
}

func checkHeaders(t testing.TB, r *http.Request, resp *http.Response) {
	t.Helper()
	want := commonHeaders
	switch resp.StatusCode {
	case http.StatusNotModified:
		want = append(slices.Clone(want), "ETag")
	case http.StatusUnauthorized:
		want = append(slices.Clone(want), "WWW-Authenticate")
	case http.StatusMethodNotAllowed:
		want = append(slices.Clone(want), "Allow")
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		want = append(slices.Clone(want), "Retry-After")
	}
	for _, name := range want {
		if resp.Header.Get(name) == "" {
			t.Errorf("%s %s: %d without %s", r.Method, r.URL, resp.StatusCode, name)
		}
	}
}

// checkEnvelope checks the error response for a path that the contract does not define.
func checkEnvelope(t testing.TB, r *http.Request, resp *http.Response, body []byte) {
	t.Helper()
	if resp.StatusCode < 400 || resp.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%s %s: %d %s for a path that is not in the contract", r.Method, r.URL, resp.StatusCode,
			resp.Header.Get("Content-Type"))
		return
	}
	if r.Method == http.MethodHead {
		return
	}
	var value any
	err := json.Unmarshal(body, &value)
	if err == nil {
		err = v1().spec.Components.Schemas["Error"].Value.VisitJSON(value)
	}
	if err != nil {
		t.Errorf("%s %s: %d: %v\n%s", r.Method, r.URL, resp.StatusCode, err, body)
	}
}
