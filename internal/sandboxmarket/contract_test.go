package sandboxmarket_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/cardvault/cardvault/internal/ebay"
	"github.com/cardvault/cardvault/internal/listings/marketplaces"
	"github.com/cardvault/cardvault/internal/sharedtest"
)

// contract is one of eBay's published contracts. Unlike eBay's document, it does not allow fields that it does
// not define.
type contract struct {
	prefix string
	router routers.Router
	errors *openapi3.Schema
}

func loadContract(t *testing.T, file, prefix string) contract {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromFile(sharedtest.Path(t, "data/ebay/"+file))
	if err != nil {
		t.Fatal(err)
	}
	doc.Servers = openapi3.Servers{{URL: prefix}}
	closed := false
	for _, schema := range doc.Components.Schemas {
		schema.Value.AdditionalProperties = openapi3.AdditionalProperties{Has: &closed}
	}
	if product := doc.Components.Schemas["Product"]; product != nil {
		// The type in the document is "string", but its description and its example show an object of arrays.
		values := openapi3.NewArraySchema().WithItems(openapi3.NewStringSchema())
		product.Value.Properties["aspects"] = openapi3.NewObjectSchema().WithAdditionalProperties(values).NewRef()
	}
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	return contract{prefix, router, doc.Components.Schemas["Error"].Value}
}

// check validates a request and its response.
func (c contract) check(t *testing.T, r *http.Request, response *httptest.ResponseRecorder) {
	t.Helper()
	route, params, err := c.router.FindRoute(r)
	if err != nil {
		t.Errorf("%s %s is not in the contract: %v", r.Method, r.URL, err)
		return
	}
	options := &openapi3filter.Options{
		AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true,
	}
	input := &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route, Options: options}
	if err := openapi3filter.ValidateRequest(t.Context(), input); err != nil {
		t.Errorf("%s %s: request: %v", r.Method, r.URL, err)
	}
	if response.Code >= 400 {
		c.checkErrors(t, response.Body.Bytes())
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

func (c contract) checkErrors(t *testing.T, body []byte) {
	t.Helper()
	var response struct {
		Errors []any `json:"errors"`
	}
	if err := json.Unmarshal(body, &response); err != nil || len(response.Errors) == 0 {
		t.Errorf("error response without errors[]: %s", body)
	}
	for _, reason := range response.Errors {
		if err := c.errors.VisitJSON(reason); err != nil {
			t.Errorf("errors[]: %v", err)
		}
	}
}

// conform checks every later request and response of a market, and counts them by operation and status.
func conform(t *testing.T, m *market) map[string]int {
	t.Helper()
	contracts := []contract{
		loadContract(t, "sell_inventory_v1_oas3.json", ebay.InventoryPath),
		loadContract(t, "sell_fulfillment_v1_oas3.json", ebay.FulfillmentPath),
	}
	seen := map[string]int{}
	intercept := func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		response := httptest.NewRecorder()
		next.ServeHTTP(response, r)
		r.Body = io.NopCloser(bytes.NewReader(body))
		for _, c := range contracts {
			if path, ok := strings.CutPrefix(r.URL.Path, c.prefix); ok {
				c.check(t, r, response)
				seen[r.Method+" "+strings.Split(path, "/")[1]+" "+http.StatusText(response.Code)]++
			}
		}
		copyResponse(w, response)
	}
	m.intercept.Store(&intercept)
	return seen
}

func TestMarket_ConformsToContracts(t *testing.T) {
	t.Parallel()
	m := setup(t)
	seen := conform(t, m)
	sold, withdrawn, graded := newOffer(), newOffer(), newOffer()
	graded.Condition, graded.Grade = "", &marketplaces.Grade{Company: "PSA", Value: "9", CertNumber: "12345678"}
	for _, o := range []marketplaces.Offer{sold, withdrawn, graded, sold} {
		publish(t, m, o)
	}
	sold.Title, sold.Price.Amount = "Charizard Base", 99900
	if _, err := m.seller.Revise(t.Context(), sold); err != nil {
		t.Error(err)
	}
	m.mustPost(t, buyPath(sold.ListingID), "")
	m.mustPost(t, endPath(graded.ListingID), "")
	if _, err := m.seller.End(t.Context(), marketplaces.Ref{ListingID: withdrawn.ListingID}); err != nil {
		t.Error(err)
	}
	for _, o := range []marketplaces.Offer{sold, withdrawn, graded} {
		m.status(t, o.ListingID)
	}
	if sales, err := m.seller.Sales(t.Context(), time.Now().Add(-time.Hour)); err != nil || len(sales.Sold) != 1 {
		t.Errorf("Sales = %+v, %v, want one sale", sales, err)
	}
	for _, call := range []string{
		"GET offer Not Found", "GET offer OK", "PUT inventory_item Created", "PUT inventory_item No Content",
		"GET inventory_item OK", "POST offer Created", "POST offer OK", "PUT offer OK", "GET order OK",
	} {
		if seen[call] == 0 {
			t.Errorf("%q was not checked, only %v", call, seen)
		}
	}
}
