package home

import (
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/calendar"
	"github.com/cardvault/cardvault/internal/dashboard/chart"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/sales"
)

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
		days := chart.WeeksOf(sales.Report{Since: since, Before: now.Add(1), TimeZone: tc.zone})
		if len(days) != homeWeeks || days[0] != tc.first || days[len(days)-1] != tc.last {
			t.Errorf("%+v: got the weeks %v, want %d", tc, days, homeWeeks)
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
