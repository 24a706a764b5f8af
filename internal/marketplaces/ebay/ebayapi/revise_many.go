package ebayapi

import (
	"context"
	"fmt"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// reviseMany revises listings with bulk calls. Prices are changed by one call for all listings. A listing whose title
// changed is revised by itself.
func (s *Seller) reviseMany(ctx context.Context, offers []marketplaces.Offer) []marketplaces.Result {
	r := &revising{Seller: s, offers: offers, results: make([]marketplaces.Result, len(offers))}
	var valid []int
	for i, o := range offers {
		if r.results[i].Err = o.Check(); r.results[i].Err == nil {
			valid = append(valid, i)
		}
	}
	r.changePrices(ctx, r.read(ctx, valid))
	return r.results
}

// revising is the state of reviseMany, like publishing.
type revising struct {
	*Seller
	offers  []marketplaces.Offer
	current map[int]readOffer
	results []marketplaces.Result
}

// finish stores the result of a listing. The price and the time of a sale are in its order.
func (r *revising) finish(ctx context.Context, i int, status marketplaces.Status, err error) {
	if err == nil && status.State == marketplaces.Sold {
		status, err = r.withOrder(ctx, marketplaces.Ref{ListingID: r.offers[i].ListingID}, status)
	}
	if err != nil {
		r.results[i].Err = fmt.Errorf("revise listings: %w", asRefusal(err))
		return
	}
	r.results[i].Status = status
}

// failAll stores the error of a call that failed as a whole. If the marketplace refused the call, each listing is
// revised by itself.
func (r *revising) failAll(ctx context.Context, which []int, err error) {
	_, refused := asAPIError(err)
	for _, i := range which {
		if refused {
			r.results[i].Status, r.results[i].Err = r.reviseOne(ctx, r.offers[i])
		} else {
			r.finish(ctx, i, marketplaces.Status{}, err)
		}
	}
}

// read returns the listings that only need a new price. The others have their results.
func (r *revising) read(ctx context.Context, which []int) (repriced []int) {
	if len(which) == 0 {
		return nil
	}
	var listingIDs []string
	for _, i := range which {
		listingIDs = append(listingIDs, r.offers[i].ListingID)
	}
	items, failed, err := r.items(ctx, listingIDs)
	if err != nil {
		r.failAll(ctx, which, err)
		return nil
	}
	r.current = r.readOffers(ctx, r.offers, which)
	for _, i := range which {
		o, read := r.offers[i], r.current[i]
		sku, status := wire.SKU(o.ListingID), r.status(o.ListingID, read.offer)
		switch {
		case read.err != nil:
			r.finish(ctx, i, status, read.err)
		case status.State != marketplaces.Live:
			r.finish(ctx, i, status, nil)
		case failed[sku] != nil:
			r.finish(ctx, i, status, failed[sku])
		case items[sku] == nil || items[sku].Product.Title != blank.Trim(o.Title) ||
			read.offer.ListingDescription != Description(o, r.cfg.Language):
			status, err := r.reviseLive(ctx, o, read.offer)
			r.finish(ctx, i, status, err)
		case read.offer.PricingSummary.Price != nil && *read.offer.PricingSummary.Price == amount(o.Price):
			r.finish(ctx, i, status, nil)
		default:
			repriced = append(repriced, i)
		}
	}
	return repriced
}

// changePrices changes the prices of live offers. If one is refused, a buyer or the seller may have been faster, so the
// state of the offer decides.
func (r *revising) changePrices(ctx context.Context, which []int) {
	if len(which) == 0 {
		return
	}
	var body wire.BulkPrices
	for _, i := range which {
		price := amount(r.offers[i].Price)
		change := wire.OfferPrice{OfferID: r.current[i].offer.OfferID, Price: &price}
		body.Requests = append(body.Requests, wire.PriceQuantity{
			SKU: wire.SKU(r.offers[i].ListingID), Offers: []wire.OfferPrice{change},
		})
	}
	answers, err := r.bulk(ctx, "bulk_update_price_quantity", body, offerOf)
	if err != nil {
		r.failAll(ctx, which, err)
		return
	}
	for _, i := range which {
		listingID, offer := r.offers[i].ListingID, r.current[i].offer
		answer, answered := answers[offer.OfferID]
		status, err := r.status(listingID, offer), r.element(answer, answered)
		if _, refused := asAPIError(err); refused {
			status, err = r.unlessLive(ctx, listingID, err)
		}
		r.finish(ctx, i, status, err)
	}
}
