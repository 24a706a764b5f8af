// Package timestamp formats times as the API's contract requires: RFC 3339 in UTC with six decimals. Such times sort as
// strings. It parses all that RFC 3339 allows. The package never reads a clock.
package timestamp

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// layout has microseconds, like PostgreSQL, and keeps trailing zeros.
const layout = "2006-01-02T15:04:05.000000Z"

// Time is a time in JSON.
type Time struct{ time.Time }

// Format formats t in UTC.
func Format(t time.Time) string { return string(appendTo(make([]byte, 0, len(layout)), t)) }

// appendTo appends t in UTC in the format of layout. A page of a list has hundreds of times, and time.AppendFormat
// takes several times as long, so appendTo uses it only for years without four digits.
func appendTo(b []byte, t time.Time) []byte {
	t = t.UTC()
	year, month, day := t.Date()
	if year < 0 || year > 9999 {
		return t.AppendFormat(b, layout)
	}
	hour, minute, second := t.Clock()
	b = append(appendDigits(b, year, 4), '-')
	b = append(appendDigits(b, int(month), 2), '-')
	b = append(appendDigits(b, day, 2), 'T')
	b = append(appendDigits(b, hour, 2), ':')
	b = append(appendDigits(b, minute, 2), ':')
	b = append(appendDigits(b, second, 2), '.')
	return append(appendDigits(b, t.Nanosecond()/1000, 6), 'Z')
}

// appendDigits appends n with leading zeros.
func appendDigits(b []byte, n, width int) []byte {
	at := len(b)
	b = append(b, "000000"[:width]...)
	for i := at + width - 1; i >= at; i-- {
		b[i] += byte(n % 10)
		n /= 10
	}
	return b
}

// Of returns t for JSON.
func Of(t time.Time) Time { return Time{t} }

// Or returns t for JSON, or nil if there is none.
func Or(t *time.Time) *Time {
	if t == nil {
		return nil
	}
	return &Time{*t}
}

// MarshalJSON implements json.Marshaler.
func (t Time) MarshalJSON() ([]byte, error) {
	b := make([]byte, 0, len(layout)+2)
	b = append(b, '"')
	return append(appendTo(b, t.Time), '"'), nil
}

// form is the form of an RFC 3339 time: date, minute, second, fraction and zone. Letters may be in lower case.
var form = regexp.MustCompile(
	`^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d):(\d\d)(\.\d+)?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$`)

// Parse parses a time in RFC 3339. A leap second, 23:59:60 in UTC, is the first second of the next day, because neither
// Go nor PostgreSQL counts leap seconds. Parse refuses what time.Parse accepts but RFC 3339 does not: a comma before
// the fraction, hours of one digit, and zone offsets of 24 hours.
func Parse(text string) (time.Time, error) {
	part := form.FindStringSubmatch(text)
	if part == nil {
		return time.Time{}, errForm
	}
	second, fraction := part[3], part[4]
	if second == "60" {
		second, fraction = "59", ""
	}
	at, err := time.Parse(time.RFC3339Nano, part[1]+"T"+part[2]+":"+second+fraction+strings.ToUpper(part[5]))
	if err != nil || part[3] != "60" {
		return at, err
	}
	if utc := at.UTC(); utc.Hour() != 23 || utc.Minute() != 59 {
		return time.Time{}, errLeap
	}
	return at.Add(time.Second), nil
}

var (
	errForm = errors.New("not a time in RFC 3339")
	errLeap = errors.New("a second 60 that is no leap second, which is 23:59:60 in UTC")
)

// Canonical returns a time in RFC 3339 as time.Parse takes it, and any other text as it is.
func Canonical(text string) string {
	at, err := Parse(text)
	switch {
	case err != nil:
		return text
	case text[17:19] == "60":
		return at.Format(time.RFC3339)
	}
	return strings.ToUpper(text)
}

// UnmarshalJSON implements json.Unmarshaler. It accepts every RFC 3339 time.
func (t *Time) UnmarshalJSON(b []byte) error {
	if len(b) < 2 || b[0] != '"' || b[len(b)-1] != '"' {
		return fmt.Errorf("timestamp: %s is not a string", b)
	}
	at, err := Parse(string(b[1 : len(b)-1]))
	if err != nil {
		return fmt.Errorf("timestamp: %w", err)
	}
	t.Time = at.UTC()
	return nil
}
