package v1

import (
	"context"
	"strconv"
	"time"

	"github.com/oapi-codegen/nullable"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/api/idempotency"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/sales"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// ListSales implements GET /sales.
func (s *Server) ListSales(
	ctx context.Context, r server.ListSalesRequestObject,
) (server.ListSalesResponseObject, error) {
	p := r.Params
	filter := sales.Filter{
		SoldSince: p.SoldSince, SoldBefore: p.SoldBefore, Channel: text(p.Channel), Status: text(p.Status),
		Card: p.Card, Currency: text(p.Currency), UpdatedSince: p.UpdatedSince, ToShip: p.ToShip != nil && *p.ToShip,
	}
	list, err := s.Sales.List(ctx, caller.From(ctx).AccountID, filter, pageOf(p.Limit, p.Cursor))
	if err != nil {
		return nil, err
	}
	data := make([]server.Sale, len(list.Data))
	for i := range list.Data {
		data[i] = sale(&list.Data[i])
	}
	return server.ListSales200JSONResponse{
		Data: data, HasMore: list.NextCursor != nil, NextCursor: list.NextCursor,
	}, nil
}

// GetSale implements GET /sales/{id}.
func (s *Server) GetSale(ctx context.Context, r server.GetSaleRequestObject) (server.GetSaleResponseObject, error) {
	result, err := s.Sales.Get(ctx, caller.From(ctx).AccountID, r.ID)
	if err != nil {
		return nil, err
	}
	return server.GetSale200JSONResponse{
		Body: sale(&result), Headers: server.GetSale200ResponseHeaders{ETag: saleETag(&result)},
	}, nil
}

// UpdateSale implements PATCH /sales/{id}.
func (s *Server) UpdateSale(
	ctx context.Context, r server.UpdateSaleRequestObject,
) (server.UpdateSaleResponseObject, error) {
	version, err := match(r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	in := r.Body
	patch := sales.Patch{
		Gross: amount(in.Gross), SoldAt: in.SoldAt,
		ShippingCharged: amount(in.ShippingCharged), ShippingCost: amount(in.ShippingCost), Tax: amount(in.Tax),
		ShippedAt: saleField(in.ShippedAt, func(t time.Time) time.Time { return t }),
		Tracking: saleField(in.Tracking, func(t server.SaleTracking) sales.Tracking {
			return sales.Tracking{Carrier: t.Carrier, Number: t.Number}
		}),
		BuyerReference: saleField(in.BuyerReference, func(v string) string { return v }),
	}
	if in.Fees != nil {
		list := fees(in.Fees)
		patch.Fees = &list
	}
	result, err := s.Sales.Update(ctx, caller.From(ctx).AccountID, r.ID, patch, version)
	if err != nil {
		return nil, err
	}
	return server.UpdateSale200JSONResponse{
		Body: sale(&result), Headers: server.UpdateSale200ResponseHeaders{ETag: saleETag(&result)},
	}, nil
}

// SellCard implements POST /cards/{id}/sell.
func (s *Server) SellCard(
	ctx context.Context, r server.SellCardRequestObject,
) (server.SellCardResponseObject, error) {
	input := sales.SellInput{
		Channel: string(r.Body.Channel), Price: moneyOf(r.Body.Price), SoldAt: r.Body.SoldAt, Fees: fees(r.Body.Fees),
		OrderReference: r.Body.OrderReference,
	}
	result, err := s.Sales.Sell(ctx, caller.From(ctx).AccountID, r.ID, input, idempotency.Hook(ctx))
	if err != nil {
		return nil, err
	}
	return server.SellCard201JSONResponse(sale(&result)), nil
}

// RefundSale implements POST /sales/{id}/refund.
func (s *Server) RefundSale(
	ctx context.Context, r server.RefundSaleRequestObject,
) (server.RefundSaleResponseObject, error) {
	input := sales.RefundInput{Amount: amount(r.Body.Amount), Reason: r.Body.Reason, Restock: r.Body.Restock}
	if p := r.Body.Parts; p != nil {
		input.Parts = &sales.PartsInput{
			Item: amount(p.Item), Shipping: amount(p.Shipping), Tax: amount(p.Tax), Fees: amount(p.Fees),
		}
	}
	result, err := s.Sales.Refund(ctx, caller.From(ctx).AccountID, r.ID, input, idempotency.Hook(ctx))
	if err != nil {
		return nil, err
	}
	return server.RefundSale200JSONResponse(sale(&result)), nil
}

// VoidSale implements POST /sales/{id}/void.
func (s *Server) VoidSale(
	ctx context.Context, r server.VoidSaleRequestObject,
) (server.VoidSaleResponseObject, error) {
	result, err := s.Sales.Void(ctx, caller.From(ctx).AccountID, r.ID, nil, idempotency.Hook(ctx))
	if err != nil {
		return nil, err
	}
	return server.VoidSale200JSONResponse(sale(&result)), nil
}

// ReportSales implements GET /reports/sales.
func (s *Server) ReportSales(
	ctx context.Context, r server.ReportSalesRequestObject,
) (server.ReportSalesResponseObject, error) {
	request := sales.ReportRequest{GroupBy: string(r.Params.GroupBy), Since: r.Params.Since, Before: r.Params.Before}
	if r.Params.TimeZone != nil {
		request.TimeZone = *r.Params.TimeZone
	}
	report, err := s.Sales.Report(ctx, caller.From(ctx).AccountID, request)
	if err != nil {
		return nil, err
	}
	rows := make([]server.SalesReportRow, len(report.Rows))
	for i := range report.Rows {
		row := &report.Rows[i]
		rows[i] = server.SalesReportRow{
			Group: row.Group, Currency: server.Currency(row.Currency), Count: row.Count, Gross: row.Gross,
			ShippingCharged: row.ShippingCharged, ShippingCost: row.ShippingCost, Fees: row.Fees, Tax: row.Tax,
			Net: row.Net(), Refunds: row.Refunds, TaxRefunded: row.TaxRefunded, FeesReturned: row.FeesReturned,
			Cost: row.Cost, Profit: row.Profit(),
		}
	}
	return server.ReportSales200JSONResponse{
		GroupBy: r.Params.GroupBy, Since: timestamp.Of(report.Since), Before: timestamp.Of(report.Before),
		TimeZone: report.TimeZone, Data: rows,
	}, nil
}

// saleETag returns the ETag of a sale: its version.
func saleETag(s *sales.Sale) string { return `"` + strconv.FormatInt(s.Version, 10) + `"` }

func saleField[From, To any](v nullable.Nullable[From], as func(From) To) sales.Field[To] {
	if !v.IsSpecified() {
		return sales.Field[To]{}
	}
	value, err := v.Get()
	if err != nil { // it is null
		return sales.Field[To]{Given: true}
	}
	result := as(value)
	return sales.Field[To]{Given: true, Value: &result}
}

func fees(in *[]server.Fee) []sales.FeeInput {
	if in == nil {
		return nil
	}
	list := make([]sales.FeeInput, len(*in))
	for i, fee := range *in {
		list[i] = sales.FeeInput{Kind: fee.Kind, Amount: moneyOf(fee.Amount)}
	}
	return list
}

func sale(s *sales.Sale) server.Sale {
	in := func(minor int64) server.Money {
		return server.Money{Amount: minor, Currency: server.Currency(s.Gross.Currency)}
	}
	out := server.Sale{
		ID: s.ID, CardID: s.CardID, ListingID: s.ListingID, Channel: server.SaleChannel(s.Channel),
		OrderReference: s.OrderReference, SoldAt: timestamp.Of(s.SoldAt), Gross: in(s.Gross.Amount),
		ShippingCharged: in(s.ShippingCharged), ShippingCost: in(s.ShippingCost), Tax: in(s.Tax),
		Fees:       make([]server.Fee, len(s.Fees)),
		Net:        server.SignedMoney{Amount: s.Net(), Currency: server.Currency(s.Gross.Currency)},
		CostAtSale: moneyOut(s.CostAtSale), Card: server.SoldCard{Title: s.Title, Set: s.Set, Number: s.Number},
		BuyerReference: s.BuyerReference, Status: server.SaleStatus(s.Status),
		Refunds:     make([]server.SaleRefund, len(s.Refunds)),
		RestockedAt: timestamp.Or(s.RestockedAt), VoidedAt: timestamp.Or(s.VoidedAt),
		ShippedAt: timestamp.Or(s.ShippedAt),
		Version:   s.Version, CreatedAt: timestamp.Of(s.CreatedAt), UpdatedAt: timestamp.Of(s.UpdatedAt),
	}
	for i, fee := range s.Fees {
		out.Fees[i] = server.Fee{Kind: fee.Kind, Amount: in(fee.Amount)}
	}
	for i, refund := range s.Refunds {
		out.Refunds[i] = server.SaleRefund{
			Amount: in(refund.Total()), At: timestamp.Of(refund.At), Reason: refund.Reason,
			Parts: server.RefundParts{
				Item: in(refund.Item), Shipping: in(refund.Shipping), Tax: in(refund.Tax), Fees: in(refund.Fees),
			},
		}
	}
	if s.Tracking != nil {
		out.Tracking = &server.SaleTracking{Carrier: s.Tracking.Carrier, Number: s.Tracking.Number}
	}
	return out
}
