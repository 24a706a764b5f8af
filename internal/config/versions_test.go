package config

import (
	"strings"
	"testing"
	"time"
)

func TestEndOfV1(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ shipped, sunset, wantShipped, wantSunset string }{
		{"2027-03-01", "", "2027-03-01T00:00:00Z", "2028-03-01T00:00:00Z"},
		{"2027-03-01T09:30:00+02:00", "", "2027-03-01T07:30:00Z", "2028-03-01T07:30:00Z"},
		{"2027-03-01T09:30:00.75Z", "", "2027-03-01T09:30:00Z", "2028-03-01T09:30:00Z"},
		{"2028-02-29", "", "2028-02-29T00:00:00Z", "2029-03-01T00:00:00Z"}, // a leap day: not less than a year
		{"2027-03-01", "2028-03-01", "2027-03-01T00:00:00Z", "2028-03-01T00:00:00Z"},
		{"2027-03-01", "2030-01-01T12:00:00Z", "2027-03-01T00:00:00Z", "2030-01-01T12:00:00Z"},
	} {
		t.Run(tc.shipped+" "+tc.sunset, func(t *testing.T) {
			t.Parallel()
			c := Config{V2ShippedAt: tc.shipped, V1SunsetAt: tc.sunset}
			deprecated, sunset, err := c.EndOfV1()
			if got := deprecated.Format(time.RFC3339Nano); err != nil || got != tc.wantShipped {
				t.Errorf("deprecated: got %s, %v, want %s", got, err, tc.wantShipped)
			}
			if got := sunset.Format(time.RFC3339Nano); got != tc.wantSunset {
				t.Errorf("sunset: got %s, want %s", got, tc.wantSunset)
			}
		})
	}
	if deprecated, sunset, err := (&Config{}).EndOfV1(); err != nil || !deprecated.IsZero() || !sunset.IsZero() {
		t.Errorf("no date: got %s, %s, %v, want zero times", deprecated, sunset, err)
	}
}

func TestEndOfV1_Invalid(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		shipped, sunset string
		want            []string // parts of the error
	}{
		{"2027-03-01", "2028-02-29",
			[]string{"CARDVAULT_V1_SUNSET_AT", "12 months", "2028-03-01T00:00:00Z or later"}},
		{"2027-03-01T09:30:00Z", "2028-03-01T09:29:59Z",
			[]string{"CARDVAULT_V1_SUNSET_AT", "2028-03-01T09:30:00Z or later"}},
		{"2027-03-01", "2026-01-01", []string{"CARDVAULT_V1_SUNSET_AT"}},
		{"", "2028-03-01", []string{"CARDVAULT_V1_SUNSET_AT", "set CARDVAULT_V2_SHIPPED_AT too"}},
		{"soon", "", []string{"CARDVAULT_V2_SHIPPED_AT", `"soon"`, "such as 2027-03-01"}},
		{"2027-02-30", "", []string{"CARDVAULT_V2_SHIPPED_AT"}},
		{"2027-03-01", "@1803859200", []string{"CARDVAULT_V1_SUNSET_AT", "@1803859200"}},
	} {
		t.Run(tc.shipped+" "+tc.sunset, func(t *testing.T) {
			t.Parallel()
			c := validConfig()
			c.V2ShippedAt, c.V1SunsetAt = tc.shipped, tc.sunset
			err := c.Validate()
			if err == nil {
				t.Fatal("Validate: got no error")
			}
			for _, text := range tc.want {
				if !strings.Contains(err.Error(), text) {
					t.Errorf("Validate: got %q, want it to contain %q", err, text)
				}
			}
		})
	}
}
