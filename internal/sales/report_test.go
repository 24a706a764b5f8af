package sales

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/calendar"
)

// For any period, zone and grouping, the periods are in order, the first contains the start, and none begins after
// the end. A sale at any moment of the report is in the period of its date.
func TestPeriods(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		zone := calendar.Zone(rapid.SampledFrom([]string{
			"UTC", "Europe/Berlin", "America/Sao_Paulo", "Asia/Kathmandu", "Pacific/Apia", "Africa/Cairo",
			"Asia/Beirut", "Pacific/Kwajalein", "Pacific/Kiritimati", "Pacific/Enderbury", "America/Havana",
		}).Draw(t, "zone"))
		since := time.Unix(rapid.Int64Range(0, 2_000_000_000).Draw(t, "since"), 0).UTC()
		seconds := rapid.Int64Range(1, maxReportDays*86400).Draw(t, "seconds")
		before := since.Add(time.Duration(seconds) * time.Second)
		group := rapid.SampledFrom([]string{ByDay, ByWeek, ByMonth}).Draw(t, "group")
		dates, starts := periods(group, since, before, zone)
		if len(starts) == 0 || starts[0].After(since) || !starts[len(starts)-1].Before(before) {
			t.Fatalf("periods of %s to %s in %s: %v", since, before, zone, starts)
		}
		if len(starts) > 1 && !starts[1].After(since) {
			t.Fatalf("%s is in the second period: %v", since, starts)
		}
		for i := 1; i < len(starts); i++ {
			if !starts[i].After(starts[i-1]) {
				t.Fatalf("periods %v are not in order", starts)
			}
		}
		sold := since.Add(time.Duration(rapid.Int64Range(0, seconds-1).Draw(t, "sold")) * time.Second)
		at := len(starts) - 1
		for starts[at].After(sold) {
			at--
		}
		day := calendar.DateOf(sold, zone)
		if day.Before(dates[at]) || at+1 < len(dates) && !day.Before(dates[at+1]) {
			t.Fatalf("%s is on %s in %s, but in the period of %s", sold, day, zone, dates[at])
		}
	})
}

func TestPeriods_SkippedDay(t *testing.T) {
	t.Parallel()
	day := func(n int) time.Time { return time.Date(2011, 12, n, 12, 0, 0, 0, time.UTC) }
	dates, starts := periods(ByDay, day(28), day(31), calendar.Zone("Pacific/Apia"))
	var got []string
	for i := range dates {
		got = append(got, dates[i].Format(time.DateOnly)+" "+starts[i].Format(time.RFC3339))
	}
	want := []string{
		"2011-12-28 2011-12-28T10:00:00Z", "2011-12-29 2011-12-29T10:00:00Z", "2011-12-31 2011-12-30T10:00:00Z",
		"2012-01-01 2011-12-31T10:00:00Z",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("days around the date that Samoa skipped (-want +got):\n%s", diff)
	}
}

// A report of 366 days is allowed whatever the clock does in between, and its default is a calendar year.
func TestReportRequest_CountsCalendarDays(t *testing.T) {
	t.Parallel()
	at := func(text string) *time.Time {
		parsed, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return &parsed
	}
	for name, tc := range map[string]struct {
		zone, since, before string
		valid               bool
	}{
		"a leap year and an hour": {"Europe/Berlin", "2027-10-29T22:00:00Z", "2028-10-29T23:00:00Z", true},
		"a day more":              {"Europe/Berlin", "2027-10-29T22:00:00Z", "2028-10-30T23:00:00Z", false},
		"366 days of UTC":         {"UTC", "2027-01-01T00:00:00Z", "2028-01-02T00:00:00Z", true},
		"367 days of UTC":         {"UTC", "2027-01-01T00:00:00Z", "2028-01-03T00:00:00Z", false},
	} {
		in := ReportRequest{Since: at(tc.since), Before: at(tc.before), TimeZone: tc.zone}
		if _, _, err := in.period(noon); (err == nil) != tc.valid {
			t.Errorf("%s: %v, want valid %t", name, err, tc.valid)
		}
	}
	for _, tc := range []struct{ zone, now, since, before string }{
		{"America/Sao_Paulo", "2018-11-03T12:00:00Z", "2017-11-04T02:00:00Z", "2018-11-04T03:00:00Z"},
		{"Pacific/Apia", "2011-12-29T20:00:00Z", "2010-12-31T10:00:00Z", "2011-12-30T10:00:00Z"},
		{"Asia/Beirut", "2024-03-30T12:00:00Z", "2023-03-30T21:00:00Z", "2024-03-30T22:00:00Z"},
	} {
		r, _, err := ReportRequest{TimeZone: tc.zone}.period(*at(tc.now))
		got := []string{r.Since.Format(time.RFC3339), r.Before.Format(time.RFC3339)}
		if diff := cmp.Diff([]string{tc.since, tc.before}, got); diff != "" || err != nil {
			t.Errorf("report of a year in %s: %v (-want +got):\n%s", tc.zone, err, diff)
		}
	}
}
