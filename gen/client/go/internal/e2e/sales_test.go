//go:build e2e

package e2e

import (
	"errors"
	"fmt"
	"slices"
	"time"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

// chf is an amount in a currency in which nothing else on the account is sold.
func chf(amount int64) cardvault.Money {
	return cardvault.Money{Amount: amount, Currency: cardvault.CurrencyCHF}
}

// saleSteps sell the card at a table, send it, and take it back.
var saleSteps = []step{
	{"sellCard", func(s *seller) (err error) {
		s.sale, err = s.SellCard(s.ctx, s.card.ID, cardvault.SellInput{
			Channel: cardvault.SaleChannelInPerson,
			Price:   chf(900),
			Fees:    []cardvault.Fee{{Kind: "table", Amount: chf(50)}},
		})
		if err != nil {
			return err
		}
		s.card, err = s.GetCard(s.ctx, s.card.ID)
		if err != nil {
			return err
		}
		if s.sale.Net.Amount != 850 || s.sale.ListingID != nil || *s.sale.Card.Title != "Ember Fox" {
			return want(false, "%+v", s.sale)
		}
		return want(s.card.WorkflowStatus == cardvault.WorkflowStatusSold && *s.card.SaleID == s.sale.ID, "%+v", s.card)
	}},
	{"updateSale", func(s *seller) (err error) {
		old := cardvault.IfMatch(s.sale.Version)
		patch := cardvault.SalePatch{
			ShippingCost:   chf(120),
			Tracking:       cardvault.Set(cardvault.SaleTracking{Carrier: "Swiss Post", Number: "99.00.1"}),
			ShippedAt:      cardvault.Set(time.Now()),
			BuyerReference: cardvault.Set("Table 12"),
		}
		if s.sale, err = s.UpdateSale(s.ctx, s.sale.ID, patch, old); err != nil {
			return err
		}
		if s.sale.Net.Amount != 730 || s.sale.Tracking.Carrier != "Swiss Post" || s.sale.ShippedAt == nil {
			return want(false, "%+v", s.sale)
		}
		if _, err := s.UpdateSale(s.ctx, s.sale.ID, patch, old); !errors.Is(err, cardvault.CodeVersionMismatch) {
			return fmt.Errorf("patching the old version: got %v, want %s", err, cardvault.CodeVersionMismatch)
		}
		patch = cardvault.SalePatch{Fees: []cardvault.Fee{}, Tracking: cardvault.Clear[cardvault.SaleTracking]()}
		if s.sale, err = s.UpdateSale(s.ctx, s.sale.ID, patch); err != nil {
			return err
		}
		return want(len(s.sale.Fees) == 0 && s.sale.Net.Amount == 780 && s.sale.Tracking == nil &&
			*s.sale.BuyerReference == "Table 12", "%+v", s.sale)
	}},
	{"getSale", func(s *seller) error {
		var response cardvault.Response
		sale, err := s.GetSale(s.ctx, s.sale.ID, cardvault.WithResponse(&response))
		if err != nil {
			return err
		}
		_, err = s.GetSale(s.ctx, s.sale.ID, cardvault.IfNoneMatch(response.ETag))
		return want(sale.Version == s.sale.Version && errors.Is(err, cardvault.ErrNotModified), "%+v, %v", sale, err)
	}},
	{"listSales", func(s *seller) error {
		page, err := s.ListSales(s.ctx, &cardvault.ListSalesParams{Card: s.card.ID, Currency: cardvault.CurrencyCHF})
		if err != nil {
			return err
		}
		return want(len(page.Data) == 1 && page.Data[0].ID == s.sale.ID && !page.HasMore, "%+v", page)
	}},
	{"refundSale", func(s *seller) (err error) {
		part := cardvault.RefundInput{Amount: chf(100), Reason: "A nick"}
		if s.sale, err = s.RefundSale(s.ctx, s.sale.ID, part); err != nil {
			return err
		}
		if s.sale.Status != cardvault.SaleStatusCompleted || *s.sale.Refunds[0].Reason != "A nick" {
			return want(false, "%+v", s.sale)
		}
		if s.sale, err = s.RefundSale(s.ctx, s.sale.ID, cardvault.RefundInput{Restock: true}); err != nil {
			return err
		}
		s.card, err = s.GetCard(s.ctx, s.card.ID)
		if err != nil {
			return err
		}
		return want(s.sale.Status == cardvault.SaleStatusRefunded && s.sale.Refunds[1].Amount == chf(800) &&
			s.sale.RestockedAt != nil && s.card.SaleID == nil, "%+v, %+v", s.sale, s.card)
	}},
	{"reportSales", func(s *seller) error {
		report, err := s.ReportSales(s.ctx, cardvault.ReportSalesParams{
			GroupBy: cardvault.ReportGroupingChannel, Since: s.card.CreatedAt, TimeZone: "Europe/Zurich",
		})
		if err != nil {
			return err
		}
		inCHF := func(row cardvault.SalesReportRow) bool { return row.Currency == cardvault.CurrencyCHF }
		i := slices.IndexFunc(report.Data, inCHF)
		if i < 0 || report.TimeZone != "Europe/Zurich" {
			return want(false, "%+v", report)
		}
		return want(report.Data[i] == cardvault.SalesReportRow{
			Group: "in_person", Currency: cardvault.CurrencyCHF, Count: 1,
			Gross: 900, ShippingCost: 120, Net: 780, Refunds: 900, Profit: -120,
		}, "%+v", report.Data[i])
	}},
	{"voidSale", func(s *seller) (err error) {
		if s.sale, err = s.VoidSale(s.ctx, s.sale.ID); err != nil {
			return err
		}
		return want(s.sale.Status == cardvault.SaleStatusVoided && s.sale.VoidedAt != nil, "%+v", s.sale)
	}},
}
