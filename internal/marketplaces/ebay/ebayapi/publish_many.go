package ebayapi

import (
	"context"
	"fmt"

	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// publishMany publishes offers with bulk calls. Cards that were never published take four calls together: read the
// inventory items, which do not exist yet, create them, create the offers, and publish the offers. Like publishOne, it
// reads before it writes: an SKU that has an inventory item may have an offer, which is read by itself.
func (s *Seller) publishMany(ctx context.Context, offers []marketplaces.Offer) []marketplaces.Result {
	p := &publishing{
		Seller: s, offers: offers, items: make([]wire.InventoryItem, len(offers)),
		offerIDs: make([]string, len(offers)), results: make([]marketplaces.Result, len(offers)),
	}
	var valid []int
	for i, o := range offers {
		if p.items[i], p.results[i].Err = s.inventoryItem(o); p.results[i].Err == nil {
			valid = append(valid, i)
		}
	}
	fresh, ready := p.read(ctx, valid)
	ready = append(ready, p.createOffers(ctx, p.putItems(ctx, fresh))...)
	p.publish(ctx, ready)
	return p.results
}

// publishing is the state of publishMany. Its methods take the indexes of the offers that they work on and return those
// with which the next step goes on; the others have their results.
type publishing struct {
	*Seller
	offers   []marketplaces.Offer
	items    []wire.InventoryItem
	offerIDs []string
	results  []marketplaces.Result
}

func (p *publishing) sku(i int) string { return wire.SKU(p.offers[i].ListingID) }

// fail stores the error of an offer.
func (p *publishing) fail(i int, err error) {
	p.results[i].Err = fmt.Errorf("publish listings: %w", asRefusal(err))
}

// failAll stores the error of a call that failed as a whole. If the marketplace refused the call, one offer may be
// the cause, so each is published by itself.
func (p *publishing) failAll(ctx context.Context, which []int, err error) {
	_, refused := asAPIError(err)
	for _, i := range which {
		if refused {
			p.results[i].Status, p.results[i].Err = p.publishOne(ctx, p.offers[i])
		} else {
			p.fail(i, err)
		}
	}
}

// read returns the offers that are to be created, and those that an earlier attempt has created.
func (p *publishing) read(ctx context.Context, which []int) (fresh, ready []int) {
	if len(which) == 0 {
		return nil, nil
	}
	var listingIDs []string
	for _, i := range which {
		listingIDs = append(listingIDs, p.offers[i].ListingID)
	}
	items, failed, err := p.Seller.items(ctx, listingIDs)
	if err != nil {
		p.failAll(ctx, which, err)
		return nil, nil
	}
	var known []int
	for _, i := range which {
		switch {
		case failed[p.sku(i)] != nil:
			p.fail(i, failed[p.sku(i)])
		case items[p.sku(i)] != nil:
			known = append(known, i)
		default:
			fresh = append(fresh, i)
		}
	}
	for i, read := range p.readOffers(ctx, p.offers, known) {
		switch {
		case read.err != nil:
			p.fail(i, read.err)
		case read.offer == nil:
			fresh = append(fresh, i)
		case read.offer.Status == wire.Unpublished && !over(read.offer):
			p.offerIDs[i], ready = read.offer.OfferID, append(ready, i)
		default:
			p.results[i].Status, p.results[i].Err = p.resume(ctx, p.offers[i].ListingID, read.offer)
		}
	}
	return fresh, ready
}

// putItems stores the inventory items.
func (p *publishing) putItems(ctx context.Context, which []int) (stored []int) {
	if len(which) == 0 {
		return nil
	}
	var body wire.BulkItems
	for _, i := range which {
		item := wire.BulkItem{SKU: p.sku(i), Locale: p.locale(), InventoryItem: p.items[i]}
		body.Requests = append(body.Requests, item)
	}
	answers, err := p.bulk(ctx, "bulk_create_or_replace_inventory_item", body, skuOf)
	if err != nil {
		p.failAll(ctx, which, err)
		return nil
	}
	for _, i := range which {
		answer, answered := answers[p.sku(i)]
		if err := p.element(answer, answered); err != nil {
			p.fail(i, err)
			continue
		}
		stored = append(stored, i)
	}
	return stored
}

// createOffers creates the offers.
func (p *publishing) createOffers(ctx context.Context, which []int) (created []int) {
	if len(which) == 0 {
		return nil
	}
	var body wire.BulkOffers
	for _, i := range which {
		body.Requests = append(body.Requests, p.newOffer(p.offers[i]))
	}
	answers, err := p.bulk(ctx, "bulk_create_offer", body, skuOf)
	if err != nil {
		p.failAll(ctx, which, err)
		return nil
	}
	for _, i := range which {
		answer, answered := answers[p.sku(i)]
		p.offerIDs[i] = answer.OfferID
		err := p.element(answer, answered)
		if refused, ok := asAPIError(err); ok {
			if offerID, ok := refused.existingOffer(); ok { // another attempt was faster
				p.offerIDs[i], err = offerID, nil
			}
		}
		if err != nil {
			p.fail(i, err)
			continue
		}
		created = append(created, i)
	}
	return created
}

// publish publishes the offers. If one is refused, another attempt may have been faster, so the state of the offer
// decides.
func (p *publishing) publish(ctx context.Context, which []int) {
	if len(which) == 0 {
		return
	}
	var body wire.BulkPublish
	for _, i := range which {
		body.Requests = append(body.Requests, wire.OfferCreated{OfferID: p.offerIDs[i]})
	}
	answers, err := p.bulk(ctx, "bulk_publish_offer", body, offerOf)
	if err != nil {
		p.failAll(ctx, which, err)
		return
	}
	for _, i := range which {
		answer, answered := answers[p.offerIDs[i]]
		switch err := p.element(answer, answered); {
		case err == nil && answer.ListingID == "":
			p.fail(i, p.later("did not return the listing", 0, nil))
		case err == nil:
			p.results[i].Status = p.live(p.offers[i].ListingID, answer.ListingID)
		default:
			p.results[i].Status, p.results[i].Err = p.publishedAnyway(ctx, p.offers[i].ListingID, err)
		}
	}
}
