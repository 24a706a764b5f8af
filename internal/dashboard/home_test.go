package dashboard

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/calendar"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/sales"
)

func usd(amount int64) money.Money { return money.Money{Amount: amount, Currency: "USD"} }

func TestHome(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := s.logIn(ada)
	b.want(b.get("/"), http.StatusOK, "Your inventory is empty")
	b.want(b.get("/"), http.StatusOK, "No sales in the last twelve weeks.")
	b.want(b.get("/"), http.StatusOK, "The first figures appear when a card has an asking price or a cost.")
	drafts := []cards.Draft{
		{Patch: cards.Patch{
			Title: cards.Set("Ember Fox"), AskingPrice: cards.Set(usd(124_050)), Cost: cards.Set(usd(100)),
		}},
		{Patch: cards.Patch{Title: cards.Set("<script>alert(1)</script>")}},
		{Patch: cards.Patch{Title: cards.Set("Free Bird"), AskingPrice: cards.Set(usd(250))}},
	}
	made, err := s.config.Cards.Create(t.Context(), s.account.ID, drafts, nil)
	if err != nil {
		t.Fatal(err)
	}
	b.wantSoon("/", "$1,243.00", `<span class="count">1</span> <span>to price</span></a>`, "The chart begins tomorrow.")
	_, err = s.db.Exec(t.Context(), `
		INSERT INTO stock_values SELECT $1, (now() AT TIME ZONE 'UTC')::date - 7, *, 0 FROM (VALUES ('', 3, 0, 0),
			('USD', 2, 98700, 4000)) AS v`, s.account.ID)
	if err != nil {
		t.Fatal(err)
	}
	b.wantSoon("/", `aria-label="Value of the stock in USD by day`,
		`<text class="amount" y="1em">$1,243.00</text>`, `<td class="figure">$987.00</td>`,
		`<td class="figure">$1,243.00</td>`)
	_, err = s.config.Sales.Sell(t.Context(), s.account.ID, made[2].ID, sales.SellInput{
		Channel: "in_person", Price: usd(240),
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	b.wantSoon("/", `<span class="count">1</span> <span>sold today</span>`, "$2.40",
		"$1,240.50") // without the card that was sold
}

// The weeks of the chart begin on the Mondays of the account's calendar, and their labels are the groups of the report,
// also where a Monday begins at 01:00 or the zone skipped a date.
func TestWeeksOf(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ zone, now, first, last string }{
		{"Europe/Berlin", "2026-11-22T22:59:59Z", "2026-08-31", "2026-11-16"}, // still Sunday in Berlin
		{"Europe/Berlin", "2026-11-22T23:00:00Z", "2026-09-07", "2026-11-23"},
		{"America/Sao_Paulo", "2018-11-05T12:00:00Z", "2018-08-20", "2018-11-05"},
		{"Africa/Cairo", "2024-05-05T12:00:00Z", "2024-02-12", "2024-04-29"},
		{"Pacific/Apia", "2011-12-30T09:59:59Z", "2011-10-10", "2011-12-26"},
		{"Pacific/Apia", "2012-01-01T10:00:00Z", "2011-10-17", "2012-01-02"},
	} {
		now, err := time.Parse(time.RFC3339, tc.now)
		if err != nil {
			t.Fatal(err)
		}
		zone := calendar.Zone(tc.zone)
		since := calendar.Start(firstWeek(calendar.DateOf(now, zone)), zone)
		days := weeksOf(sales.Report{Since: since, Before: now.Add(1), TimeZone: tc.zone})
		if len(days) != homeWeeks || days[0] != tc.first || days[len(days)-1] != tc.last {
			t.Errorf("%+v: got the weeks %v, want %d", tc, days, homeWeeks)
		}
	}
}

func TestCharts(t *testing.T) {
	t.Parallel()
	since := time.Date(2026, 11, 9, 0, 0, 0, 0, time.UTC)
	report := sales.Report{Since: since, Before: since.AddDate(0, 0, 15), TimeZone: "UTC", Rows: []sales.ReportRow{
		{Group: "2026-11-09", Currency: "USD", Count: 2, Gross: 900, Cost: 1200},
		{Group: "2026-11-23", Currency: "EUR", Count: 1, Gross: 500},
	}}
	eur500 := money.Money{Amount: 500, Currency: "EUR"}
	want := []chart{
		{
			Currency: "EUR", Width: 66, Zero: 120, Highest: eur500,
			Bars: []bars{
				{X: 1, ProfitX: 10, GrossY: 120, ProfitY: 120},
				{X: 23, ProfitX: 32, GrossY: 120, ProfitY: 120},
				{X: 45, ProfitX: 54, GrossHeight: 120, ProfitHeight: 120},
			},
			Weeks: []week{
				{"9 Nov 2026", 0, money.Money{Currency: "EUR"}, money.Money{Currency: "EUR"}},
				{"16 Nov 2026", 0, money.Money{Currency: "EUR"}, money.Money{Currency: "EUR"}},
				{"23 Nov 2026", 1, eur500, eur500},
			},
		},
		{
			Currency: "USD", Width: 66, Zero: 90, Highest: usd(900),
			Bars: []bars{
				{X: 1, ProfitX: 10, GrossHeight: 90, ProfitY: 90, ProfitHeight: 30}, // a loss
				{X: 23, ProfitX: 32, GrossY: 90, ProfitY: 90},
				{X: 45, ProfitX: 54, GrossY: 90, ProfitY: 90},
			},
			Weeks: []week{
				{"9 Nov 2026", 2, usd(900), usd(-300)},
				{"16 Nov 2026", 0, usd(0), usd(0)},
				{"23 Nov 2026", 0, usd(0), usd(0)},
			},
		},
	}
	if diff := cmp.Diff(want, charts(report)); diff != "" {
		t.Errorf("charts (-want +got):\n%s", diff)
	}
}

func TestFormatMoney(t *testing.T) {
	t.Parallel()
	for want, m := range map[string]money.Money{
		"$0.00": usd(0), "$0.05": usd(5), "-$0.05": usd(-5),
		"$1,234,567.89": usd(123_456_789), "-$999.00": usd(-99_900),
		"¥1,240": {Amount: 1240, Currency: "JPY"}, "CHF\u00a012.50": {Amount: 1250, Currency: "CHF"},
		"KWD\u00a01.250": {Amount: 1250, Currency: "KWD"},
	} {
		if got := format.Money(m); got != want {
			t.Errorf("formatMoney(%+v) = %q, want %q", m, got, want)
		}
	}
}

func TestIdentifying(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]identify.Progress{
		"":                               {},
		"1 card waits to be identified.": {Waiting: 1},
		"1,240 cards wait to be identified, about 9 minutes left.":          {Waiting: 1240, Left: 9 * time.Minute},
		"12 cards wait to be identified, less than a minute left.":          {Waiting: 12, Left: 20 * time.Second},
		"60 cards wait to be identified, about a minute left.":              {Waiting: 60, Left: time.Minute},
		"More than 10,000 cards wait to be identified, about 3 hours left.": {Waiting: 10_001, Left: 160 * time.Minute},
	} {
		if got := identifying(p); got != want {
			t.Errorf("%+v: got %q, want %q", p, got, want)
		}
	}
}
