package sales

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/calendar"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// The bounds of a report.
const (
	maxReportDays  = 366
	maxReportSales = 200_000
)

// The groupings of a report.
const (
	ByDay     = "day"
	ByWeek    = "week" // from Monday
	ByMonth   = "month"
	ByChannel = "channel"
)

// ReportRequest selects the sales of a report and their groups.
type ReportRequest struct {
	GroupBy  string
	Since    *time.Time // inclusive; the default is a year before Before
	Before   *time.Time // exclusive; the default is the end of today
	TimeZone string     // IANA; the default is UTC
}

// Report is the sums of sales.
type Report struct {
	Since, Before time.Time
	TimeZone      string
	Rows          []ReportRow // by group, then by currency
}

// ReportRow is the sums of one group in one currency, in minor units.
type ReportRow struct {
	Group           string `db:"grp"` // the first day of the period, or the channel
	Currency        string `db:"currency"`
	Count           int64  `db:"count"`
	Gross           int64  `db:"gross"`
	ShippingCharged int64  `db:"shipping_charged"`
	ShippingCost    int64  `db:"shipping_cost"`
	Fees            int64  `db:"fees"`
	Tax             int64  `db:"tax"`
	Refunds         int64  `db:"refunds"`
	TaxRefunded     int64  `db:"tax_refunded"` // part of Refunds, but not of the profit
	FeesReturned    int64  `db:"fees_returned"`
	Cost            int64  `db:"cost"` // of the cards that did not come back
}

// Net returns the sum of the nets of the sales.
func (r *ReportRow) Net() int64 { return r.Gross + r.ShippingCharged - r.ShippingCost - r.Fees }

// Profit returns Net minus refunds and the cost of the cards.
func (r *ReportRow) Profit() int64 {
	return r.Net() - (r.Refunds - r.TaxRefunded) + r.FeesReturned - r.Cost
}

// Report sums up the sales of a period that are not voided. A cost in another currency than its sale counts in a row of
// its own currency. The cost of a report is bounded: it covers at most 366 days and 200,000 sales.
func (s *Service) Report(ctx context.Context, accountID string, in ReportRequest) (Report, error) {
	report, zone, err := in.period(s.clock.Time())
	if err != nil {
		return Report{}, err
	}
	group, args := "channel", []any{accountID, report.Since, report.Before}
	var dates []time.Time
	if in.GroupBy != ByChannel {
		var starts []time.Time
		dates, starts = periods(in.GroupBy, report.Since, report.Before, zone)
		texts := make(pq.StringArray, len(starts))
		for i, start := range starts {
			texts[i] = timestamp.Format(start)
		}
		// width_bucket returns the number of the last period that began.
		group, args = "width_bucket(sold_at, $4::timestamptz[])", append(args, texts)
	}
	err = s.db.Select(ctx, &report.Rows, `
		SELECT grp, v.currency, sum(v.count)::bigint AS count, sum(v.gross)::bigint AS gross,
			sum(v.charged)::bigint AS shipping_charged, sum(v.shipping)::bigint AS shipping_cost,
			sum(v.fees)::bigint AS fees, sum(v.tax)::bigint AS tax, sum(v.refunds)::bigint AS refunds,
			sum(v.tax_refunded)::bigint AS tax_refunded, sum(v.fees_returned)::bigint AS fees_returned,
			sum(v.cost)::bigint AS cost
		FROM (
			SELECT `+group+`::text AS grp, * FROM sales
			WHERE account_id = $1 AND sold_at >= $2 AND sold_at < $3 AND status <> 'voided'
			ORDER BY sold_at, id LIMIT `+fmt.Sprint(maxReportSales+1)+`
		) AS s
		CROSS JOIN LATERAL (VALUES
			(s.currency, 1, s.gross, s.shipping_charged, s.shipping_cost, s.fee_total, s.tax,
				s.refunded, s.refunded_tax, s.refunded_fees, 0::bigint),
			(CASE WHEN s.restocked_at IS NULL THEN s.cost_currency END, 0, 0, 0, 0, 0, 0, 0, 0, 0, s.cost_amount)
		) AS v (currency, count, gross, charged, shipping, fees, tax, refunds, tax_refunded, fees_returned, cost)
		WHERE v.currency IS NOT NULL
		GROUP BY grp, v.currency`, args...)
	if err != nil {
		return Report{}, fmt.Errorf("sum sales: %w", err)
	}
	var count int64
	for i := range report.Rows {
		row := &report.Rows[i]
		count += row.Count
		if in.GroupBy != ByChannel {
			var n int
			if _, err := fmt.Sscan(row.Group, &n); err != nil || n < 1 || n > len(dates) {
				return Report{}, fmt.Errorf("sum sales: group %q of %d", row.Group, len(dates))
			}
			row.Group = dates[n-1].Format(time.DateOnly)
		}
	}
	if count > maxReportSales {
		return Report{}, fault.Invalid("since",
			"the period has more than %d sales; request a shorter one", maxReportSales)
	}
	slices.SortFunc(report.Rows, func(a, b ReportRow) int {
		if a.Group != b.Group {
			return strings.Compare(a.Group, b.Group)
		}
		return strings.Compare(a.Currency, b.Currency)
	})
	return report, nil
}

// period returns the report without rows, and its time zone.
func (in ReportRequest) period(now time.Time) (Report, *time.Location, error) {
	if in.TimeZone == "" {
		in.TimeZone = "UTC"
	}
	zone, err := time.LoadLocation(in.TimeZone)
	if err != nil || in.TimeZone == "Local" {
		return Report{}, nil, fault.Invalid("time_zone", "must be an IANA time zone such as Europe/Berlin")
	}
	r := Report{TimeZone: in.TimeZone}
	if in.Before != nil {
		r.Before = in.Before.UTC()
	} else {
		r.Before = calendar.Start(calendar.DateOf(now, zone).AddDate(0, 0, 1), zone)
	}
	if in.Since != nil {
		r.Since = in.Since.UTC()
	} else {
		r.Since = calendar.Add(r.Before, zone, -1, 0, 0)
	}
	switch {
	case !r.Since.Before(r.Before):
		return Report{}, nil, fault.Invalid("since", "must be before the end of the report")
	case r.Before.After(calendar.Add(r.Since, zone, 0, 0, maxReportDays)):
		return Report{}, nil, fault.Invalid("since",
			"must be at most %d days before the end of the report", maxReportDays)
	}
	return r, zone, nil
}

// periods returns the first dates of the days, weeks or months that overlap the time from since until before, and when
// each of them begins, in order. A day that the zone skipped is not among them.
func periods(groupBy string, since, before time.Time, zone *time.Location) (dates, starts []time.Time) {
	date := calendar.DateOf(since, zone)
	days, months := 1, 0
	switch groupBy {
	case ByWeek:
		date, days = calendar.Monday(date), 7
	case ByMonth:
		date, days, months = date.AddDate(0, 0, 1-date.Day()), 0, 1
	}
	for ; ; date = date.AddDate(0, months, days) {
		start := calendar.Start(date, zone)
		if !start.Before(before) {
			return dates, starts
		}
		if last := len(starts) - 1; last >= 0 && (start.Equal(starts[last]) || !start.After(since)) {
			dates, starts = dates[:last], starts[:last] // the period before has no moment
		}
		dates, starts = append(dates, date), append(starts, start)
	}
}
