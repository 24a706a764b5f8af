package markettest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/cardvault/cardvault/internal/sharedtest"
)

// files are eBay's published contracts, and the paths below which their operations are.
var files = map[string]string{
	"sell_inventory_v1_oas3.json":        "/sell/inventory/v1",
	"sell_fulfillment_v1_oas3.json":      "/sell/fulfillment/v1",
	"sell_account_v1_oas3.json":          "/sell/account/v1",
	"sell_metadata_v1_oas3.json":         "/sell/metadata/v1",
	"commerce_notification_v1_oas3.json": "/commerce/notification/v1",
	mediaFile:                            "/commerce/media/v1_beta",
}

// Contracts checks requests and responses. Unlike eBay's documents, it does not allow fields that they do not define.
type Contracts []contract

type contract struct {
	prefix string
	doc    *openapi3.T
	router routers.Router
	errors map[int]origin
}

// load reads the contracts once for all tests of the process. Without the shared test material there are none.
var load = sync.OnceValues(func() (Contracts, error) {
	var all Contracts
	for file, prefix := range files {
		path, found := sharedtest.Find("data/ebay/" + file)
		if !found {
			return nil, nil
		}
		c, err := loadContract(path, prefix)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, c)
	}
	return all, nil
})

func loadContract(file, prefix string) (contract, error) {
	doc, err := openapi3.NewLoader().LoadFromFile(file)
	if err != nil {
		return contract{}, err
	}
	doc.Servers = openapi3.Servers{{URL: prefix}}
	if filepath.Base(file) == mediaFile {
		if err := addImages(doc); err != nil {
			return contract{}, err
		}
	}
	closed := false
	for _, schema := range doc.Components.Schemas {
		schema.Value.AdditionalProperties = openapi3.AdditionalProperties{Has: &closed}
	}
	correct(doc)
	router, err := gorillamux.NewRouter(doc)
	return contract{prefix, doc, router, listedErrors(doc)}, err
}

// correct changes what eBay's descriptions and examples contradict: two fields are objects, not strings, and a bulk
// call responds to partial success (207) as to success.
func correct(doc *openapi3.T) {
	if product := doc.Components.Schemas["Product"]; product != nil {
		values := openapi3.NewArraySchema().WithItems(openapi3.NewStringSchema())
		product.Value.Properties["aspects"] = openapi3.NewObjectSchema().WithAdditionalProperties(values).NewRef()
	}
	if destination := doc.Components.Schemas["Destination"]; destination != nil {
		destination.Value.Properties["deliveryConfig"] = doc.Components.Schemas["DeliveryConfig"]
	}
	for _, path := range doc.Paths.Map() {
		for _, operation := range path.Operations() {
			if partial := operation.Responses.Value("207"); partial != nil && partial.Value.Content == nil {
				operation.Responses.Set("207", operation.Responses.Value("200"))
			}
		}
	}
}

// operation returns the contract and the operation that a request is for, with the variables of its path.
func (all Contracts) operation(r *http.Request) (contract, *routers.Route, map[string]string, error) {
	for _, c := range all {
		if strings.HasPrefix(r.URL.Path, c.prefix+"/") {
			route, params, err := c.router.FindRoute(r)
			return c, route, params, err
		}
	}
	return contract{}, nil, nil, nil
}

// All returns the contracts. It skips the test if the shared test material is absent.
func All(t testing.TB) Contracts {
	t.Helper()
	sharedtest.Path(t, "data/ebay")
	all, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Operation returns the operationId of the request's operation, and its OAuth scopes. A token needs at least one scope.
func (all Contracts) Operation(r *http.Request) (operationID string, scopes []string) {
	_, route, _, err := all.operation(r)
	if err != nil || route == nil {
		return "", nil
	}
	for _, requirement := range *route.Operation.Security {
		scopes = append(scopes, requirement["api_auth"]...)
	}
	return route.Operation.OperationID, scopes
}

// Validate passes requests on and reports each request and response that does not conform to the contracts. If seen is
// set, it is called with the operation and the status. Requests for other paths are not checked. A refused request
// (400) need not conform. Without the contracts, which are shared test material, nothing is checked.
func Validate(t testing.TB, next http.Handler, seen func(operationID string, status int)) http.Handler {
	t.Helper()
	all, err := load()
	if err != nil {
		t.Fatal(err)
	}
	if all == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Errorf("%s %s: request: %v", r.Method, r.URL, err)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		response := httptest.NewRecorder()
		next.ServeHTTP(response, r)
		r.Body = io.NopCloser(bytes.NewReader(body))
		c, route, params, err := all.operation(r)
		switch {
		case err != nil:
			t.Errorf("%s %s is not in the contract: %v", r.Method, r.URL, err)
		case route != nil:
			c.check(t, r, route, params, response)
			if seen != nil {
				seen(route.Operation.OperationID, response.Code)
			}
		}
		for name, values := range response.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(response.Code)
		w.Write(response.Body.Bytes())
	})
}

// check validates a request and its response.
func (c contract) check(
	t testing.TB, r *http.Request, route *routers.Route, params map[string]string, response *httptest.ResponseRecorder,
) {
	t.Helper()
	options := &openapi3filter.Options{
		AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true,
	}
	input := &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route, Options: options}
	if response.Code != http.StatusBadRequest {
		if err := openapi3filter.ValidateRequest(t.Context(), input); err != nil {
			t.Errorf("%s %s: request: %v", r.Method, r.URL, err)
		}
	}
	if response.Code >= 400 {
		c.checkErrors(t, route.Operation, response)
		return
	}
	output := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: response.Code, Header: response.Header(),
		Body: io.NopCloser(bytes.NewReader(response.Body.Bytes())), Options: options,
	}
	if err := openapi3filter.ValidateResponse(t.Context(), output); err != nil {
		t.Errorf("%s %s: response %d: %v", r.Method, r.URL, response.Code, err)
	}
}

// common are the errors of all operations, which the contracts do not list: of tokens, scopes, call limits and media
// types.
var common = []int{1001, 1002, 1100, 2001, 2005}

// checkErrors validates the errors of a response. Their identifiers, domains and categories must be among the
// contract's errors. eBay's lists per operation are incomplete: the list of createOffer lacks 25002.
func (c contract) checkErrors(t testing.TB, operation *openapi3.Operation, response *httptest.ResponseRecorder) {
	t.Helper()
	var body struct {
		Errors []struct {
			ErrorID          int
			Domain, Category string
		} `json:"errors"`
	}
	var plain struct{ Errors []any }
	data := response.Body.Bytes()
	if err := json.Unmarshal(data, &body); err != nil || len(body.Errors) == 0 {
		t.Errorf("%s: error response %d without errors[]: %s", operation.OperationID, response.Code, data)
	}
	json.Unmarshal(data, &plain) // valid, as above
	for i, reason := range body.Errors {
		if err := c.doc.Components.Schemas["Error"].Value.VisitJSON(plain.Errors[i]); err != nil {
			t.Errorf("%s: errors[]: %v", operation.OperationID, err)
		}
		of := c.errors[reason.ErrorID]
		if !slices.Contains(common, reason.ErrorID) && (of.domain != reason.Domain || of.category != reason.Category) {
			t.Errorf("%s: the contract does not list the error %+v", operation.OperationID, reason)
		}
	}
}

type origin struct{ domain, category string }

// listedErrors returns the errors that a contract documents.
func listedErrors(doc *openapi3.T) map[int]origin {
	origins := map[int]origin{}
	for _, path := range doc.Paths.Map() {
		for _, operation := range path.Operations() {
			for _, response := range operation.Responses.Map() {
				var document struct {
					Errors map[int]struct{ Domain, Category string } `json:"errors"`
				}
				raw, err := json.Marshal(response.Value.Extensions["x-response-codes"])
				if err != nil || json.Unmarshal(raw, &document) != nil {
					continue // it has none
				}
				for id, e := range document.Errors {
					origins[id] = origin{e.Domain, e.Category}
				}
			}
		}
	}
	return origins
}
