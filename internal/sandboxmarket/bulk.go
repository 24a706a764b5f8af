package sandboxmarket

import (
	"context"
	"errors"
	"net/http"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/postgres"
)

// respond writes the results of a bulk call: 207 if an element failed.
func (s *server) respond(w http.ResponseWriter, results []wire.BulkResponse) {
	status := http.StatusOK
	for _, result := range results {
		if result.StatusCode >= 400 {
			status = http.StatusMultiStatus
		}
	}
	writeJSON(w, status, wire.BulkResponses{Responses: results})
}

// result completes the result of one element with the status for success, or with the error.
func (s *server) result(ctx context.Context, done wire.BulkResponse, success int, err error) wire.BulkResponse {
	done.StatusCode = success
	if err == nil {
		return done
	}
	var apiErr *apiError
	if !errors.As(err, &apiErr) {
		s.log.ErrorContext(ctx, "element of a bulk call failed", "error", err)
		apiErr = &apiError{http.StatusInternalServerError, []wire.Error{systemError}}
	}
	done.StatusCode, done.Errors = apiErr.status, apiErr.errors
	return done
}

// checkBulk returns an error if a bulk call has too many elements or two with the same key.
func checkBulk[T any](elements []T, key func(T) string, tooMany, twice *apiError) error {
	if len(elements) > wire.MaxBulk {
		return tooMany
	}
	seen := map[string]bool{}
	for _, element := range elements {
		if seen[key(element)] {
			return twice
		}
		seen[key(element)] = true
	}
	if len(elements) == 0 {
		return invalidValue("requests")
	}
	return nil
}

func (s *server) bulkGetItems(w http.ResponseWriter, r *http.Request, from caller) error {
	var body wire.BulkSKUs
	if err := readPlainJSON(r, &body); err != nil {
		return err
	}
	err := checkBulk(body.Requests, func(i wire.SKURequest) string { return i.SKU },
		badRequest(25727, "The number of InventoryItems in the request cannot exceed 25."),
		badRequest(25734, "SKU should be unique in the request."))
	if err != nil {
		return err
	}
	results := make([]wire.BulkResponse, len(body.Requests))
	for i, request := range body.Requests {
		done := wire.BulkResponse{SKU: request.SKU}
		o, err := s.store.find(r.Context(), bySKU(request.SKU, from.seller))
		switch {
		case errors.Is(err, offerNotFound):
			err = itemNotFound(request.SKU)
		case err == nil:
			var item wire.InventoryItem
			item, err = o.wireItem()
			done.InventoryItem = &item
		}
		results[i] = s.result(r.Context(), done, http.StatusOK, err)
	}
	s.respond(w, results)
	return nil
}

func (s *server) bulkPutItems(w http.ResponseWriter, r *http.Request, from caller) error {
	var body wire.BulkItems
	if err := readJSON(r, &body); err != nil {
		return err
	}
	err := checkBulk(body.Requests, func(i wire.BulkItem) string { return i.SKU },
		badRequest(25727, "The number of InventoryItems in the request cannot exceed 25."),
		badRequest(25728, "InventoryItems should be unique in the request."))
	if err != nil {
		return err
	}
	results := make([]wire.BulkResponse, len(body.Requests))
	for i, item := range body.Requests {
		if item.SKU == "" || item.Locale == "" {
			return badRequest(25733,
				"Valid SKU and locale information are required for all the InventoryItems in the request.")
		}
		status := http.StatusOK
		created, err := s.saveItem(r.Context(), from.seller, item.SKU, item.InventoryItem)
		if created {
			status = http.StatusCreated
		}
		results[i] = s.result(r.Context(), wire.BulkResponse{SKU: item.SKU, Locale: item.Locale}, status, err)
	}
	s.respond(w, results)
	return nil
}

func (s *server) bulkCreateOffers(w http.ResponseWriter, r *http.Request, from caller) error {
	var body wire.BulkOffers
	if err := readJSON(r, &body); err != nil {
		return err
	}
	key := func(o wire.NewOffer) string { return o.SKU + " " + o.MarketplaceID + " " + o.Format }
	err := checkBulk(body.Requests, key,
		badRequest(25730, "The number of offers in the request cannot exceed 25."),
		badRequest(25729, "The combination of SKU, marketplaceId and format should be unique."))
	if err != nil {
		return err
	}
	results := make([]wire.BulkResponse, len(body.Requests))
	for i, request := range body.Requests {
		done := wire.BulkResponse{SKU: request.SKU, MarketplaceID: request.MarketplaceID, Format: request.Format}
		result, err := s.addOffer(r.Context(), from.seller, request)
		if err == nil {
			done.OfferID = *result.OfferID
		}
		results[i] = s.result(r.Context(), done, http.StatusOK, err)
	}
	s.respond(w, results)
	return nil
}

func (s *server) bulkPublishOffers(w http.ResponseWriter, r *http.Request, from caller) error {
	var body wire.BulkPublish
	if err := readPlainJSON(r, &body); err != nil {
		return err
	}
	err := checkBulk(body.Requests, func(o wire.OfferCreated) string { return o.OfferID },
		badRequest(25730, "The number of offers in the request cannot exceed 25."),
		badRequest(25731, "OfferId should be unique in the request."))
	if err != nil {
		return err
	}
	results := make([]wire.BulkResponse, len(body.Requests))
	for i, request := range body.Requests {
		done := wire.BulkResponse{OfferID: request.OfferID}
		result, err := s.store.update(r.Context(), byOffer(request.OfferID, from.seller),
			func(tx *postgres.Tx, o *offer) error { return publish(r.Context(), tx, o) })
		if err == nil {
			done.ListingID = *result.ListingID
		}
		results[i] = s.result(r.Context(), done, http.StatusOK, err)
	}
	s.respond(w, results)
	return nil
}

func (s *server) bulkUpdatePrices(w http.ResponseWriter, r *http.Request, from caller) error {
	var body wire.BulkPrices
	if err := readPlainJSON(r, &body); err != nil {
		return err
	}
	offers := 0
	for _, change := range body.Requests {
		offers += len(change.Offers)
	}
	if len(body.Requests) == 0 || len(body.Requests) > wire.MaxBulk || offers > wire.MaxBulk {
		return invalidValue("requests")
	}
	var results []wire.BulkResponse
	for _, change := range body.Requests {
		results = append(results, s.changePrices(r.Context(), from, change)...)
	}
	s.respond(w, results)
	return nil
}

// changePrices carries out one element of bulkUpdatePriceQuantity. It has a result for the inventory item, if the
// element changes it, and one for each offer.
func (s *server) changePrices(ctx context.Context, from caller, change wire.PriceQuantity) []wire.BulkResponse {
	var results []wire.BulkResponse
	if stock := change.ShipToLocationAvailability; stock != nil {
		_, err := s.store.update(ctx, bySKU(change.SKU, from.seller),
			func(_ *postgres.Tx, o *offer) error { return o.restock(stock.Quantity) })
		if errors.Is(err, offerNotFound) {
			err = badRequest(wire.UserError, "A user error has occurred. The SKU "+change.SKU+" does not exist.")
		}
		results = append(results, s.result(ctx, wire.BulkResponse{SKU: change.SKU}, http.StatusOK, err))
	}
	for _, item := range change.Offers {
		done := wire.BulkResponse{OfferID: item.OfferID, SKU: change.SKU}
		result, err := s.store.update(ctx, byOffer(item.OfferID, from.seller),
			func(_ *postgres.Tx, o *offer) error { return o.reprice(item) })
		if errors.Is(err, offerNotFound) {
			err = badRequest(wire.UserError, "A user error has occurred. The offer does not exist.")
		}
		if err == nil {
			done.SKU = result.SKU
		}
		results = append(results, s.result(ctx, done, http.StatusOK, err))
	}
	return results
}
