package ebay

import (
	"context"

	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/callbudget"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// PublishMany implements marketplaces.BulkPublisher.
func (s *seller) PublishMany(ctx context.Context, offers []marketplaces.Offer) []marketplaces.PublishResult {
	results := make([]marketplaces.PublishResult, len(offers))
	api, c, site, err := s.open(ctx, callbudget.Publishing)
	if err == nil {
		err = checkSettings(c.Settings)
	}
	valid, places := sellable(offers, site, err, func(i int, err error) { results[i].Err = err })
	if len(valid) > 0 {
		for i, result := range api.PublishMany(ctx, valid) {
			results[places[i]] = result
		}
	}
	return results
}

// ReviseMany implements marketplaces.BulkPublisher.
func (s *seller) ReviseMany(ctx context.Context, offers []marketplaces.Offer) []marketplaces.ReviseResult {
	results := make([]marketplaces.ReviseResult, len(offers))
	api, _, site, err := s.open(ctx, callbudget.Publishing)
	valid, places := sellable(offers, site, err, func(i int, err error) { results[i].Err = err })
	if len(valid) > 0 {
		for i, result := range api.ReviseMany(ctx, valid) {
			results[places[i]] = result
		}
	}
	return results
}

// sellable returns the offers in the site's currency, with their places. It calls fail for the others, or for all if
// err is not nil.
func sellable(
	offers []marketplaces.Offer, site wire.Site, err error, fail func(i int, err error),
) (valid []marketplaces.Offer, places []int) {
	for i, o := range offers {
		reason := err
		if reason == nil {
			reason = checkCurrency(o, site)
		}
		if reason != nil {
			fail(i, reason)
			continue
		}
		valid, places = append(valid, o), append(places, i)
	}
	return valid, places
}
