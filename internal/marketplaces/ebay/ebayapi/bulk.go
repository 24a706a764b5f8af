package ebayapi

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

const (
	// longTimeout limits a bulk call and an upload. eBay publishes the offers of a bulk call one after the other.
	longTimeout = time.Minute
	// readsAtOnce is how many offers publishMany and reviseMany read at a time, because eBay has no bulk call for it.
	readsAtOnce = 5
)

// patient returns the seller with longTimeout.
func (s *Seller) patient() *Seller {
	client, patient := *s.cfg.HTTP, *s
	client.Timeout, patient.cfg.HTTP = longTimeout, &client
	return &patient
}

// bulk makes a bulk call. It returns the responses to the elements by their keys.
func (s *Seller) bulk(
	ctx context.Context, name string, body any, key func(wire.BulkResponse) string,
) (map[string]wire.BulkResponse, error) {
	var answer wire.BulkResponses
	if err := s.patient().call(ctx, http.MethodPost, wire.InventoryPath+"/"+name, body, &answer); err != nil {
		return nil, err
	}
	found := make(map[string]wire.BulkResponse, len(answer.Responses))
	for _, r := range answer.Responses {
		found[key(r)] = r
	}
	return found, nil
}

// The keys of the responses.
func skuOf(r wire.BulkResponse) string   { return r.SKU }
func offerOf(r wire.BulkResponse) string { return r.OfferID }

// element returns the error of one element of a bulk call. It classifies errors like failure. answered is false if the
// response has no such element.
func (s *Seller) element(r wire.BulkResponse, answered bool) error {
	if !answered {
		return s.later("did not answer for each listing", 0, nil)
	}
	if r.StatusCode < http.StatusBadRequest {
		return nil
	}
	if len(r.Errors) == 0 {
		return s.later("answers in an unexpected way", 0, errors.New(http.StatusText(r.StatusCode)))
	}
	failed := &apiError{Status: r.StatusCode, Errors: r.Errors}
	switch r.StatusCode {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity:
		return failed
	}
	return s.later("cannot take the request at the moment", 0, failed.asCause())
}

// asCause returns the error without its type, for an error that can be retried.
func (e *apiError) asCause() error { return errors.New(e.Error()) }

// items returns the inventory items of listings by their SKUs, without those that do not exist.
func (s *Seller) items(ctx context.Context, listingIDs []string) (items map[string]*wire.InventoryItem,
	failed map[string]error, err error) {
	var body wire.BulkSKUs
	for _, listingID := range listingIDs {
		body.Requests = append(body.Requests, wire.SKURequest{SKU: wire.SKU(listingID)})
	}
	answers, err := s.bulk(ctx, "bulk_get_inventory_item", body, skuOf)
	if err != nil {
		return nil, nil, err
	}
	items, failed = map[string]*wire.InventoryItem{}, map[string]error{}
	for _, asked := range body.Requests {
		r, answered := answers[asked.SKU]
		err := s.element(r, answered)
		switch {
		case err == nil && r.InventoryItem == nil:
			failed[asked.SKU] = s.later("did not return the item", 0, nil)
		case err == nil:
			items[asked.SKU] = r.InventoryItem
		case !noItem(err):
			failed[asked.SKU] = err
		}
	}
	return items, failed, nil
}

// noItem reports whether the marketplace answered that an inventory item does not exist.
func noItem(err error) bool {
	answer, ok := asAPIError(err)
	if !ok {
		return false
	}
	id := answer.Errors[0].ErrorID
	return id == wire.SKUNotFound || id == wire.NotFound
}

// readOffer is the result of Seller.offer.
type readOffer struct {
	offer *wire.Offer
	err   error
}

// readOffers returns the offers of listings, a few at a time.
func (s *Seller) readOffers(ctx context.Context, offers []marketplaces.Offer, which []int) map[int]readOffer {
	var wait sync.WaitGroup
	var mu sync.Mutex
	read, slots := make(map[int]readOffer, len(which)), make(chan struct{}, readsAtOnce)
	for _, i := range which {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			offer, err := s.offer(ctx, offers[i].ListingID)
			mu.Lock()
			defer mu.Unlock()
			read[i] = readOffer{offer, err}
		})
	}
	wait.Wait()
	return read
}

// locale returns the language as the bodies of bulk calls name it: "en_US".
func (s *Seller) locale() string { return strings.ReplaceAll(s.cfg.Language, "-", "_") }
