package developers

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/webhooks"
)

func TestFiguresOf(t *testing.T) {
	t.Parallel()
	status := 204
	delivery := func(state webhooks.State, milliseconds ...int) webhooks.LoggedDelivery {
		d := webhooks.LoggedDelivery{Delivery: webhooks.Delivery{State: state}}
		for _, ms := range milliseconds {
			d.Log = append(d.Log, webhooks.Attempt{Status: &status, Duration: time.Duration(ms) * time.Millisecond})
		}
		return d
	}
	silent := delivery(webhooks.Pending)
	silent.Log = []webhooks.Attempt{{Duration: time.Hour}}
	mixed := []webhooks.LoggedDelivery{
		delivery(webhooks.Delivered, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18),
		delivery(webhooks.Dropped, 19), delivery(webhooks.Dropped, 500), silent,
	}
	for name, tc := range map[string]struct {
		week   webhooks.Finished
		latest []webhooks.LoggedDelivery
		want   deliveryFigures
	}{
		"none":    {want: deliveryFigures{Week: true}},
		"waiting": {latest: []webhooks.LoggedDelivery{silent}, want: deliveryFigures{Week: true, Measured: 1}},
		"a week": {
			webhooks.Finished{Delivered: 1999, Dropped: 1}, mixed,
			deliveryFigures{Week: true, Delivered: 1999, Finished: 2000, Percent: 99, P95: 19, Measured: 4},
		},
		"too many in a week": {
			webhooks.Finished{Delivered: 10_001, Dropped: 1, More: true}, mixed,
			deliveryFigures{Delivered: 1, Finished: 3, Percent: 33, P95: 19, Measured: 4},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, figuresOf(tc.week, tc.latest)); diff != "" {
				t.Errorf("figuresOf (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFailureWords(t *testing.T) {
	t.Parallel()
	const answered = "The answer was 500. Open the delivery to read the answer, and mend the receiver."
	for lastError, want := range map[string]string{
		"status: the answer was 500":      answered,
		"tls: check the certificate":      "Check the certificate.",
		"endpoint disabled for 90 days":   "endpoint disabled for 90 days",
		"later: a class of a new release": "later: a class of a new release",
		"status: ":                        "status: ",
		"":                                "",
	} {
		if got := FailureWords(lastError); got != want {
			t.Errorf("FailureWords(%q) = %q, want %q", lastError, got, want)
		}
	}
}
