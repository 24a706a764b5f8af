package sandboxmarket

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// apiError is an error response in eBay's format.
type apiError struct {
	status int
	errors []wire.Error
}

// Error returns the status and the first error.
func (r *apiError) Error() string {
	return fmt.Sprintf("%d: %d %s", r.status, r.errors[0].ErrorID, r.errors[0].LongMessage)
}

// The domains of errors.
const (
	domainInventory   = "API_INVENTORY"
	domainFulfillment = "API_FULFILLMENT"
)

var (
	invalidToken = &apiError{http.StatusUnauthorized, []wire.Error{{ErrorID: wire.InvalidToken, Domain: "OAuth",
		Category: "REQUEST", Message: "Invalid access token",
		LongMessage: "Invalid access token. Check the value of the Authorization HTTP request header."}}}
	missingToken = &apiError{http.StatusUnauthorized, []wire.Error{{ErrorID: wire.MissingToken, Domain: "OAuth",
		Category: "REQUEST", Message: "Missing access token",
		LongMessage: "Access token is missing in the Authorization HTTP request header."}}}
	accessDenied = &apiError{http.StatusForbidden, []wire.Error{{ErrorID: wire.AccessDenied, Domain: "ACCESS",
		Category: "REQUEST", Message: "Access denied",
		LongMessage: "Insufficient permissions to fulfill the request."}}}
	offerNotFound = &apiError{http.StatusNotFound, []wire.Error{
		inventoryError(wire.OfferNotFound, "This Offer is not available.")}}
	systemError = wire.Error{ErrorID: 25001, Domain: domainInventory, Category: "APPLICATION",
		Message: "A system error has occurred.", LongMessage: "A system error has occurred. Try again later."}
)

func inventoryError(id int, message string, parameters ...wire.Parameter) wire.Error {
	return wire.Error{ErrorID: id, Domain: domainInventory, Category: "REQUEST",
		Message: message, LongMessage: message, Parameters: parameters}
}

// badRequest returns a 400 response with one error of the Inventory API.
func badRequest(id int, message string, parameters ...wire.Parameter) *apiError {
	return &apiError{http.StatusBadRequest, []wire.Error{inventoryError(id, message, parameters...)}}
}

// itemNotFound returns the 404 response for an SKU that the seller does not have.
func itemNotFound(sku string) *apiError {
	return &apiError{http.StatusNotFound, []wire.Error{
		inventoryError(wire.SKUNotFound, sku+" could not be found or is not available in the system.")}}
}

// invalidValue returns error 25709: a field, parameter or header has an invalid value.
func invalidValue(field string) *apiError {
	return badRequest(25709, "Invalid value for "+field+".", wire.Parameter{Name: "fieldName", Value: field})
}

// fail writes err in eBay's format. An error that is not an apiError is logged and written as a system error of the
// API that was called.
func (s *server) fail(w http.ResponseWriter, r *http.Request, err error) {
	var apiErr *apiError
	if !errors.As(err, &apiErr) {
		s.log.ErrorContext(r.Context(), "marketplace request failed",
			"method", r.Method, "path", r.URL.Path, "error", err)
		apiErr = systemErrorOf(r.URL.Path)
	}
	writeJSON(w, apiErr.status, wire.ErrorBody{Errors: apiErr.errors})
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body) // fails only if the client is gone
}

// readJSON decodes a body with texts of the Inventory API, which requires both content headers.
func readJSON(r *http.Request, body any) error {
	if r.Header.Get("Content-Language") == "" {
		return invalidValue("header Content-Language")
	}
	return readPlainJSON(r, body)
}

// readPlainJSON decodes a body without texts.
func readPlainJSON(r *http.Request, body any) error {
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		return invalidValue("header Content-Type")
	}
	if err := json.NewDecoder(r.Body).Decode(body); err != nil {
		return badRequest(25604, "Input error. The body is not the JSON that this call takes.")
	}
	return nil
}
