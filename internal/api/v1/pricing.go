package v1

import (
	"context"
	"net/http"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/pricing"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// LookupPrice implements POST /price-lookup.
func (s *Server) LookupPrice(
	ctx context.Context, r server.LookupPriceRequestObject,
) (server.LookupPriceResponseObject, error) {
	if r.Body.CardIds != nil {
		return s.lookupPrices(ctx, *r.Body.CardIds)
	}
	query := pricing.Query{CardID: r.Body.CardID}
	if c := r.Body.Card; c != nil {
		query.Card = &cards.Description{
			Title: &c.Title, Set: c.Set, Number: c.Number, Game: text(c.Game), Condition: text(c.Condition),
			Language: c.Language, Variant: c.Variant,
		}
		if c.Grade != nil {
			g := grade(*c.Grade)
			query.Card.Grade = &g
		}
	}
	estimate, err := s.Pricing.Lookup(ctx, caller.From(ctx).AccountID, query)
	if err != nil {
		return nil, err
	}
	return server.LookupPrice200JSONResponse(estimateOut(estimate)), nil
}

// lookupPrices looks up the prices of many cards.
func (s *Server) lookupPrices(ctx context.Context, cardIDs []string) (server.LookupPriceResponseObject, error) {
	results, err := s.Pricing.LookupMany(ctx, caller.From(ctx).AccountID, cardIDs)
	if err != nil {
		return nil, err
	}
	data := make([]server.PriceLookupResult, len(results))
	for i := range results {
		data[i] = server.PriceLookupResult{ID: cardIDs[i], Status: http.StatusOK}
		if data[i].Error, err = itemError(results[i].Err); err != nil {
			return nil, err
		}
		if data[i].Error != nil {
			data[i].Status = data[i].Error.Status
			continue
		}
		estimate := estimateOut(results[i].Estimate)
		data[i].Estimate = &estimate
	}
	return server.LookupPricedefaultJSONResponse{
		Body: server.PriceLookupResults{Data: data}, StatusCode: http.StatusOK,
	}, nil
}

func estimateOut(e pricing.Estimate) server.PriceEstimate {
	out := server.PriceEstimate{
		Price: *moneyOut(&e.Price), Low: *moneyOut(&e.Low), High: *moneyOut(&e.High),
		Basis:      server.PriceEstimateBasis(e.Basis),
		SampleSize: int32(e.SampleSize), NewestAgeDays: int32(e.NewestDays), AsOf: timestamp.Of(e.AsOf),
		Comparables: make([]server.Comparable, len(e.Comparables)),
		Excluded:    make([]server.ExcludedComparable, len(e.Excluded)),
	}
	for i, c := range e.Comparables {
		out.Comparables[i] = server.Comparable{
			Title: c.Title, Price: *moneyOut(&c.Price), SoldAt: timestamp.Or(c.SoldAt), Source: c.Source,
			AgeDays: int32(c.AgeDays), Weight: float64(c.Weight) / 1000,
		}
	}
	for i, c := range e.Excluded {
		out.Excluded[i] = server.ExcludedComparable{
			Title: c.Title, Price: *moneyOut(&c.Price), SoldAt: timestamp.Or(c.SoldAt), Source: c.Source,
			AgeDays: int32(c.AgeDays), Reason: server.ExcludedComparableReason(c.Excluded),
		}
	}
	return out
}
