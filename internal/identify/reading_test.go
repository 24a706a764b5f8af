package identify

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// textProvider is a provider that has read something.
type textProvider struct {
	provider
	read Reading
}

func (p textProvider) Read(ctx context.Context, _ Photo) ([]Candidate, Reading, error) {
	found, err := p.ask(ctx)
	return found, p.read, err
}

func TestOutcome_Reading(t *testing.T) {
	t.Parallel()
	text := Reading{Name: "Ember Fox", Number: "4/102"}
	plain := provider{"plain", finds(0.5)}
	for name, tc := range map[string]struct {
		providers []Provider
		want      *Reading
	}{
		"of the only provider":         {[]Provider{textProvider{provider{"ocr", finds(0.5)}, text}}, &text},
		"after one that reads no text": {[]Provider{plain, textProvider{provider{"ocr", finds()}, text}}, &text},
		"nothing legible":              {[]Provider{textProvider{provider{"ocr", finds()}, Reading{}}}, &Reading{}},
		"no provider reads text":       {[]Provider{plain}, nil},
		"of one that failed":           {[]Provider{textProvider{provider{"ocr", fails(errors.New("x"))}, text}}, nil},
		"of one that panicked":         {[]Provider{textProvider{provider{"ocr", panics}, text}}, nil},
		"not asked because one was certain": {
			[]Provider{provider{"plain", finds(0.9)}, textProvider{provider{"ocr", finds()}, text}}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := Chain{Threshold: DefaultThreshold, Timeout: time.Minute, Providers: tc.providers}.
				Run(t.Context(), Photo{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, out.Reading()); diff != "" {
				t.Errorf("reading (-want +got):\n%s", diff)
			}
		})
	}
}
