package v1

import (
	"context"
	"slices"
	"time"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/stock"
)

// defaultStockDays is the number of days if the request names none: 12 weeks.
const defaultStockDays = 84

// ReportStock implements GET /reports/stock.
func (s *Server) ReportStock(
	ctx context.Context, r server.ReportStockRequestObject,
) (server.ReportStockResponseObject, error) {
	days := int32(defaultStockDays)
	if r.Params.Days != nil {
		days = *r.Params.Days
	}
	report, err := s.Stock.Report(ctx, caller.From(ctx).AccountID, int(days))
	if err != nil {
		return nil, err
	}
	list := make([]server.StockDay, len(report.Days))
	for i := range report.Days {
		list[i] = stockDay(&report.Days[i])
	}
	return server.ReportStock200JSONResponse{Days: days, TimeZone: report.TimeZone, Data: list}, nil
}

func stockDay(d *stock.Day) server.StockDay {
	out := server.StockDay{
		Date: d.Date.Format(time.DateOnly), Count: d.Cards, Values: make([]server.StockValue, len(d.Values)),
	}
	for i, v := range d.Values {
		out.Values[i] = server.StockValue{
			Currency: server.Currency(v.Currency), Count: v.Cards, AskingPrice: v.Asking, Cost: v.Cost,
		}
	}
	return out
}

// exportStock reads all days that are kept, newest first. They are few.
func (s *Server) exportStock(ctx context.Context, accountID string, _ paging.Request) (paging.Page[any], error) {
	report, err := s.Stock.Report(ctx, accountID, stock.MaxDays)
	if err != nil {
		return paging.Page[any]{}, err
	}
	var list paging.Page[any]
	for i := range slices.Backward(report.Days) {
		list.Data = append(list.Data, stockDay(&report.Days[i]))
	}
	return list, nil
}
