package sandboxmarket

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
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
	mux.HandleFunc("GET /sandbox/faults", s.control(s.apiFaults))
	mux.HandleFunc("POST /sandbox/faults", s.control(s.apiAddFault))
	mux.HandleFunc("DELETE /sandbox/faults", s.control(s.apiRemoveFaults))
	mux.HandleFunc("DELETE /sandbox/faults/{id}", s.control(s.apiRemoveFaults))
	mux.HandleFunc("POST /sandbox/orders/{order}/cancel", s.control(s.apiCancel))
	mux.HandleFunc("POST /sandbox/orders/{order}/refund", s.control(s.apiRefund))
}

// control returns the handler of a control route. It writes errors in CardVault's format.
func (s *server) control(next func(r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		done, err := next(r)
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
	case errors.Is(err, errNoOrder):
		return fault.New(fault.SaleNotFound, "there is no such order")
	case errors.As(err, &apiErr) && apiErr.errors[0].Domain == domainFulfillment:
		return fault.New(fault.InvalidRequest, "%s", apiErr.errors[0].LongMessage)
	case errors.As(err, &apiErr):
		return fault.New(fault.ListingNotLive, "this listing is not for sale any more")
	}
	s.log.ErrorContext(r.Context(), "marketplace visit failed", "path", r.URL.Path, "error", err)
	return fault.New(fault.InternalError, "something went wrong: try again")
}

// decodeOptional reads a body of a control route, which may be empty.
func decodeOptional(r *http.Request, body any) error {
	if err := json.NewDecoder(r.Body).Decode(body); err != nil && !errors.Is(err, io.EOF) {
		return fault.New(fault.InvalidJSON, "the body must be empty or a JSON object with the fields of the guide")
	}
	return nil
}

// apiBuy reads an optional body {"price": {"amount", "currency"}, "buyer": "…", "delivery": amount}.
func (s *server) apiBuy(r *http.Request) (any, error) {
	var body struct {
		Price    *money.Money `json:"price"`
		Buyer    string       `json:"buyer"`
		Delivery int64        `json:"delivery"`
	}
	if err := decodeOptional(r, &body); err != nil {
		return nil, err
	}
	if body.Price != nil {
		if err := body.Price.Check("price"); err != nil {
			return nil, err
		}
	}
	if body.Delivery < 0 {
		return nil, fault.New(fault.InvalidRequest, "delivery must be at least 0")
	}
	if body.Buyer == "" {
		body.Buyer = defaultBuyer
	}
	o, err := s.buy(r.Context(), bySKU(wire.SKU(r.PathValue("sku")), ""), body.Buyer, body.Price, body.Delivery)
	if err != nil {
		return nil, err
	}
	paid := o.price()
	return outcome{o.SKU, o.ListingID, sold, &o.OrderID, &paid, &o.Buyer}, nil
}

func (s *server) apiEnd(r *http.Request) (any, error) {
	done, err := s.store.end(r.Context(), bySKU(wire.SKU(r.PathValue("sku")), ""))
	if err != nil {
		return nil, err
	}
	return outcome{SKU: done.SKU, ListingID: *done.ListingID, State: done.State}, nil
}
