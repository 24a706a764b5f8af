// Package fingerprint identifies a card by its picture: it rectifies the photo, computes a perceptual hash
// and finds the card of the reference catalogue with the nearest hash.
//
// It works offline and needs a catalogue with fingerprints. If several printings have the same picture, a FootReader
// reads the collector number to distinguish them. If the number is not legible, hints of the owner distinguish them.
// Without hints, such printings have low confidence.
package fingerprint

import (
	"context"
	"fmt"
	"image"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/vision"
)

// Name is the provider's name in configuration and attempts.
const Name = "fingerprint"

const (
	perSearch     = 12 // number of cards of one search
	maxCandidates = 5
	// certain is the distance up to which no other outline is tried. The nearest of 19,000 unrelated cards is rarely
	// nearer than 140 of 512 bits.
	certain = 110
	// unrelated is the mean distance of unrelated pictures.
	unrelated = 256
)

// Catalogue is the part of the reference catalogue that the provider uses.
type Catalogue interface {
	ByFingerprint(ctx context.Context, h catalog.Hints, hash [64]byte, limit int) ([]catalog.FingerprintMatch, error)
}

// FootReader reads the lines at the bottom of a straightened card.
type FootReader interface {
	Foot(ctx context.Context, card *image.RGBA) ([]string, error)
}

// Provider identifies cards by fingerprints. It is safe for concurrent use, but each photo takes up to
// 100 MB: callers limit the number of concurrent calls.
type Provider struct {
	catalogue Catalogue
	reader    FootReader
}

var _ identify.Provider = (*Provider)(nil)

// New returns the provider. reader may be nil; only hints then distinguish reprints.
func New(catalogue Catalogue, reader FootReader) *Provider {
	return &Provider{catalogue: catalogue, reader: reader}
}

// Name implements identify.Provider.
func (p *Provider) Name() string { return Name }

// Identify implements identify.Provider.
func (p *Provider) Identify(ctx context.Context, photo identify.Photo) ([]identify.Candidate, error) {
	picture, err := vision.Decode(photo.Bytes)
	if err != nil {
		return nil, fmt.Errorf("fingerprint.Identify: %w", err)
	}
	if vision.Plain(picture) {
		return nil, nil // any match would be coincidence
	}
	view, err := p.nearest(ctx, picture, photo.Hints)
	if err != nil {
		return nil, fmt.Errorf("fingerprint.Identify: %w", err)
	}
	ranked, err := p.rank(ctx, view, photo.Hints)
	if err != nil {
		return nil, fmt.Errorf("fingerprint.Identify: %w", err)
	}
	out := make([]identify.Candidate, 0, maxCandidates)
	for _, v := range ranked[:min(maxCandidates, len(ranked))] {
		out = append(out, identify.FromCard(v.card, v.confidence,
			identify.Signal{Kind: identify.PictureSignal, Score: max(0, 1-float64(v.distance)/unrelated)},
			identify.Signal{Kind: identify.NumberSignal, Score: v.number}))
	}
	return out, nil
}

// rank returns the verdicts of a view's matches. It distinguishes reprints by the collector number or, if that is not
// legible, by the hints.
func (p *Provider) rank(ctx context.Context, v view, hints catalog.Hints) ([]verdict, error) {
	ranked := rank(v.matches)
	if p.reader != nil && len(reprints(ranked)) > 0 {
		foot, err := p.reader.Foot(ctx, v.card)
		if err != nil {
			return nil, err
		}
		var decided bool
		if ranked, decided = decide(ranked, foot); decided {
			return ranked, nil
		}
	}
	return prefer(ranked, hints), nil
}

// view is one rectified card and the nearest cards of the catalogue.
type view struct {
	card    *image.RGBA
	matches []catalog.FingerprintMatch
}

// nearest tries all outlines upright and then upside down, and returns the view with the nearest card. It stops at the
// first certain one.
func (p *Provider) nearest(ctx context.Context, picture *image.RGBA, hints catalog.Hints) (view, error) {
	var best view
	guesses := vision.Locate(picture)
	for _, turned := range []bool{false, true} {
		for _, guess := range guesses {
			card := vision.Straighten(picture, guess)
			if turned {
				card = vision.HalfTurn(card)
			}
			found, err := p.catalogue.ByFingerprint(ctx, hints, vision.Fingerprint(card), perSearch)
			if err != nil {
				return view{}, err
			}
			best = nearer(best, view{card, found})
			if len(best.matches) > 0 && best.matches[0].Distance <= certain {
				return best, nil
			}
		}
	}
	return best, nil
}

func nearer(a, b view) view {
	if len(a.matches) == 0 || (len(b.matches) > 0 && b.matches[0].Distance < a.matches[0].Distance) {
		return b
	}
	return a
}
