package developers

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/usage"
)

func TestNewUsageHistory(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(2026, 5, 11, 2, 0, 0, 0, time.UTC) // 22:00 the day before in New York
	few, many := usage.Classes{Read: usage.Counts{Requests: 30}}, usage.Classes{
		Read: usage.Counts{Requests: 40}, AI: usage.Counts{Requests: 20, Refused: 1},
	}
	both := few
	both.Add(many)
	var hours []usage.Hour
	for i, classes := range []usage.Classes{few, {}, many, few} {
		hours = append(hours, usage.Hour{Start: start.Add(time.Duration(i) * time.Hour), Classes: classes})
	}
	want := usageHistory{
		TimeZone: "America/New_York", Width: 16, Most: 60, Midnight: []int{8},
		Bars: []hourBar{
			{X: 0, AllowedY: 60, AllowedHeight: 60, RefusedY: 60},
			{X: 8, AllowedY: 2, AllowedHeight: 118, RefusedY: 0, RefusedHeight: 2},
			{X: 12, AllowedY: 60, AllowedHeight: 60, RefusedY: 60},
		},
		Days: []usageRow{{Label: "Mon 11 May", Classes: both}, {Label: "Sun 10 May", Classes: few}},
		Hours: []usageRow{
			{Label: "Mon 11 May, 01:00", Classes: few}, {Label: "Mon 11 May, 00:00", Classes: many},
			{Label: "Sun 10 May, 22:00", Classes: few},
		},
	}
	if diff := cmp.Diff(want, newUsageHistory(hours, zone)); diff != "" {
		t.Errorf("newUsageHistory (-want +got):\n%s", diff)
	}
}

func TestNewHourBar(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		total usage.Counts
		want  hourBar
	}{
		"all refused": {
			usage.Counts{Requests: 1000, Refused: 1000}, hourBar{AllowedY: 120, RefusedY: 0, RefusedHeight: 120},
		},
		"one of thousands": {
			usage.Counts{Requests: 1}, hourBar{AllowedY: 118, AllowedHeight: 2, RefusedY: 118},
		},
		"one refused of thousands": {
			usage.Counts{Requests: 1, Refused: 1}, hourBar{AllowedY: 120, RefusedY: 118, RefusedHeight: 2},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, newHourBar(0, tc.total, 1000)); diff != "" {
				t.Errorf("newHourBar (-want +got):\n%s", diff)
			}
		})
	}
}
