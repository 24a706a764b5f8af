package main

import (
	"context"
	"fmt"
	"maps"
	"time"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

// sales is the number of sales in the month.
const sales = 600

// accounting reads the data for the books of a month: each sale with its fees and refunds, and the sums by channel and
// by day.
var accounting = task{
	name: "The accounts of a month with 600 sales", class: cardvault.RateClassRead, most: 10, each: sales,
	prepare: sell,
	steps: []step{
		{"GET /reports/sales by channel", report(cardvault.ReportGroupingChannel)},
		{"GET /reports/sales by day", report(cardvault.ReportGroupingDay)},
		{"GET /sales", readSales},
	},
}

var channels = []cardvault.SaleChannel{
	cardvault.SaleChannelOwnStore, cardvault.SaleChannelInPerson, cardvault.SaleChannelOther,
}

// sell sells cards during the last month, and refunds a part of every fiftieth sale.
func sell(ctx context.Context, s *shop) error {
	if err := importCards(ctx, s, sales); err != nil {
		return err
	}
	year, month, _ := time.Now().UTC().Date()
	s.before = time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	s.since = s.before.AddDate(0, -1, 0)
	interval := s.before.Sub(s.since) / sales
	for i, card := range s.cards[:sales] {
		price := usd(1000 + int64(i))
		if i%4 == 0 {
			price.Currency = cardvault.CurrencyEUR
		}
		fee := cardvault.Money{Amount: price.Amount / 10, Currency: price.Currency}
		sale, err := s.setup.SellCard(ctx, card, cardvault.SellInput{
			Channel: channels[i%len(channels)], Price: price, Fees: []cardvault.Fee{{Kind: "payment", Amount: fee}},
			SoldAt: s.since.Add(time.Duration(i) * interval),
		})
		if err == nil && i%50 == 0 {
			_, err = s.setup.RefundSale(ctx, sale.ID, cardvault.RefundInput{Amount: fee, Reason: "A nick"})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// report returns a step that reads the sums of the month.
func report(by cardvault.ReportGrouping) func(context.Context, *shop) error {
	return func(ctx context.Context, s *shop) error {
		read, err := s.api.ReportSales(ctx, cardvault.ReportSalesParams{GroupBy: by, Since: s.since, Before: s.before})
		if err != nil {
			return err
		}
		s.reports = append(s.reports, read)
		return nil
	}
}

// sums are the sums of the sales in one currency.
type sums struct{ count, gross, fees, net, refunds int64 }

func (a sums) plus(b sums) sums {
	return sums{a.count + b.count, a.gross + b.gross, a.fees + b.fees, a.net + b.net, a.refunds + b.refunds}
}

// readSales reads the sales of the month and compares their sums with the sums of the reports.
func readSales(ctx context.Context, s *shop) error {
	read, found := map[cardvault.Currency]sums{}, 0
	month := &cardvault.ListSalesParams{SoldSince: s.since, SoldBefore: s.before, Limit: 200}
	for sale, err := range s.api.Sales(ctx, month) {
		if err != nil {
			return err
		}
		found++
		one := sums{count: 1, gross: sale.Gross.Amount, net: sale.Net.Amount}
		for _, fee := range sale.Fees {
			one.fees += fee.Amount.Amount
		}
		for _, refund := range sale.Refunds {
			one.refunds += refund.Amount.Amount
		}
		read[sale.Gross.Currency] = read[sale.Gross.Currency].plus(one)
	}
	if found != sales {
		return fmt.Errorf("%d sales, want %d", found, sales)
	}
	for _, one := range s.reports {
		if reported := sumsOf(one); !maps.Equal(reported, read) {
			return fmt.Errorf("the report by %s sums up to %+v, the sales to %+v", one.GroupBy, reported, read)
		}
	}
	return nil
}

// sumsOf returns the sums of all groups of a report.
func sumsOf(report *cardvault.SalesReport) map[cardvault.Currency]sums {
	reported := map[cardvault.Currency]sums{}
	for _, row := range report.Data {
		one := sums{row.Count, row.Gross, row.Fees, row.Net, row.Refunds}
		if one.count > 0 {
			reported[row.Currency] = reported[row.Currency].plus(one)
		}
	}
	return reported
}
