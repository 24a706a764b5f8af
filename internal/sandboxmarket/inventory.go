package sandboxmarket

import (
	"errors"
	"net/http"
	"regexp"

	"github.com/cardvault/cardvault/internal/ebay"
	"github.com/cardvault/cardvault/internal/postgres"
)

// validSKU matches 1 to 50 letters and digits. eBay returns error 25707 for other SKUs.
var validSKU = regexp.MustCompile(`^[A-Za-z0-9]{1,50}$`)

func (s *server) inventoryRoutes(mux *http.ServeMux) {
	const base = ebay.InventoryPath
	mux.HandleFunc("PUT "+base+"/inventory_item/{sku}", s.asSeller(s.putItem))
	mux.HandleFunc("GET "+base+"/inventory_item/{sku}", s.asSeller(s.getItem))
	mux.HandleFunc("POST "+base+"/offer", s.asSeller(s.createOffer))
	mux.HandleFunc("GET "+base+"/offer", s.asSeller(s.getOffers))
	mux.HandleFunc("GET "+base+"/offer/{offerId}", s.asSeller(s.getOffer))
	mux.HandleFunc("PUT "+base+"/offer/{offerId}", s.asSeller(s.updateOffer))
	mux.HandleFunc("POST "+base+"/offer/{offerId}/publish", s.asSeller(s.publishOffer))
	mux.HandleFunc("POST "+base+"/offer/{offerId}/withdraw", s.asSeller(s.withdrawOffer))
}

func (s *server) putItem(w http.ResponseWriter, r *http.Request, seller string) error {
	sku := r.PathValue("sku")
	if !validSKU.MatchString(sku) {
		return badRequest(25707, "This is an invalid value for a SKU. "+
			"Only alphanumeric characters can be used for SKUs, and their length must not exceed 50 characters.")
	}
	var item ebay.InventoryItem
	if err := readJSON(r, &item); err != nil {
		return err
	}
	created, err := s.store.putItem(r.Context(), seller, sku, item)
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

func (s *server) getItem(w http.ResponseWriter, r *http.Request, seller string) error {
	found, err := s.store.find(r.Context(), bySKU(r.PathValue("sku"), seller))
	if errors.Is(err, offerNotFound) {
		return itemNotFound(r.PathValue("sku"))
	}
	if err != nil {
		return err
	}
	shown, err := found.wireItem()
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, shown)
	return nil
}

func (s *server) createOffer(w http.ResponseWriter, r *http.Request, seller string) error {
	var made ebay.NewOffer
	if err := readJSON(r, &made); err != nil {
		return err
	}
	if made.MarketplaceID != marketplaceID {
		return invalidValue("marketplaceId")
	}
	if made.Format != ebay.FixedPrice {
		return invalidValue("format")
	}
	updated, err := s.store.update(r.Context(), bySKU(made.SKU, seller), func(_ *postgres.Tx, o *offer) error {
		return o.create(number(10), made.OfferTerms)
	})
	if errors.Is(err, offerNotFound) {
		return badRequest(25702, made.SKU+" could not be found or is not available in the system.")
	}
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusCreated, ebay.OfferCreated{OfferID: *updated.OfferID})
	return nil
}

func (s *server) updateOffer(w http.ResponseWriter, r *http.Request, seller string) error {
	var terms ebay.OfferTerms
	if err := readJSON(r, &terms); err != nil {
		return err
	}
	updated, err := s.store.update(r.Context(), byOffer(r.PathValue("offerId"), seller),
		func(_ *postgres.Tx, o *offer) error { return o.replaceTerms(terms) })
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, ebay.OfferCreated{OfferID: *updated.OfferID})
	return nil
}

func (s *server) publishOffer(w http.ResponseWriter, r *http.Request, seller string) error {
	return s.updateListing(w, r, seller, func(o *offer) error { return o.publish(number(12)) })
}

func (s *server) withdrawOffer(w http.ResponseWriter, r *http.Request, seller string) error {
	return s.updateListing(w, r, seller, func(o *offer) error { return o.close(withdrawn) })
}

// updateListing applies a rule that publishes or withdraws the offer.
func (s *server) updateListing(w http.ResponseWriter, r *http.Request, seller string, rule func(*offer) error) error {
	updated, err := s.store.update(r.Context(), byOffer(r.PathValue("offerId"), seller),
		func(_ *postgres.Tx, o *offer) error { return rule(o) })
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, ebay.ListingChanged{ListingID: *updated.ListingID})
	return nil
}

func (s *server) getOffer(w http.ResponseWriter, r *http.Request, seller string) error {
	found, err := s.store.find(r.Context(), byOffer(r.PathValue("offerId"), seller))
	if err != nil {
		return err
	}
	shown, err := found.wire()
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, shown)
	return nil
}

// getOffers returns the only offer of an SKU.
func (s *server) getOffers(w http.ResponseWriter, r *http.Request, seller string) error {
	found, err := s.store.find(r.Context(), bySKU(r.URL.Query().Get("sku"), seller))
	if err != nil {
		return err
	}
	if found.OfferID == nil {
		return offerNotFound
	}
	shown, err := found.wire()
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, ebay.Offers{
		Href: r.URL.RequestURI(), Limit: 100, Size: 1, Total: 1, Offers: []ebay.Offer{shown},
	})
	return nil
}
