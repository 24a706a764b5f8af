package sandboxmarket

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/cardvault/cardvault/internal/ebay"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
)

// defaultBuyer is the name of the buyer if the request does not contain one.
const defaultBuyer = "sandbox-buyer"

// outcome is the response of the control routes.
type outcome struct {
	SKU       string       `json:"sku"`
	ListingID string       `json:"listing_id"` // at the marketplace
	State     string       `json:"state"`      // sold or ended
	OrderID   *string      `json:"order_id"`
	Price     *money.Money `json:"price"`
	Buyer     *string      `json:"buyer"`
}

// controlRoutes adds routes that eBay does not have: tests and scripts use them to act as a visitor of the
// site. {sku} is the SKU or the listing's identifier in CardVault, with or without its underscore.
func (s *server) controlRoutes(mux *http.ServeMux) {
	const base = "/sandbox/listings/{sku}" // documented in openapi/guides/sandbox.md
	mux.HandleFunc("POST "+base+"/buy", s.control(s.apiBuy))
	mux.HandleFunc("POST "+base+"/end", s.control(s.apiEnd))
}

// control returns the handler of a control route. It writes errors in CardVault's format.
func (s *server) control(next func(r *http.Request, sku string) (outcome, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		done, err := next(r, ebay.SKU(r.PathValue("sku")))
		if err == nil {
			writeJSON(w, http.StatusOK, done)
			return
		}
		problem := s.faultOf(r, err)
		writeJSON(w, problem.Status(), map[string]any{"error": map[string]any{
			"code": problem.Code, "message": problem.Message, "status": problem.Status()}})
	}
}

// faultOf converts an error for the site and the control routes. It logs unexpected errors.
func (s *server) faultOf(r *http.Request, err error) *fault.Error {
	if problem, ok := fault.As(err); ok {
		return problem
	}
	var apiErr *apiError
	switch {
	case errors.Is(err, offerNotFound):
		return fault.New(fault.ListingNotFound, "there is no such listing")
	case errors.As(err, &apiErr):
		return fault.New(fault.ListingNotLive, "this listing is not for sale any more")
	}
	s.log.ErrorContext(r.Context(), "marketplace visit failed", "path", r.URL.Path, "error", err)
	return fault.New(fault.InternalError, "something went wrong: try again")
}

// apiBuy reads an optional body {"price": {"amount", "currency"}, "buyer": "…"}.
func (s *server) apiBuy(r *http.Request, sku string) (outcome, error) {
	var body struct {
		Price *money.Money `json:"price"`
		Buyer string       `json:"buyer"`
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil && !errors.Is(err, io.EOF) {
		return outcome{}, fault.New(fault.InvalidJSON,
			`the body must be empty or {"price": {"amount", "currency"}, "buyer"}`)
	}
	if body.Price != nil {
		if err := body.Price.Check("price"); err != nil {
			return outcome{}, err
		}
	}
	if body.Buyer == "" {
		body.Buyer = defaultBuyer
	}
	made, err := s.store.buy(r.Context(), bySKU(sku, ""), body.Buyer, body.Price)
	if err != nil {
		return outcome{}, err
	}
	paid := made.price()
	return outcome{made.SKU, made.ListingID, sold, &made.OrderID, &paid, &made.Buyer}, nil
}

func (s *server) apiEnd(r *http.Request, sku string) (outcome, error) {
	done, err := s.store.end(r.Context(), bySKU(sku, ""))
	if err != nil {
		return outcome{}, err
	}
	return outcome{SKU: done.SKU, ListingID: *done.ListingID, State: done.State}, nil
}
