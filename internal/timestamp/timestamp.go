// Package timestamp writes times as the contract has them: RFC 3339 in UTC, always six decimals,
// so that they compare as strings too.
package timestamp

import (
	"fmt"
	"time"
)

// layout keeps the microseconds that PostgreSQL does, trailing zeros included.
const layout = "2006-01-02T15:04:05.000000Z"

// Time is a time in JSON.
type Time struct{ time.Time }

// Format writes t in UTC.
func Format(t time.Time) string { return t.UTC().Format(layout) }

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
	b = t.UTC().AppendFormat(b, layout)
	return append(b, '"'), nil
}

// UnmarshalJSON implements json.Unmarshaler; any RFC 3339 time will do.
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
