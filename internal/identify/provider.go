// Package identify identifies the card on a photo. Chain asks providers in order until one returns a
// candidate with sufficient confidence. Service runs the chain for a request or in the background. In the
// background it never overwrites an identification by the owner.
package identify

import (
	"context"

	"github.com/cardvault/cardvault/internal/catalog"
)

// Photo is a stored or fetched photo of a card.
type Photo struct {
	// AccountID is the account that asks, whose budget calls to remote providers use.
	AccountID string
	// Bytes is the encoded image (JPEG, PNG or WebP), untrusted.
	Bytes []byte
	// ContentType is the media type of the stored photo. Providers that decode the image detect the type
	// from its bytes.
	ContentType string
	// Hints are what the owner knows about the card. Providers return only cards of its game, and cards of its set and
	// in its language before others that match equally well.
	Hints catalog.Hints
	// Background is true if no request waits for the outcome. Such a photo waits until photos of requests are
	// identified.
	Background bool
	// View is what providers share about the photo. The chain makes one if it is nil.
	View *View
}

// Candidate is a card that a photo may show.
type Candidate struct {
	// CatalogID is the card's id in the reference catalogue, or "" if the catalogue does not have it.
	CatalogID string
	Title     string
	Set       string
	// Number is the collector number in the printed form n/m, or n if the card has no total.
	Number   string
	Game     string
	Year     *int
	Variant  *string
	Language *string
	// Confidence is the probability that the photo shows this printing, from 0 to 1.
	Confidence float64
	// Objection is why the candidate must not be accepted without a person, whatever its confidence and the
	// threshold, in words for clients. It is "" for most candidates, and is not stored.
	Objection string `json:"-"`
	// Unconfirmed is whether the answer of a remote provider is not confirmed by the catalogue, so that it must not be
	// accepted without a person either. It is not stored.
	Unconfirmed bool `json:"-"`
	// Signals are what speaks for the candidate, strongest first.
	Signals []Signal
}

// Signal is a part of the photo that agrees with a candidate.
type Signal struct {
	Kind  SignalKind
	Score float64 // how well it agrees, from 0 to 1
}

// SignalKind is what agrees with a candidate.
type SignalKind string

// The kinds of signals.
const (
	PictureSignal SignalKind = "picture"
	NameSignal    SignalKind = "name"
	NumberSignal  SignalKind = "number"
	TextSignal    SignalKind = "text"
)

// Provider identifies the card on a photo. The providers of a chain are called in order and share the photo's View: a
// provider sees what the providers before it read and which cards they considered.
type Provider interface {
	// Name is the stable name used in configuration and attempts.
	Name() string
	// Identify returns at most 5 candidates, best first; none means no match.
	Identify(ctx context.Context, photo Photo) ([]Candidate, error)
}

// RemoteProvider is a Provider that asks another company. A call may cost money, so it is not repeated.
type RemoteProvider interface {
	Provider
	// Remote marks the provider.
	Remote()
}
