package selling

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/calendar"
	"github.com/cardvault/cardvault/internal/sales"
)

func TestPeriod_Days(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2]string{
		"this_month": {"2027-01-01", "2027-02-01"}, "last_month": {"2026-12-01", "2027-01-01"},
		"this_year": {"2027-01-01", "2028-01-01"}, "last_year": {"2026-01-01", "2027-01-01"},
	} {
		for _, p := range reportPeriods {
			if p.Name != name {
				continue
			}
			// It is the new year in Berlin already.
			now := time.Date(2026, 12, 31, 23, 30, 0, 0, time.UTC)
			since, before := p.days(calendar.DateOf(now, calendar.Zone("Europe/Berlin")))
			got := [2]string{since.Format(time.DateOnly), before.Format(time.DateOnly)}
			if got != want {
				t.Errorf("%s: %v, want %v", name, got, want)
			}
		}
	}
}

func TestPeriod_Part(t *testing.T) {
	t.Parallel()
	byDay, byMonth := reportPeriods[0], reportPeriods[2]
	report := sales.Report{Rows: []sales.ReportRow{
		{Group: "2026-02-01", Currency: "USD", Count: 2, Gross: 900, Fees: 50, Cost: 1200, ShippingCost: 30},
		{Group: "2026-02-03", Currency: "USD", Count: 1, Gross: 500, Refunds: 100, ShippingCharged: 20, TaxRefunded: 10,
			FeesReturned: 5},
	}}
	since, before := dateOf(2026, 2), dateOf(2026, 3)
	part := byDay.part(report, since, before)
	want := []reportRow{
		{"1 Feb", "/sales?sold_before=2026-02-02&sold_since=2026-02-01", 2, usd(900), usd(50), usd(-30), usd(0),
			usd(1200), usd(-380)},
		{"3 Feb", "/sales?sold_before=2026-02-04&sold_since=2026-02-03", 1, usd(500), usd(0), usd(20), usd(100),
			usd(0), usd(435)},
	}
	chart := part.Charts[0]
	if diff := cmp.Diff(want, chart.Rows); diff != "" || len(chart.Bars) != 28 {
		t.Errorf("%d bars, want 28; rows (-want +got):\n%s", len(chart.Bars), diff)
	}
	sum := reportRow{"Total", "", 3, usd(1400), usd(50), usd(-10), usd(100), usd(1200), usd(55)}
	if diff := cmp.Diff(sum, chart.Sum); diff != "" {
		t.Errorf("sum (-want +got):\n%s", diff)
	}
	year := byMonth.part(sales.Report{Rows: report.Rows[:1]}, dateOf(2026, 1), dateOf(2027, 1))
	row := year.Charts[0].Rows[0]
	if row.Label != "February 2026" || row.Address != "/sales?sold_before=2026-03-01&sold_since=2026-02-01" ||
		len(year.Charts[0].Bars) != 12 || year.Column != "Month" {
		t.Errorf("by month: %+v with %d bars", row, len(year.Charts[0].Bars))
	}
}

func TestChannelPart(t *testing.T) {
	t.Parallel()
	part := channelPart(sales.Report{Rows: []sales.ReportRow{
		{Group: "in_person", Currency: "USD", Count: 1, Gross: 100},
		{Group: "ebay", Currency: "EUR", Count: 1, Gross: 5},
	}}, allChannels, "2026-02-01", "2026-03-01")
	if len(part.Charts) != 2 || part.Charts[0].Currency != "EUR" || part.Charts[0].Rows[0].Label != "eBay" {
		t.Fatalf("charts %+v, want one for each currency", part.Charts)
	}
	want := "/sales?channel=in_person&sold_before=2026-03-01&sold_since=2026-02-01"
	if got := part.Charts[1].Rows[0].Address; got != want {
		t.Errorf("address %s, want %s", got, want)
	}
}

// The days of a month in which the zone skipped one have no bar for that date.
func TestPeriod_PartSkipsDate(t *testing.T) {
	t.Parallel()
	report := sales.Report{TimeZone: "Pacific/Apia", Rows: []sales.ReportRow{{Group: "2011-12-31", Currency: "USD"}}}
	part := reportPeriods[0].part(report, dateOf(2011, 12), dateOf(2012, 1))
	if bars := len(part.Charts[0].Bars); bars != 30 {
		t.Errorf("%d bars for December 2011 in Samoa, want 30", bars)
	}
}
