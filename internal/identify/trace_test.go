package identify

import (
	"errors"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/tracing/tracingtest"
)

// An identification has a span, with one span below it for each provider that was asked.
func TestChain_TracesProviders(t *testing.T) {
	t.Parallel()
	tracer, spans := tracingtest.Record()
	ch := Chain{Threshold: DefaultThreshold, Timeout: time.Minute, Providers: []Provider{
		provider{"first", fails(errors.New("password=hush"))}, provider{"second", finds(0.5)}, provider{"third", finds(0.9)},
	}}
	if _, err := ch.Run(tracer.With(t.Context()), Photo{}); err != nil {
		t.Fatal(err)
	}
	all := spans.All()
	if len(all) != 4 {
		t.Fatalf("%d spans, want 4: %+v", len(all), all)
	}
	whole := all[3]
	if whole.Name != "identification" || whole.Parent != "" || whole.Failed || whole.Attributes["cardvault.identified"] != "true" || whole.Attributes["cardvault.provider"] != "third" {
		t.Errorf("the identification is %+v", whole)
	}
	for i, want := range []struct {
		name, outcome, confidence string
		failed                    bool
	}{{"first", "error", "", true}, {"second", "below_threshold", "0.5", false}, {"third", "accepted", "0.9", false}} {
		got := all[i]
		if got.Name != want.name || got.Parent != whole.ID || got.Failed != want.failed ||
			got.Attributes["cardvault.outcome"] != want.outcome || got.Attributes["cardvault.confidence"] != want.confidence {
			t.Errorf("provider %d is %+v, want %+v below %s", i+1, got, want, whole.ID)
		}
		if got.Attributes["error.type"] == "password=hush" {
			t.Error("an error's text is shown")
		}
	}
}
