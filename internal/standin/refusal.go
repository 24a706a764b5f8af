package standin

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/cardvault/cardvault/internal/ebay"
)

// refusal is a no in eBay's form.
type refusal struct {
	status int
	errors []ebay.Error
}

// Error returns the first reason.
func (r *refusal) Error() string {
	return fmt.Sprintf("%d: %d %s", r.status, r.errors[0].ErrorID, r.errors[0].LongMessage)
}

// The domains of errors.
const (
	domainInventory   = "API_INVENTORY"
	domainFulfillment = "API_FULFILLMENT"
)

var (
	invalidToken = &refusal{http.StatusUnauthorized, []ebay.Error{{ErrorID: ebay.InvalidToken, Domain: "OAuth",
		Category: "REQUEST", Message: "Invalid access token",
		LongMessage: "Invalid access token. Check the value of the Authorization HTTP request header."}}}
	offerNotFound = &refusal{http.StatusNotFound, []ebay.Error{
		inventoryError(ebay.OfferNotFound, "This Offer is not available.")}}
	systemError = ebay.Error{ErrorID: 25001, Domain: domainInventory, Category: "APPLICATION",
		Message: "A system error has occurred.", LongMessage: "A system error has occurred. Try again later."}
)

func inventoryError(id int, message string, parameters ...ebay.Parameter) ebay.Error {
	return ebay.Error{ErrorID: id, Domain: domainInventory, Category: "REQUEST",
		Message: message, LongMessage: message, Parameters: parameters}
}

// refuse returns a 400 with one reason of the Inventory API.
func refuse(id int, message string, parameters ...ebay.Parameter) *refusal {
	return &refusal{http.StatusBadRequest, []ebay.Error{inventoryError(id, message, parameters...)}}
}

// invalidValue is error 25709: a field, parameter or header that cannot be used.
func invalidValue(field string) *refusal {
	return refuse(25709, "Invalid value for "+field+".", ebay.Parameter{Name: "fieldName", Value: field})
}

// fail answers err in eBay's form; what is no refusal is logged and answered as a system error.
func (s *server) fail(w http.ResponseWriter, r *http.Request, err error) {
	var no *refusal
	if !errors.As(err, &no) {
		s.log.ErrorContext(r.Context(), "marketplace request failed", "method", r.Method, "path", r.URL.Path, "error", err)
		no = &refusal{http.StatusInternalServerError, []ebay.Error{systemError}}
	}
	writeJSON(w, no.status, ebay.ErrorBody{Errors: no.errors})
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body) // the client that hung up is not told
}

// readJSON reads a body of the Inventory API, which wants the two content headers.
func readJSON(r *http.Request, body any) error {
	if r.Header.Get("Content-Language") == "" {
		return invalidValue("header Content-Language")
	}
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		return invalidValue("header Content-Type")
	}
	if err := json.NewDecoder(r.Body).Decode(body); err != nil {
		return refuse(25604, "Input error. The body is not the JSON that this call takes.")
	}
	return nil
}
