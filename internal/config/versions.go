package config

import (
	"errors"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/timestamp"
)

// sunsetMonths is the shortest time for which v1 is served after v2 ships.
const sunsetMonths = 12

// EndOfV1 returns the time from which v1 is deprecated, when v2 ships, and the time from which v1 may be switched off:
// V1SunsetAt, by default sunsetMonths later. Both are whole seconds in UTC, and zero if v2 has no date.
func (c *Config) EndOfV1() (deprecation, sunset time.Time, err error) {
	if c.V2ShippedAt == "" {
		if c.V1SunsetAt != "" {
			err = errors.New("CARDVAULT_V1_SUNSET_AT: v1 ends only after v2 ships; set CARDVAULT_V2_SHIPPED_AT too")
		}
		return time.Time{}, time.Time{}, err
	}
	if deprecation, err = parseTime("CARDVAULT_V2_SHIPPED_AT", c.V2ShippedAt); err != nil {
		return time.Time{}, time.Time{}, err
	}
	earliest := deprecation.AddDate(0, sunsetMonths, 0)
	if c.V1SunsetAt == "" {
		return deprecation, earliest, nil
	}
	if sunset, err = parseTime("CARDVAULT_V1_SUNSET_AT", c.V1SunsetAt); err != nil {
		return time.Time{}, time.Time{}, err
	}
	if sunset.Before(earliest) {
		return time.Time{}, time.Time{}, fmt.Errorf(
			"CARDVAULT_V1_SUNSET_AT: v1 is served for at least %d months after v2 ships "+
				"(CARDVAULT_V2_SHIPPED_AT is %s); set %s or later, or leave it out",
			sunsetMonths, c.V2ShippedAt, earliest.Format(time.RFC3339))
	}
	return deprecation, sunset, nil
}

// parseTime parses a time, or a date, which means its first second in UTC.
func parseTime(variable, text string) (time.Time, error) {
	t, err := timestamp.Parse(text)
	if err != nil {
		t, err = time.Parse(time.DateOnly, text)
	}
	if err == nil {
		return t.UTC().Truncate(time.Second), nil
	}
	return time.Time{}, fmt.Errorf(
		"%s: %q is neither a date such as 2027-03-01 nor a time such as 2027-03-01T09:00:00Z", variable, text)
}
