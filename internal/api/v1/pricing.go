package v1

import (
	"context"

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
	query := pricing.Query{CardID: r.Body.CardID}
	if c := r.Body.Card; c != nil {
		query.Card = &cards.Description{
			Title: &c.Title, Set: c.Set, Number: c.Number, Game: text(c.Game), Condition: text(c.Condition),
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

func estimateOut(e pricing.Estimate) server.PriceEstimate {
	out := server.PriceEstimate{
		Price: *moneyOut(&e.Price), Low: *moneyOut(&e.Low), High: *moneyOut(&e.High),
		Basis:      server.PriceEstimateBasis(e.Basis),
		SampleSize: int32(e.SampleSize), AsOf: timestamp.Of(e.AsOf),
		Comparables: make([]server.Comparable, len(e.Comparables)),
	}
	for i, c := range e.Comparables {
		out.Comparables[i] = server.Comparable{
			Title: c.Title, Price: *moneyOut(&c.Price), SoldAt: timestamp.Or(c.SoldAt), Source: c.Source,
		}
	}
	return out
}
