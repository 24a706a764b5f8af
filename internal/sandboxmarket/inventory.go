package sandboxmarket

import (
	"context"
	"errors"
	"net/http"
	"regexp"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/postgres"
)

// validSKU matches 1 to 50 letters and digits. eBay returns error 25707 for other SKUs.
var validSKU = regexp.MustCompile(`^[A-Za-z0-9]{1,50}$`)

func (s *server) putItem(w http.ResponseWriter, r *http.Request, from caller) error {
	sku := r.PathValue("sku")
	var item wire.InventoryItem
	if err := readJSON(r, &item); err != nil {
		return err
	}
	created, err := s.saveItem(r.Context(), from.seller, sku, item)
	switch {
	case err != nil:
		return err
	case created:
		writeJSON(w, http.StatusCreated, struct{}{})
	default:
		w.WriteHeader(http.StatusNoContent)
	}
	return nil
}

// saveItem creates or replaces an inventory item and reports whether it is new.
func (s *server) saveItem(ctx context.Context, seller, sku string, item wire.InventoryItem) (created bool, err error) {
	if !validSKU.MatchString(sku) {
		return false, badRequest(25707, "This is an invalid value for a SKU. "+
			"Only alphanumeric characters can be used for SKUs, and their length must not exceed 50 characters.")
	}
	return s.store.putItem(ctx, seller, sku, item)
}

func (s *server) getItem(w http.ResponseWriter, r *http.Request, from caller) error {
	o, err := s.store.find(r.Context(), bySKU(r.PathValue("sku"), from.seller))
	if errors.Is(err, offerNotFound) {
		return itemNotFound(r.PathValue("sku"))
	}
	if err != nil {
		return err
	}
	shown, err := o.wireItem()
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, shown)
	return nil
}

func (s *server) createOffer(w http.ResponseWriter, r *http.Request, from caller) error {
	var input wire.NewOffer
	if err := readJSON(r, &input); err != nil {
		return err
	}
	o, err := s.addOffer(r.Context(), from.seller, input)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusCreated, wire.OfferCreated{OfferID: *o.OfferID})
	return nil
}

// addOffer creates the offer of an inventory item.
func (s *server) addOffer(ctx context.Context, seller string, input wire.NewOffer) (*offer, error) {
	if _, ok := sites[input.MarketplaceID]; !ok {
		return nil, invalidValue("marketplaceId")
	}
	if input.Format != wire.FixedPrice {
		return nil, invalidValue("format")
	}
	result, err := s.store.update(ctx, bySKU(input.SKU, seller), func(_ *postgres.Tx, o *offer) error {
		return o.create(number(10), input.MarketplaceID, input.OfferTerms)
	})
	if errors.Is(err, offerNotFound) {
		return nil, badRequest(25702, input.SKU+" could not be found or is not available in the system.")
	}
	return result, err
}

func (s *server) updateOffer(w http.ResponseWriter, r *http.Request, from caller) error {
	var terms wire.OfferTerms
	if err := readJSON(r, &terms); err != nil {
		return err
	}
	result, err := s.store.update(r.Context(), byOffer(r.PathValue("offerId"), from.seller),
		func(_ *postgres.Tx, o *offer) error { return o.replaceTerms(terms) })
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, wire.OfferCreated{OfferID: *result.OfferID})
	return nil
}

func (s *server) publishOffer(w http.ResponseWriter, r *http.Request, from caller) error {
	return s.updateListing(w, r, from, func(tx *postgres.Tx, o *offer) error { return publish(r.Context(), tx, o) })
}

func (s *server) withdrawOffer(w http.ResponseWriter, r *http.Request, from caller) error {
	return s.updateListing(w, r, from, func(_ *postgres.Tx, o *offer) error { return o.close(withdrawn) })
}

// updateListing applies a rule that publishes or withdraws the offer.
func (s *server) updateListing(
	w http.ResponseWriter, r *http.Request, from caller, rule func(*postgres.Tx, *offer) error,
) error {
	o, err := s.store.update(r.Context(), byOffer(r.PathValue("offerId"), from.seller), rule)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, wire.ListingChanged{ListingID: *o.ListingID})
	return nil
}

func (s *server) getOffer(w http.ResponseWriter, r *http.Request, from caller) error {
	o, err := s.store.find(r.Context(), byOffer(r.PathValue("offerId"), from.seller))
	if err != nil {
		return err
	}
	shown, err := o.wire()
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, shown)
	return nil
}

// getOffers returns the only offer of an SKU.
func (s *server) getOffers(w http.ResponseWriter, r *http.Request, from caller) error {
	o, err := s.store.find(r.Context(), bySKU(r.URL.Query().Get("sku"), from.seller))
	if err != nil {
		return err
	}
	marketplace := r.URL.Query().Get("marketplace_id")
	if o.OfferID == nil || marketplace != "" && marketplace != o.Marketplace {
		return offerNotFound
	}
	shown, err := o.wire()
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, wire.Offers{
		Href: r.URL.RequestURI(), Limit: 100, Size: 1, Total: 1, Offers: []wire.Offer{shown},
	})
	return nil
}
