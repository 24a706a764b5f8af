package calendar

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// zones are zones with skipped midnights, skipped dates, half hours and clocks that were set back past midnight.
var zones = []string{
	"UTC", "Europe/Berlin", "America/Sao_Paulo", "America/Asuncion", "Asia/Beirut", "Africa/Cairo", "Asia/Tehran",
	"Asia/Kathmandu", "Asia/Gaza", "America/Havana", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia",
	"Pacific/Kwajalein", "Pacific/Kiritimati", "Pacific/Enderbury", "Pacific/Chatham", "Africa/Casablanca",
}

func date(text string) time.Time {
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return day
}

func TestStart(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ zone, date, want string }{
		{"Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00Z"},
		{"America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00Z"}, // 01:00, because midnight was skipped
		{"Asia/Beirut", "2024-03-31", "2024-03-30T22:00:00Z"},
		{"Africa/Cairo", "2024-04-26", "2024-04-25T22:00:00Z"},
		{"Pacific/Apia", "2011-12-29", "2011-12-29T10:00:00Z"},
		{"Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z"}, // skipped: the first moment of the 31st
		{"Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z"},
		{"Pacific/Apia", "2012-01-01", "2011-12-31T10:00:00Z"},
		{"America/St_Johns", "2008-11-02", "2008-11-02T02:30:00Z"}, // the first of two midnights
		{"UTC", "2026-12-31", "2026-12-31T00:00:00Z"},
	} {
		if got := Start(date(tc.date), Zone(tc.zone)).Format(time.RFC3339); got != tc.want {
			t.Errorf("Start(%s, %s): got %s, want %s", tc.date, tc.zone, got, tc.want)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ zone, text, want string }{
		{"Europe/Berlin", "2026-05-01T09:00:00Z", "2026-05-01T09:00:00Z"},
		{"Europe/Berlin", "2026-05-01T09:00:00+05:45", "2026-05-01T03:15:00Z"},
		{"Europe/Berlin", "2026-05-01T09:00", "2026-05-01T07:00:00Z"},
		{"Europe/Berlin", "2026-05-01", "2026-04-30T22:00:00Z"},
		{"America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00Z"},       // 01:00, because midnight was skipped
		{"America/Sao_Paulo", "2018-11-04T00:00", "2018-11-04T03:00:00Z"}, // not 23:00 of the day before
		{"Europe/Berlin", "", ""},
		{"Europe/Berlin", "tomorrow", ""},
		{"Europe/Berlin", "2026-05-01 09:00", ""},
		{"Europe/Berlin", "2026-02-30", ""},
	} {
		got, err := Parse(tc.text, Zone(tc.zone))
		if text := got.UTC().Format(time.RFC3339); (err != nil) != (tc.want == "") || err == nil && text != tc.want {
			t.Errorf("Parse(%q, %s): got %s, %v, want %q", tc.text, tc.zone, text, err, tc.want)
		}
	}
}

func TestExists(t *testing.T) {
	t.Parallel()
	for zone, days := range map[string]map[string]bool{
		"Pacific/Apia":      {"2011-12-29": true, "2011-12-30": false, "2011-12-31": true},
		"Pacific/Kwajalein": {"1993-08-20": true, "1993-08-21": false, "1993-08-22": true},
		"America/Sao_Paulo": {"2018-11-03": true, "2018-11-04": true},
	} {
		for day, want := range days {
			if got := Exists(date(day), Zone(zone)); got != want {
				t.Errorf("Exists(%s, %s): got %t, want %t", day, zone, got, want)
			}
		}
	}
}

func TestAdd(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		zone, at            string
		years, months, days int
		want                string
	}{
		{"Europe/Berlin", "2026-10-24T22:00:00Z", 0, 0, 1, "2026-10-25T23:00:00Z"}, // a day of 25 hours
		{"Europe/Berlin", "2026-03-28T01:30:00Z", 0, 0, 1, "2026-03-29T01:30:00Z"}, // 02:30 is skipped
		{"America/Sao_Paulo", "2019-11-04T03:00:00Z", -1, 0, 0, "2018-11-04T03:00:00Z"},
		{"Pacific/Apia", "2012-12-29T10:00:00Z", -1, 0, 0, "2011-12-30T10:00:00Z"},
		{"UTC", "2026-05-11T15:32:01Z", 0, 1, 1, "2026-06-12T15:32:01Z"},
	} {
		at, err := time.Parse(time.RFC3339, tc.at)
		if err != nil {
			t.Fatal(err)
		}
		got := Add(at, Zone(tc.zone), tc.years, tc.months, tc.days).Format(time.RFC3339)
		if got != tc.want {
			t.Errorf("Add(%s, %s, %d, %d, %d): got %s, want %s",
				tc.at, tc.zone, tc.years, tc.months, tc.days, got, tc.want)
		}
	}
}

// For any date in any zone, the clock shows an earlier date just before its start. At its start, it shows the date, or
// a later one if the date was skipped. Days follow one another without gaps.
func TestStart_IsTheFirstMoment(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		zone := Zone(rapid.SampledFrom(zones).Draw(t, "zone"))
		day := date("1970-01-02").AddDate(0, 0, rapid.IntRange(0, 80*365).Draw(t, "day"))
		start := Start(day, zone)
		if before := DateOf(start.Add(-1), zone); !before.Before(day) {
			t.Fatalf("%s in %s starts at %s, but it is %s before", day, zone, start, before)
		}
		exists := Exists(day, zone)
		if at := DateOf(start, zone); at.Equal(day) != exists || at.Before(day) {
			t.Fatalf("%s in %s starts at %s, where it is %s", day, zone, start, at)
		}
		if next := Start(day.AddDate(0, 0, 1), zone); exists && next.Sub(start) < 20*time.Hour || next.Before(start) {
			t.Fatalf("%s in %s lasts from %s until %s", day, zone, start, next)
		}
	})
}

func TestMonday(t *testing.T) {
	t.Parallel()
	for day, want := range map[string]string{
		"2026-11-23": "2026-11-23", "2026-11-27": "2026-11-23", "2026-11-29": "2026-11-23", "2026-11-30": "2026-11-30",
	} {
		if got := Monday(date(day)); !got.Equal(date(want)) {
			t.Errorf("Monday(%s): got %s, want %s", day, got.Format(time.DateOnly), want)
		}
	}
}
