package identify

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/tracing/tracingtest"
)

// An identification has a span, with one span below it for each provider that was asked.
func TestChain_TracesProviders(t *testing.T) {
	t.Parallel()
	tracer, spans := tracingtest.Record()
	ch := Chain{Threshold: DefaultThreshold, Timeout: time.Minute, Providers: []Provider{
		provider{"first", fails(errors.New("password=hush"))},
		provider{"second", finds(0.5)},
		provider{"third", finds(0.9)},
	}}
	if _, err := ch.Run(tracer.With(t.Context()), Photo{}); err != nil {
		t.Fatal(err)
	}
	all := spans.All()
	if len(all) != 4 {
		t.Fatalf("got %d spans, want 4: %+v", len(all), all)
	}
	root := all[3]
	want := []tracingtest.Span{
		{Name: "first", Failed: true, Attributes: map[string]string{
			"cardvault.outcome": "error", "error.type": "error", // not the text of the error
		}},
		{Name: "second", Attributes: map[string]string{
			"cardvault.outcome": "below_threshold", "cardvault.confidence": "0.5",
		}},
		{Name: "third", Attributes: map[string]string{
			"cardvault.outcome": "accepted", "cardvault.confidence": "0.9",
		}},
		{Name: "identification", ID: root.ID, Attributes: map[string]string{
			"cardvault.identified": "true", "cardvault.provider": "third",
		}},
	}
	for i := range want {
		want[i].Kind, want[i].Trace, want[i].ID = "internal", root.Trace, all[i].ID
		if i < 3 {
			want[i].Parent = root.ID
		}
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
}
