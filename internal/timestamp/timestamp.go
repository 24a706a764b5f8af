// Package timestamp formats times as the API's contract requires: RFC 3339 in UTC with six decimals. Such times sort as
// strings. The package never reads a clock.
package timestamp

import (
	"fmt"
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

// UnmarshalJSON implements json.Unmarshaler. It accepts every RFC 3339 time.
func (t *Time) UnmarshalJSON(b []byte) error {
	if len(b) < 2 || b[0] != '"' || b[len(b)-1] != '"' {
		return fmt.Errorf("timestamp: %s is not a string", b)
	}
	parsed, err := time.Parse(time.RFC3339Nano, string(b[1:len(b)-1]))
	if err != nil {
		return fmt.Errorf("timestamp: %w", err)
	}
	t.Time = parsed.UTC()
	return nil
}
