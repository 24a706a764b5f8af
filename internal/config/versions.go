package config

import (
	"errors"
	"fmt"
	"time"
)

// sunsetMonths is how long v1 is served after v2 has shipped, at the least.
const sunsetMonths = 12

// EndOfV1 returns when v2 ships, from when on v1 is deprecated, and when v1 may be switched off: twelve
// months later unless a later time is set. Both are whole seconds in UTC, and zero while v2 has no date.
func (c *Config) EndOfV1() (deprecated, sunset time.Time, err error) {
	if c.V2ShippedAt == "" {
		if c.V1SunsetAt != "" {
			err = errors.New("CARDVAULT_V1_SUNSET_AT: v1 ends only once v2 has a date; set CARDVAULT_V2_SHIPPED_AT too")
		}
		return time.Time{}, time.Time{}, err
	}
	if deprecated, err = parseMoment("CARDVAULT_V2_SHIPPED_AT", c.V2ShippedAt); err != nil {
		return time.Time{}, time.Time{}, err
	}
	earliest := deprecated.AddDate(0, sunsetMonths, 0)
	if c.V1SunsetAt == "" {
		return deprecated, earliest, nil
	}
	if sunset, err = parseMoment("CARDVAULT_V1_SUNSET_AT", c.V1SunsetAt); err != nil {
		return time.Time{}, time.Time{}, err
	}
	if sunset.Before(earliest) {
		return time.Time{}, time.Time{}, fmt.Errorf("CARDVAULT_V1_SUNSET_AT: v1 is served for at least %d months after v2 has shipped (CARDVAULT_V2_SHIPPED_AT is %s); set %s or later, or leave it out",
			sunsetMonths, c.V2ShippedAt, earliest.Format(time.RFC3339))
	}
	return deprecated, sunset, nil
}

// parseMoment reads a time, or a date, which stands for its first second in UTC.
func parseMoment(variable, text string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if moment, err := time.Parse(layout, text); err == nil {
			return moment.UTC().Truncate(time.Second), nil
		}
	}
	return time.Time{}, fmt.Errorf("%s: %q is neither a date such as 2027-03-01 nor a time such as 2027-03-01T09:00:00Z", variable, text)
}
