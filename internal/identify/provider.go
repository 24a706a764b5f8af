// Package identify finds out which card a photo shows: a chain of providers, asked in order until one
// is sure enough, at a request or in the background. It never decides what a card is worth and never
// overrules an owner in the background.
package identify

import "context"

// Photo is one picture of a card as stored or fetched.
type Photo struct {
	// Bytes is the encoded picture (JPEG, PNG or WebP), untrusted.
	Bytes []byte
	// ContentType is the media type the photo was stored with; providers that
	// decode go by the bytes themselves.
	ContentType string
}

// Candidate is one card a provider thinks the photo shows.
type Candidate struct {
	// CatalogID is the card's id in the reference catalogue; empty when the
	// provider knows the card but the catalogue does not.
	CatalogID string
	Title     string
	Set       string
	// Number is the collector number in the printed form n/m, or n alone where
	// the card prints no total.
	Number   string
	Game     string
	Year     *int
	Variant  *string
	Language *string
	// Confidence is 0 to 1; 0.85 and above means right in about 98 of 100 cases.
	Confidence float64
}

// Provider identifies the card on a photo.
type Provider interface {
	// Name is the stable name used in configuration and attempts.
	Name() string
	// Identify returns at most 5 candidates, best first; none means no match.
	Identify(ctx context.Context, photo Photo) ([]Candidate, error)
}
