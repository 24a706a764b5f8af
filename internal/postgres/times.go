package postgres

import (
	"database/sql/driver"
	"time"
)

// Times is an array of times, for a parameter of type timestamptz[].
type Times []time.Time

// Value implements driver.Valuer.
func (t Times) Value() (driver.Value, error) {
	const layout = "2006-01-02T15:04:05.999999Z07:00"
	text := make([]byte, 0, 2+len(t)*(len(layout)+1))
	text = append(text, '{')
	for i, at := range t {
		if i > 0 {
			text = append(text, ',')
		}
		text = at.UTC().AppendFormat(text, layout)
	}
	return string(append(text, '}')), nil
}
