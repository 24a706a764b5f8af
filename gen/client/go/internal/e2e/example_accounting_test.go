//go:build e2e

package e2e

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

// The files have the sales of the month with the sums of the report, and take few requests.
func TestExamples_Accounting(t *testing.T) {
	s := newShop(t, "accounting")
	now := time.Now().UTC()
	before := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	since := before.AddDate(0, -1, 0)
	usd := func(amount int64) cardvault.Money { return cardvault.Money{Amount: amount, Currency: "USD"} }
	yen := cardvault.Money{Amount: 150, Currency: "JPY"}
	s.sell(usd(300), usd(1000), since)
	s.sell(yen, usd(2000), since.AddDate(0, 0, 10))
	s.sell(cardvault.Money{}, chf(700), before.Add(-time.Second))
	s.sell(usd(400), usd(900), before)
	returned := s.sell(usd(500), usd(3000), since.AddDate(0, 0, 20))
	patch := cardvault.SalePatch{ShippingCharged: usd(350), ShippingCost: usd(410), Tax: usd(190)}
	if _, err := s.UpdateSale(t.Context(), returned.ID, patch); err != nil {
		t.Fatal(err)
	}
	if _, err := s.RefundSale(t.Context(), returned.ID, cardvault.RefundInput{Restock: true}); err != nil {
		t.Fatal(err)
	}

	folder, g := t.TempDir(), newGate(t, 1000)
	printed := output(t, s.command(g.api, "accounting", "--folder", folder))
	if requests := g.count.Load(); requests > 10 {
		t.Errorf("the program sends %d requests, want at most 10", requests)
	}
	report, err := s.ReportSales(t.Context(), cardvault.ReportSalesParams{
		GroupBy: cardvault.ReportGroupingMonth, Since: since, Before: before,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range report.Data {
		month := since.Format("2006-01")
		path := filepath.Join(folder, fmt.Sprintf("sales-%s-%s.csv", month, row.Currency))
		wantSums(t, path, row)
		if !strings.Contains(printed, fmt.Sprintf("%s: %d sales, gross ", path, row.Count)) {
			t.Errorf("the program prints %q, want the sums of %s", printed, path)
		}
	}
	files, err := os.ReadDir(folder)
	if err != nil || len(files) != 3 || len(report.Data) != 3 {
		t.Errorf("got %d files, %v and %d currencies, want CHF, JPY and USD", len(files), err, len(report.Data))
	}
	s.wantLines("accounting", []string{"--month", "2019-02", "--folder", folder}, "2019-02: 0 currencies")
}

// sell sells a card with fees. The zero cost is none.
func (s *shop) sell(cost, price cardvault.Money, at time.Time) *cardvault.Sale {
	s.t.Helper()
	card := s.addCards(cardvault.CardInput{
		Identification: cardvault.IdentificationInput{Title: `Ember "Fox", first`},
		Pricing:        cardvault.PricingInput{Cost: cost},
	})[0]
	fee := cardvault.Fee{Kind: "table", Amount: cardvault.Money{Amount: 25, Currency: price.Currency}}
	sale, err := s.SellCard(s.t.Context(), card.ID, cardvault.SellInput{
		Channel: cardvault.SaleChannelInPerson, Price: price, SoldAt: at, Fees: []cardvault.Fee{fee, fee},
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return sale
}

// wantSums compares the sums of the columns of a file with a row of the report.
func wantSums(t *testing.T, path string, want cardvault.SalesReportRow) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]any{}
	for n, name := range rows[0][5:] {
		sum := int64(0)
		for _, row := range rows[1:] {
			money, err := cardvault.ParseMoney(row[n+5], want.Currency)
			if err != nil {
				t.Fatal(err)
			}
			sum += money.Amount
		}
		sums[name] = sum
	}
	sums["group"], sums["currency"], sums["count"] = want.Group, want.Currency, want.Count
	text, err := json.Marshal(sums)
	if err != nil {
		t.Fatal(err)
	}
	var got cardvault.SalesReportRow
	decode(t, string(text), &got)
	if got != want {
		t.Errorf("the sums of %s are %+v, want %+v", path, got, want)
	}
}
