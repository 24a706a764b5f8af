package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

// header has the names of the columns. The amounts are decimal numbers in the currency of the file.
var header = []string{
	"sold_at", "sale", "order", "channel", "title",
	"gross", "shipping_charged", "shipping_cost", "fees", "tax", "net", "refunds", "tax_refunded", "fees_returned",
	"cost", "profit",
}

// entry is a row of a file: a sale and its amounts in the currency of the file.
type entry struct {
	sale    cardvault.Sale
	amounts cardvault.SalesReportRow
}

// readBooks returns entries by currency, oldest first. A voided sale has none.
func readBooks(
	ctx context.Context, client *cardvault.Client, since, before time.Time,
) (map[cardvault.Currency][]entry, error) {
	books := map[cardvault.Currency][]entry{}
	period := &cardvault.ListSalesParams{SoldSince: since, SoldBefore: before, Limit: 200}
	for sale, err := range client.Sales(ctx, period) {
		if err != nil {
			return nil, err
		}
		if sale.Status == cardvault.SaleStatusVoided {
			continue
		}
		for _, amounts := range amountsOf(sale) {
			books[amounts.Currency] = append(books[amounts.Currency], entry{sale, amounts})
		}
	}
	for _, entries := range books {
		slices.Reverse(entries)
	}
	return books, nil
}

// amountsOf returns the amounts of a sale in its currency. If the card was bought in another currency, its cost is in a
// second row, in that currency. The cost of a card that came back does not count.
func amountsOf(sale cardvault.Sale) []cardvault.SalesReportRow {
	row := cardvault.SalesReportRow{
		Currency: sale.Gross.Currency, Count: 1, Gross: sale.Gross.Amount,
		ShippingCharged: sale.ShippingCharged.Amount, ShippingCost: sale.ShippingCost.Amount,
		Tax: sale.Tax.Amount, Net: sale.Net.Amount,
	}
	for _, fee := range sale.Fees {
		row.Fees += fee.Amount.Amount
	}
	for _, refund := range sale.Refunds {
		row.Refunds += refund.Amount.Amount
		row.TaxRefunded += refund.Parts.Tax.Amount
		row.FeesReturned += refund.Parts.Fees.Amount
	}
	row.Profit = row.Net - row.Refunds + row.TaxRefunded + row.FeesReturned
	cost := sale.CostAtSale
	switch {
	case cost == nil || sale.RestockedAt != nil:
		return []cardvault.SalesReportRow{row}
	case cost.Currency != row.Currency:
		return []cardvault.SalesReportRow{row, {Currency: cost.Currency, Cost: cost.Amount, Profit: -cost.Amount}}
	}
	row.Cost, row.Profit = cost.Amount, row.Profit-cost.Amount
	return []cardvault.SalesReportRow{row}
}

// write writes the file of a currency and prints its sums, which must equal the report's.
func write(path string, entries []entry, report cardvault.SalesReportRow, zone *time.Location) error {
	rows := [][]string{header}
	sums := cardvault.SalesReportRow{Group: report.Group, Currency: report.Currency}
	for _, e := range entries {
		rows = append(rows, append([]string{
			e.sale.SoldAt.In(zone).Format("2006-01-02 15:04"), e.sale.ID, textOf(e.sale.OrderReference),
			string(e.sale.Channel), textOf(e.sale.Card.Title),
		}, decimals(e.amounts)...))
		add(&sums, e.amounts)
	}
	if sums != report {
		return errChanged
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := errors.Join(csv.NewWriter(file).WriteAll(rows), file.Close()); err != nil {
		return err
	}
	fmt.Printf("%s: %d sales", path, sums.Count)
	for i, decimal := range decimals(sums) {
		fmt.Printf(", %s %s", header[i+5], decimal)
	}
	fmt.Println()
	return nil
}

func add(sums *cardvault.SalesReportRow, row cardvault.SalesReportRow) {
	sums.Count += row.Count
	sums.Gross += row.Gross
	sums.ShippingCharged += row.ShippingCharged
	sums.ShippingCost += row.ShippingCost
	sums.Fees += row.Fees
	sums.Tax += row.Tax
	sums.Net += row.Net
	sums.Refunds += row.Refunds
	sums.TaxRefunded += row.TaxRefunded
	sums.FeesReturned += row.FeesReturned
	sums.Cost += row.Cost
	sums.Profit += row.Profit
}

// decimals returns the amounts of a row as decimal numbers, in the order of the header.
func decimals(row cardvault.SalesReportRow) []string {
	var texts []string
	for _, amount := range []int64{
		row.Gross, row.ShippingCharged, row.ShippingCost, row.Fees, row.Tax, row.Net, row.Refunds,
		row.TaxRefunded, row.FeesReturned, row.Cost, row.Profit,
	} {
		texts = append(texts, cardvault.SignedMoney{Amount: amount, Currency: row.Currency}.Decimal())
	}
	return texts
}

// textOf returns the text, or "" if there is none.
func textOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
