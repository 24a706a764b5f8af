package identify

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/identify/vision"
	"github.com/cardvault/cardvault/internal/tracing"
	"github.com/cardvault/cardvault/internal/worker"
)

// DefaultThreshold is the default minimum confidence of an accepted candidate.
const DefaultThreshold = 0.85

// MaxCandidates is the maximum number of candidates of an outcome.
const MaxCandidates = 5

// Chain asks its providers in order until one returns a candidate with sufficient confidence.
type Chain struct {
	Providers []Provider
	// Threshold is the minimum confidence, 0..1, at which a provider's best candidate is accepted.
	Threshold float64
	// Timeout limits each call of a provider.
	Timeout time.Duration
	// Requests are for photos of requests, and Background for others, so that requests do not wait for a queue of
	// photos.
	Requests, Background Resources
	// Wait is the maximum time that a photo waits for a slot before Run returns ErrBusy.
	Wait time.Duration
}

// Resources are what photos share that are identified at once, by all chains that have the same.
type Resources struct {
	// Slots limits how many there are; nil means no limit.
	Slots *Slots
	// Reader computes on them; nil means that this process does, and that no models read text.
	Reader Reader
}

// Survey surveys an encoded photo, as View.Survey does. It does not wait for a slot.
func (r Resources) Survey(ctx context.Context, photo []byte) (vision.Survey, error) {
	return (&View{Reader: r.Reader}).Survey(ctx, photo)
}

// resources returns those for a photo.
func (ch Chain) resources(photo Photo) Resources {
	if photo.Background {
		return ch.Background
	}
	return ch.Requests
}

// settings returns the names of the providers, in order, and the threshold.
func (ch Chain) settings() accounts.Identification {
	names := make([]string, len(ch.Providers))
	for i, p := range ch.Providers {
		names[i] = p.Name()
	}
	return accounts.Identification{Providers: names, Threshold: ch.Threshold}
}

// withSettings returns the chain with other settings, which name all of its providers.
func (ch Chain) withSettings(settings accounts.Identification) Chain {
	ch.Threshold = settings.Threshold
	ch.Providers = slices.Clone(ch.Providers)
	slices.SortFunc(ch.Providers, func(a, b Provider) int {
		return cmp.Compare(slices.Index(settings.Providers, a.Name()), slices.Index(settings.Providers, b.Name()))
	})
	return ch
}

// Found is a candidate and its provider.
type Found struct {
	Candidate
	Provider string
}

// AttemptOutcome is the outcome of one provider call.
type AttemptOutcome string

// The outcomes of an attempt.
const (
	Accepted       AttemptOutcome = "accepted"
	BelowThreshold AttemptOutcome = "below_threshold"
	NoMatch        AttemptOutcome = "no_match"
	Failed         AttemptOutcome = "error"
	TimedOut       AttemptOutcome = "timeout"
)

// Attempt is one provider call.
type Attempt struct {
	Provider   string
	Outcome    AttemptOutcome
	Confidence *float64 // of the best candidate, if there is one
	Duration   time.Duration
	Message    string   // for clients; may be empty
	Err        error    // nil if the provider responded
	Overran    bool     // this process did not compute the answer in time
	Reading    *Reading // nil if the provider reads no text, or did not respond
}

// Outcome is the result of Run.
type Outcome struct {
	Accepted   *Found  // nil if no candidate reached the threshold
	Candidates []Found // best first, at most MaxCandidates, each card once
	Attempts   []Attempt

	label *cards.Grade // on the label of a slab in the text that the providers share
}

// Run asks the providers about the photo. It fails only if its context ends or, before any provider was
// asked, with ErrBusy. A provider that fails is a failed attempt of the outcome.
func (ch Chain) Run(ctx context.Context, photo Photo) (out Outcome, err error) {
	ctx, span := tracing.Start(ctx, trace.SpanKindInternal, "identification")
	defer func() { endRun(span, out, err) }()
	pool := ch.resources(photo)
	release, err := ch.slot(ctx, pool.Slots, photo.AccountID)
	if err != nil {
		return Outcome{}, err
	}
	defer release()
	photo.View = photo.Shared()
	photo.View.Reader = pool.Reader
	for _, p := range ch.Providers {
		candidates, attempt := ch.attempt(ctx, p, photo)
		if err := ctx.Err(); err != nil {
			return Outcome{}, err
		}
		out.Attempts = append(out.Attempts, attempt)
		// The provider knew what those before it saw, so its confidence in a card replaces theirs.
		out.Candidates = slices.DeleteFunc(out.Candidates, func(f Found) bool { return f.isAmong(candidates) })
		for _, c := range candidates {
			out.Candidates = append(out.Candidates, Found{c, p.Name()})
		}
		if attempt.Outcome == Accepted {
			out.Accepted = &Found{candidates[0], p.Name()}
			break
		}
	}
	out.Candidates = best(out.Candidates)
	if slab := photo.View.Text.Slab; slab != nil {
		out.label = &slab.Grade
	}
	return out, nil
}

// attempt asks a provider and decides whether its best candidate is accepted. Its context ends after Timeout.
func (ch Chain) attempt(ctx context.Context, p Provider, photo Photo) (candidates []Candidate, attempt Attempt) {
	ctx, span := tracing.Child(ctx, trace.SpanKindInternal, p.Name())
	defer func() { endAttempt(span, attempt) }()
	begin := time.Now()
	waitCtx, cancel := context.WithTimeout(ctx, ch.Timeout)
	defer cancel()
	candidates, reading, err := call(waitCtx, p, photo)
	// A provider of another company may not be able to search only one game.
	candidates = slices.DeleteFunc(candidates, func(c Candidate) bool { return !photo.Hints.Allows(c.Game) })
	attempt = Attempt{Provider: p.Name(), Duration: time.Since(begin), Err: err, Reading: reading}
	switch {
	case err != nil && (errors.Is(waitCtx.Err(), context.DeadlineExceeded) || errors.Is(err, context.DeadlineExceeded)):
		attempt.Outcome, attempt.Message = TimedOut, "The provider did not answer in time."
		_, remote := p.(RemoteProvider)
		attempt.Overran = !remote
		return nil, attempt
	case err != nil:
		slog.WarnContext(ctx, "identification provider failed", "provider", p.Name(), "error", err)
		attempt.Outcome, attempt.Message = Failed, failure(err)
		return nil, attempt
	case len(candidates) == 0:
		attempt.Outcome = NoMatch
		return nil, attempt
	}
	attempt.Confidence = &candidates[0].Confidence
	attempt.Outcome, attempt.Message = BelowThreshold, candidates[0].Objection
	if ch.accepts(candidates[0]) {
		attempt.Outcome = Accepted
	}
	return candidates, attempt
}

// call calls the provider and returns a panic as an error. The reading is nil if the provider reads no text or fails.
func call(ctx context.Context, p Provider, photo Photo) (candidates []Candidate, reading *Reading, err error) {
	defer worker.Recover(&err)
	reader, ok := p.(TextProvider)
	if !ok {
		candidates, err = p.Identify(ctx, photo)
		return candidates, nil, err
	}
	candidates, read, err := reader.Read(ctx, photo)
	if err == nil {
		reading = &read
	}
	return candidates, reading, err
}

// failure returns the part of a provider's error that clients may see.
func failure(err error) string {
	if f, ok := fault.As(err); ok {
		return f.Message
	}
	return "The provider failed."
}

// isAmong reports whether candidates have the same card.
func (f Found) isAmong(candidates []Candidate) bool {
	return slices.ContainsFunc(candidates, func(c Candidate) bool {
		return c.CatalogID == f.CatalogID && c.Title == f.Title && c.Set == f.Set && c.Number == f.Number
	})
}

// best returns the most confident candidates, each card once.
func best(all []Found) []Found {
	sortByConfidence(all)
	var matches []Found
	var cards []Candidate
	for _, f := range all {
		if !f.isAmong(cards) && len(matches) < MaxCandidates {
			matches, cards = append(matches, f), append(cards, f.Candidate)
		}
	}
	return matches
}

// sortByConfidence sorts by descending confidence. Equal candidates keep the order of the chain.
func sortByConfidence(all []Found) {
	slices.SortStableFunc(all, func(a, b Found) int { return cmp.Compare(b.Confidence, a.Confidence) })
}
