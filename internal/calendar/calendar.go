// Package calendar computes with dates in time zones. It is the one place that knows when a day begins.
//
// A date is a time.Time at midnight in UTC, whatever the zone, so adding days, weeks and months with time.Time.AddDate
// never meets a clock change. Start converts a date to a moment. A day usually begins at midnight, but where the clock
// is set forward at midnight, it begins later (Asia/Beirut, Africa/Cairo), and a zone that changed sides of the date
// line has skipped a date (Pacific/Apia, 30 December 2011). The package never reads a clock.
package calendar

import (
	"time"
	_ "time/tzdata" // time zones also on machines without them

	"github.com/cardvault/cardvault/internal/timestamp"
)

// Zone returns the time zone with a name, such as an account's time zone. It returns UTC if the name is unknown.
func Zone(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil { // accounts have valid zones
		return time.UTC
	}
	return zone
}

// DateOf returns the date that the calendar of the zone shows at a moment.
func DateOf(at time.Time, zone *time.Location) time.Time {
	year, month, day := at.In(zone).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// earliest is how long before midnight in UTC a date certainly has not begun in any zone.
const earliest = 26 * time.Hour

// Start returns the first moment of a date in the zone, in UTC. If the zone skipped the date, it returns the first
// moment after it.
func Start(date time.Time, zone *time.Location) time.Time {
	at := date.Add(-earliest)
	for {
		local := at.In(zone)
		_, offset := local.Zone()
		_, end := local.ZoneBounds()
		midnight := date.Add(-time.Duration(offset) * time.Second)
		if midnight.Before(at) { // the clock was set forward past midnight
			midnight = at
		}
		if end.IsZero() || midnight.Before(end) {
			return midnight.UTC()
		}
		at = end
	}
}

// Minutes is the layout of a local time as browsers send it (datetime-local).
const Minutes = "2006-01-02T15:04"

// Parse parses a time in RFC 3339, or a date and time or a date that the calendar of the zone shows. A date means its
// first moment. A time that the zone skips on a date is moved to a time of the same date.
func Parse(text string, zone *time.Location) (time.Time, error) {
	if at, err := timestamp.Parse(text); err == nil {
		return at, nil
	}
	if date, err := time.Parse(time.DateOnly, text); err == nil {
		return Start(date, zone), nil
	}
	at, err := time.ParseInLocation(Minutes, text, zone)
	if err != nil {
		return time.Time{}, err
	}
	t, _ := time.Parse(Minutes, text)
	if date := t.Truncate(24 * time.Hour); !DateOf(at, zone).Equal(date) {
		return Start(date, zone), nil
	}
	return at.UTC(), nil
}

// Exists reports whether the zone has not skipped the date.
func Exists(date time.Time, zone *time.Location) bool {
	return Start(date, zone).Before(Start(date.AddDate(0, 0, 1), zone))
}

// Monday returns the Monday of the week of a date.
func Monday(date time.Time) time.Time { return date.AddDate(0, 0, -(int(date.Weekday())+6)%7) }

// Add adds years, months and days to a moment by the calendar of the zone: the clock then shows the same time, unless
// the zone skips that time. The start of a day leads to the start of a day. The result is in UTC.
func Add(at time.Time, zone *time.Location, years, months, days int) time.Time {
	date := DateOf(at, zone)
	sum := date.AddDate(years, months, days)
	start := Start(sum, zone)
	if at.Equal(Start(date, zone)) {
		return start
	}
	local := at.In(zone)
	moment := time.Date(sum.Year(), sum.Month(), sum.Day(),
		local.Hour(), local.Minute(), local.Second(), local.Nanosecond(), zone).UTC()
	if moment.Before(start) || !DateOf(moment, zone).Equal(sum) {
		return start
	}
	return moment
}
