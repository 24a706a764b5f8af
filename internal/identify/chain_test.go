package identify

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/fault"
)

// provider is a Provider that calls a function.
type provider struct {
	name string
	ask  func(ctx context.Context) ([]Candidate, error)
}

func (p provider) Name() string { return p.name }

func (p provider) Identify(ctx context.Context, _ Photo) ([]Candidate, error) { return p.ask(ctx) }

func finds(confidences ...float64) func(context.Context) ([]Candidate, error) {
	return func(context.Context) ([]Candidate, error) {
		var list []Candidate
		for _, c := range confidences {
			number := strings.Repeat("1", len(list)+1)
			list = append(list, Candidate{CatalogID: "x", Title: "Ember Fox", Number: number, Confidence: c})
		}
		return list, nil
	}
}

func fails(err error) func(context.Context) ([]Candidate, error) {
	return func(context.Context) ([]Candidate, error) { return nil, err }
}

func hangs(ctx context.Context) ([]Candidate, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func panics(context.Context) ([]Candidate, error) { panic("boom") }

func TestChain_WithSettings(t *testing.T) {
	t.Parallel()
	configured := Chain{
		Providers: []Provider{provider{"first", finds(0.9)}, provider{"second", finds(0.8)}}, Threshold: 0.85,
		Timeout: time.Minute,
	}
	for name, tc := range map[string]struct {
		order     []string
		threshold float64
		want      string // the providers that are asked
	}{
		"as configured":    {configured.settings().Providers, configured.settings().Threshold, "first"},
		"other order":      {[]string{"second", "first"}, 0.85, "second first"},
		"higher threshold": {[]string{"first", "second"}, 0.95, "first second"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			settings := accounts.Identification{Providers: tc.order, Threshold: tc.threshold}
			out, err := configured.withSettings(settings).Run(t.Context(), Photo{})
			if err != nil {
				t.Fatal(err)
			}
			var asked []string
			for _, a := range out.Attempts {
				asked = append(asked, a.Provider)
			}
			if got := strings.Join(asked, " "); got != tc.want {
				t.Errorf("asked %s, want %s", got, tc.want)
			}
		})
	}
}

func TestChain(t *testing.T) {
	t.Parallel()
	type ask = func(context.Context) ([]Candidate, error)
	for name, tc := range map[string]struct {
		first, second ask
		outcomes      string
		accepted      string
		candidates    int
	}{
		"first accepted":       {finds(0.85), finds(0.99), "accepted", "first", 1},
		"second accepted":      {finds(0.8499), finds(0.9), "below_threshold accepted", "second", 1},
		"both below threshold": {finds(0.5), finds(0.6, 0.4), "below_threshold below_threshold", "", 2},
		"no match":             {finds(), finds(), "no_match no_match", "", 0},
		"first fails":          {fails(errors.New("socket")), finds(1), "error accepted", "second", 1},
		"first hangs":          {hangs, finds(1), "timeout accepted", "second", 1},
		"first panics":         {panics, finds(), "error no_match", "", 0},
		"many candidates": {
			finds(0.5, 0.4, 0.3, 0.2), finds(0.6, 0.5, 0.4, 0.3, 0.2, 0.1), "below_threshold below_threshold", "", 5,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ch := Chain{
				Threshold: DefaultThreshold, Timeout: time.Minute,
				Providers: []Provider{provider{"first", tc.first}, provider{"second", tc.second}},
			}
			var out Outcome
			synctest.Test(t, func(t *testing.T) { // so that the timeout of a minute passes at once
				var err error
				if out, err = ch.Run(t.Context(), Photo{}); err != nil {
					t.Fatal(err)
				}
			})
			var outcomes []string
			for _, a := range out.Attempts {
				outcomes = append(outcomes, string(a.Outcome))
			}
			if got := strings.Join(outcomes, " "); got != tc.outcomes {
				t.Errorf("outcomes: got %q, want %q", got, tc.outcomes)
			}
			accepted := ""
			if out.Accepted != nil {
				accepted = out.Accepted.Provider
			}
			if accepted != tc.accepted {
				t.Errorf("provider of the accepted candidate: got %q, want %q", accepted, tc.accepted)
			}
			if len(out.Candidates) != tc.candidates {
				t.Errorf("candidates: got %d, want %d", len(out.Candidates), tc.candidates)
			}
			for i := 1; i < len(out.Candidates); i++ {
				if out.Candidates[i].Confidence > out.Candidates[i-1].Confidence {
					t.Errorf("candidate %d has more confidence than the one before", i)
				}
			}
		})
	}
}

// company is a RemoteProvider.
type company struct{ provider }

func (company) Remote() {}

// Another attempt is worth it if this process had no time, or if nothing answered.
func TestOutcome_IsIncomplete(t *testing.T) {
	t.Parallel()
	overran := fails(context.DeadlineExceeded)
	for name, tc := range map[string]struct {
		providers []Provider
		want      bool
	}{
		"below the threshold":  {[]Provider{provider{"a", finds(0.5)}, provider{"b", finds()}}, false},
		"timeout of the chain": {[]Provider{provider{"a", finds(0.5)}, provider{"b", hangs}}, true},
		"own timeout":          {[]Provider{provider{"a", overran}, provider{"b", finds(0.5)}}, true},
		"accepted":             {[]Provider{provider{"a", overran}, provider{"b", finds(0.9)}}, false},
		"company's timeout":    {[]Provider{provider{"a", finds(0.5)}, company{provider{"b", hangs}}}, false},
		"failure":              {[]Provider{provider{"a", finds(0.5)}, provider{"b", panics}}, false},
		"only failures":        {[]Provider{provider{"a", panics}, company{provider{"b", hangs}}}, true},
		"photo invalid":        {[]Provider{provider{"a", fails(fault.New(fault.PhotoInvalid, "No photo."))}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { // so that the timeout of a minute passes at once
				chain := Chain{Threshold: DefaultThreshold, Timeout: time.Minute, Providers: tc.providers}
				out, err := chain.Run(t.Context(), Photo{})
				if got := out.isIncomplete(); err != nil || got != tc.want {
					t.Errorf("isIncomplete: got %v (%v), want %v", got, err, tc.want)
				}
				if tc.want && out.failure() == "" {
					t.Error("an incomplete outcome does not say which failure there was")
				}
			})
		})
	}
}

// A provider that ignores the game of the hints does not get cards of other games into the outcome.
func TestChain_LeavesOutOtherGames(t *testing.T) {
	t.Parallel()
	mixed := provider{"mixed", func(context.Context) ([]Candidate, error) {
		return []Candidate{
			{Title: "Fox", Game: "pokemon", Confidence: 0.99}, {Title: "Forest", Game: "magic", Confidence: 0.9},
			{Title: "Stamp", Confidence: 0.5},
		}, nil
	}}
	ch := Chain{Threshold: DefaultThreshold, Timeout: time.Minute, Providers: []Provider{mixed}}
	for game, want := range map[string]string{
		"": "Fox Forest Stamp", "pokemon": "Fox Stamp", "magic": "Forest Stamp", "yugioh": "Stamp",
	} {
		out, err := ch.Run(t.Context(), Photo{Hints: catalog.Hints{Game: game}})
		if err != nil {
			t.Fatal(err)
		}
		var titles []string
		for _, c := range out.Candidates {
			titles = append(titles, c.Title)
		}
		if got := strings.Join(titles, " "); got != want {
			t.Errorf("candidates with the hint %q: got %q, want %q", game, got, want)
		}
		if accepted := out.Accepted != nil; accepted != (game != "yugioh") {
			t.Errorf("accepted with the hint %q: got %v", game, accepted)
		}
	}
}

func TestChain_HidesInternalErrors(t *testing.T) {
	t.Parallel()
	ch := Chain{Timeout: time.Second, Providers: []Provider{
		provider{"a", fails(errors.New("open /etc/secret: denied"))},
		provider{"b", fails(fault.New(fault.Unavailable, "Install tesseract-ocr."))},
	}}
	out, err := ch.Run(t.Context(), Photo{})
	if err != nil {
		t.Fatal(err)
	}
	if got := out.Attempts[0].Message; strings.Contains(got, "secret") || got == "" {
		t.Errorf("message of an internal error: got %q, want one without details", got)
	}
	if got := out.Attempts[1].Message; got != "Install tesseract-ocr." {
		t.Errorf("message of a fault: got %q, want that of the fault", got)
	}
}

func TestChain_StopsWithContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	canceling := provider{"a", func(ctx context.Context) ([]Candidate, error) {
		cancel()
		return hangs(ctx)
	}}
	ch := Chain{Timeout: time.Hour, Providers: []Provider{canceling}}
	if _, err := ch.Run(ctx, Photo{}); !errors.Is(err, context.Canceled) {
		t.Fatalf("Run = %v, want the error of the context", err)
	}
}

// sees is a provider that records the view that it gets.
type sees struct {
	name  string
	views *[]*View
}

func (s sees) Name() string { return s.name }

func (s sees) Identify(_ context.Context, photo Photo) ([]Candidate, error) {
	*s.views = append(*s.views, photo.View)
	return nil, nil
}

func TestChain_ProvidersShareAView(t *testing.T) {
	t.Parallel()
	var views []*View
	chain := Chain{Providers: []Provider{sees{"a", &views}, sees{"b", &views}}, Timeout: time.Minute}
	for range 2 {
		if _, err := chain.Run(t.Context(), Photo{}); err != nil {
			t.Fatal(err)
		}
	}
	if views[0] == nil || views[0] != views[1] || views[1] == views[2] {
		t.Errorf("views: got %v, want one for each photo", views)
	}
}

// A candidate with an objection is not accepted, whatever its confidence, and the attempt says why.
func TestChain_Objection(t *testing.T) {
	t.Parallel()
	objects := func(context.Context) ([]Candidate, error) {
		return []Candidate{{Title: "Ember Fox", Confidence: 0.99, Objection: "The photo shows a Japanese card."}}, nil
	}
	chain := Chain{Providers: []Provider{provider{"a", objects}}, Threshold: 0.5, Timeout: time.Minute}
	out, err := chain.Run(t.Context(), Photo{})
	if err != nil || out.Accepted != nil || len(out.Candidates) != 1 {
		t.Fatalf("Run: got %+v, %v, want a candidate that is not accepted", out, err)
	}
	if a := out.Attempts[0]; a.Outcome != BelowThreshold || a.Message != "The photo shows a Japanese card." {
		t.Errorf("attempt: got %+v, want the objection as its message", a)
	}
}

// What a later provider says about a card replaces what an earlier one said.
func TestChain_LaterJudgementCounts(t *testing.T) {
	t.Parallel()
	asked := []Provider{provider{"a", finds(0.8)}, provider{"b", finds(0.3)}}
	out, err := Chain{Providers: asked, Threshold: 0.85, Timeout: time.Minute}.Run(t.Context(), Photo{})
	if err != nil || len(out.Candidates) != 1 || out.Candidates[0].Provider != "b" ||
		out.Candidates[0].Confidence != 0.3 {
		t.Errorf("Run: got %+v, %v, want the candidate of b", out.Candidates, err)
	}
}
