// Package fingerprint identifies a card by its picture: it rectifies the photo, computes a perceptual hash and finds
// the cards of the reference catalogue with the nearest hashes.
//
// It works offline and needs a catalogue with fingerprints. A picture alone tells neither the language of a card nor
// which of several printings it is, so a Reader reads the text too, and without a Reader no card is accepted.
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
	perSearch    = 12 // number of cards of one search
	maxPrintings = 80 // number of printings of the nearest card's name
	// certain is the distance up to which no other outline is tried. The nearest of 19,000 unrelated cards is rarely
	// nearer than 140 of 512 bits.
	certain = 110
	// coincidence is the distance from which the nearest card is an unrelated one.
	coincidence = 170
)

// Catalogue is the part of the reference catalogue that the provider uses.
type Catalogue interface {
	ByFingerprint(ctx context.Context, h catalog.Hints, hash [64]byte, limit int) ([]catalog.FingerprintMatch, error)
	Printings(ctx context.Context, h catalog.Hints, name string, limit int) ([]catalog.Card, error)
	Distances(ctx context.Context, hash [64]byte, ids []string) (map[string]int, error)
}

// Reader reads the text of a photo into its view, unless that was done. rectify returns the rectified card, for readers
// that need it.
type Reader interface {
	ReadCard(ctx context.Context, photo identify.Photo, rectify func() (*image.RGBA, error)) error
}

// Provider identifies cards by fingerprints. It is safe for concurrent use, but without a reader of
// the view each photo takes up to 100 MB: callers limit the number of concurrent calls.
type Provider struct {
	catalogue Catalogue
	reader    Reader
}

var _ identify.Provider = (*Provider)(nil)

// New returns the provider. reader may be nil.
func New(catalogue Catalogue, reader Reader) *Provider {
	return &Provider{catalogue: catalogue, reader: reader}
}

// Name implements identify.Provider.
func (p *Provider) Name() string { return Name }

// Identify implements identify.Provider.
func (p *Provider) Identify(ctx context.Context, photo identify.Photo) ([]identify.Candidate, error) {
	candidates, err := p.identify(ctx, photo)
	if err != nil {
		return nil, fmt.Errorf("identify by fingerprint: %w", err)
	}
	return candidates, nil
}

func (p *Provider) identify(ctx context.Context, photo identify.Photo) ([]identify.Candidate, error) {
	photo.View = photo.Shared()
	survey, err := photo.View.Survey(ctx, photo.Bytes)
	if err != nil || survey.IsPlain {
		return nil, err // any match of a plain picture would be coincidence
	}
	nearest, err := p.nearest(ctx, views(survey), photo.Hints)
	if err != nil || len(nearest.matches) == 0 || nearest.matches[0].Distance >= coincidence {
		return nil, err
	}
	photo.View.Hash = &nearest.hash
	for _, m := range nearest.matches {
		photo.View.Add(m.Card)
	}
	name := nearest.matches[0].Card.Name
	printings, err := p.catalogue.Printings(ctx, photo.Hints, name, maxPrintings)
	if err != nil {
		return nil, err
	}
	photo.View.Add(printings...)
	if err := photo.View.Compare(ctx, p.catalogue.Distances); err != nil {
		return nil, err
	}
	if p.reader != nil {
		rectify := func() (*image.RGBA, error) { return nearest.rectified(photo) }
		if err := p.reader.ReadCard(ctx, photo, rectify); err != nil {
			return nil, err
		}
	}
	return photo.View.Conclude(photo.View.Judge(photo.Hints)), nil
}

// view is one way to see the card, and the nearest cards of the catalogue.
type view struct {
	outline vision.Hypothesis
	turned  bool // upside down
	hash    [64]byte
	matches []catalog.FingerprintMatch
}

// rectified returns the card.
func (v view) rectified(photo identify.Photo) (*image.RGBA, error) {
	picture, err := photo.View.Picture(photo.Bytes)
	if err != nil {
		return nil, err
	}
	card := vision.Straighten(picture, v.outline)
	if v.turned {
		card = vision.HalfTurn(card)
	}
	return card, nil
}

// nearest returns the view with the nearest card. It stops at the first certain one.
func (p *Provider) nearest(ctx context.Context, views []view, hints catalog.Hints) (view, error) {
	var best view
	for _, seen := range views {
		matches, err := p.catalogue.ByFingerprint(ctx, hints, seen.hash, perSearch)
		if err != nil {
			return view{}, err
		}
		seen.matches = matches
		best = nearer(best, seen)
		if len(best.matches) > 0 && best.matches[0].Distance <= certain {
			return best, nil
		}
	}
	return best, nil
}

// views returns all outlines upright, and then upside down.
func views(survey vision.Survey) []view {
	var upright, upsideDown []view
	for _, seen := range survey.Outlines {
		upright = append(upright, view{outline: seen.Hypothesis, hash: seen.Upright})
		upsideDown = append(upsideDown, view{outline: seen.Hypothesis, hash: seen.Turned, turned: true})
	}
	return append(upright, upsideDown...)
}

func nearer(a, b view) view {
	if len(a.matches) == 0 || (len(b.matches) > 0 && b.matches[0].Distance < a.matches[0].Distance) {
		return b
	}
	return a
}
