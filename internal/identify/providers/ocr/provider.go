// Package ocr identifies a card by what is printed on it: it reads the name,
// the collector number and the body text by optical character recognition, looks
// them up in the reference catalogue and judges which card agrees best.
//
// It works offline. It never writes anything, and it never invents a card: every
// candidate is in the catalogue.
package ocr

import (
	"context"
	"errors"
	"fmt"
	"image"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/tesseract"
	"github.com/cardvault/cardvault/internal/identify/vision"
)

// Name is the provider's name in configuration and attempts.
const Name = "ocr"

// Catalogue is what the provider needs of the reference catalogue.
type Catalogue interface {
	ByNumber(ctx context.Context, number string, printedTotal, limit int) ([]catalog.Card, error)
	ByName(ctx context.Context, name string, limit int) ([]catalog.Match, error)
	ByText(ctx context.Context, words []string, limit int) ([]catalog.Match, error)
}

// Reader turns a picture into words; *tesseract.Engine is one.
type Reader interface {
	Read(ctx context.Context, picture *image.Gray, mode tesseract.Mode) ([]tesseract.Word, error)
}

// Provider identifies by reading. It is safe for concurrent use, but each photo
// takes about 100 MB at worst: whoever asks bounds how many there are at once.
type Provider struct {
	catalogue Catalogue
	reader    Reader
}

var _ identify.Provider = (*Provider)(nil)

// New returns the provider.
func New(catalogue Catalogue, reader Reader) *Provider {
	return &Provider{catalogue: catalogue, reader: reader}
}

// Name implements identify.Provider.
func (p *Provider) Name() string { return Name }

// Identify implements identify.Provider. It reads the most card-like part of the
// photo first and goes on to other parts, and other ways of preparing it, only
// while no card clearly agrees. On a picture of one shade it does not try.
func (p *Provider) Identify(ctx context.Context, photo identify.Photo) ([]identify.Candidate, error) {
	picture, err := vision.Decode(photo.Bytes)
	if err != nil {
		return nil, fmt.Errorf("ocr.Identify: %w", err)
	}
	if vision.Plain(picture) {
		return nil, nil
	}
	found := inquiry{catalogue: p.catalogue, asked: map[string]bool{}}
	if err := p.readPhoto(ctx, &found, picture); err != nil {
		return nil, fmt.Errorf("ocr.Identify: %w", err)
	}
	out := make([]identify.Candidate, 0, maxCandidates)
	for _, v := range found.ranked[:min(maxCandidates, len(found.ranked))] {
		out = append(out, identify.FromCard(v.card, v.confidence))
	}
	return out, nil
}

// readPhoto reads the best outline; upside down too, where nothing was legible; then
// prepared differently; then the other outlines. It stops as soon as a card is clear.
func (p *Provider) readPhoto(ctx context.Context, found *inquiry, picture *image.RGBA) error {
	guesses := vision.Locate(picture)
	best := vision.Straighten(picture, guesses[0])
	legible, err := p.readCard(ctx, found, best, p.strips, p.face)
	if err != nil {
		return err
	}
	if legible < fewWords {
		best = vision.HalfTurn(best)
		if legible, err = p.readCard(ctx, found, best, p.face, p.strips); err != nil {
			return err
		}
	}
	if legible >= fewWords {
		if _, err := p.readCard(ctx, found, best, p.adaptiveFace); err != nil {
			return err
		}
	}
	for _, guess := range guesses[1:] {
		if found.clear() {
			return nil
		}
		if _, err := p.readCard(ctx, found, vision.Straighten(picture, guess), p.face, p.strips); err != nil {
			return err
		}
	}
	return nil
}

// readCard makes passes over one straightened card until the inquiry is clear, or
// until a whole face yields next to no words: the outline is wrong. It returns how
// many legible words the passes found. A pass that takes too long is one over
// texture, not text, and counts as having read nothing.
func (p *Provider) readCard(ctx context.Context, found *inquiry, card *image.RGBA, passes ...pass) (legible int, err error) {
	for _, read := range passes {
		if found.clear() {
			return legible, nil
		}
		fresh, err := read(ctx, card)
		if err != nil && !errors.Is(err, tesseract.ErrTimeout) {
			return 0, err
		}
		if err := found.add(ctx, fresh); err != nil {
			return 0, err
		}
		legible += fresh.legible
		if fresh.wholeFace && legible < fewWords {
			return legible, nil
		}
	}
	return legible, nil
}
