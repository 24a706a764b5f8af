package v1

import (
	"context"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// SummarizeCards implements GET /cards/summary.
func (s *Server) SummarizeCards(
	ctx context.Context, r server.SummarizeCardsRequestObject,
) (server.SummarizeCardsResponseObject, error) {
	account, groupBy := caller.From(ctx).AccountID, string(r.Params.GroupBy)
	summary, err := s.Cards.Summarize(ctx, account, filterOf(summaryFields, &r.Params), groupBy)
	if err != nil {
		return nil, err
	}
	groups := make([]server.CardGroup, len(summary.Groups))
	for i, g := range summary.Groups {
		totals := cardTotals(g.Totals)
		groups[i] = server.CardGroup{
			Group: g.Value, Count: totals.Count, AskingPrice: totals.AskingPrice, Cost: totals.Cost,
		}
	}
	return server.SummarizeCards200JSONResponse{
		GroupBy: r.Params.GroupBy, AsOf: timestamp.Of(summary.AsOf), Total: cardTotals(summary.Total),
		GroupCount: int64(summary.GroupCount), Data: groups,
	}, nil
}

func cardTotals(t cards.Totals) server.CardTotals {
	return server.CardTotals{Count: t.Count, AskingPrice: currencyTotals(t.AskingPrice), Cost: currencyTotals(t.Cost)}
}

func currencyTotals(sums []money.Money) []server.CurrencyTotal {
	list := make([]server.CurrencyTotal, len(sums))
	for i, sum := range sums {
		list[i] = server.CurrencyTotal{Amount: sum.Amount, Currency: server.Currency(sum.Currency)}
	}
	return list
}
