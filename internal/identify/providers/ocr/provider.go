// Package ocr identifies a card by its text: it reads the name, the collector number and the body text by
// optical character recognition, looks them up in the reference catalogue and ranks the cards found.
//
// It works offline and stores nothing. Every candidate is in the catalogue.
package ocr

import (
	"context"
	"errors"
	"fmt"
	"image"
	"log/slog"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/tesseract"
	"github.com/cardvault/cardvault/internal/identify/vision"
)

// Name is the provider's name in configuration and attempts.
const Name = "ocr"

// Catalogue is the part of the reference catalogue that the provider uses.
type Catalogue interface {
	ByNumber(ctx context.Context, h catalog.Hints, number string, printedTotal, limit int) ([]catalog.Card, error)
	ByName(ctx context.Context, h catalog.Hints, name string, limit int) ([]catalog.Match, error)
	Printings(ctx context.Context, h catalog.Hints, name string, limit int) ([]catalog.Card, error)
	ByText(ctx context.Context, h catalog.Hints, words []string, limit int) ([]catalog.Match, error)
	Distances(ctx context.Context, hash [64]byte, ids []string) (map[string]int, error)
}

// Reader reads the words of an image. *tesseract.Engine implements it.
type Reader interface {
	Read(ctx context.Context, picture *image.Gray, mode tesseract.Mode) ([]tesseract.Word, error)
}

// Provider identifies cards by their text. It is safe for concurrent use, but each photo takes up to
// 100 MB: callers limit the number of concurrent calls.
type Provider struct {
	catalogue Catalogue
	reader    Reader
}

var _ identify.TextProvider = (*Provider)(nil)

// New returns a provider that reads whole photos with the reader of their view. If there is none, or if that fails, the
// other reader reads the parts of rectified cards.
func New(catalogue Catalogue, other Reader) *Provider {
	return &Provider{catalogue: catalogue, reader: other}
}

// Name implements identify.Provider.
func (p *Provider) Name() string { return Name }

// Identify implements identify.Provider.
func (p *Provider) Identify(ctx context.Context, photo identify.Photo) ([]identify.Candidate, error) {
	candidates, _, err := p.Read(ctx, photo)
	return candidates, err
}

// Read implements identify.TextProvider. It continues from the text that was read and the cards that were found
// before. Without the models it reads the most card-like part of the photo first, and continues with other parts and
// other preprocessing only while no card matches clearly. It skips plain images.
func (p *Provider) Read(
	ctx context.Context, photo identify.Photo,
) (candidates []identify.Candidate, read identify.Reading, err error) {
	view := photo.Shared()
	survey, err := view.Survey(ctx, photo.Bytes)
	if err != nil {
		return nil, read, fmt.Errorf("read card: %w", err)
	}
	if survey.IsPlain {
		return nil, read, nil
	}
	q := search{catalogue: p.catalogue, hints: photo.Hints, view: view, asked: map[string]bool{}}
	if err := p.readPhoto(ctx, &q, photo.Bytes, survey); err != nil {
		return nil, read, fmt.Errorf("read card: %w", err)
	}
	return view.Conclude(q.round, q.ranked), readingOf(view.Text), nil
}

// readPhoto reads the whole photo with the models. Without them, or if they fail in time, it reads the best outline,
// upside down if nothing is legible, then with other preprocessing, then the other outlines. It stops as soon as a card
// is decided.
func (p *Provider) readPhoto(
	ctx context.Context, q *search, photo []byte, survey vision.Survey,
) error {
	if q.view.Reader != nil {
		err := readLines(ctx, q, photo, survey)
		if err == nil || ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		slog.WarnContext(ctx, "reading text without the models", "error", err)
	}
	if err := q.lookUpAll(ctx); err != nil {
		return err
	}
	picture, err := q.view.Picture(photo)
	if err != nil {
		return err
	}
	best := vision.Straighten(picture, survey.Outlines[0].Hypothesis)
	legible, err := p.readCard(ctx, q, best, p.strips, p.face)
	if err != nil {
		return err
	}
	if legible < fewWords {
		best = vision.HalfTurn(best)
		if legible, err = p.readCard(ctx, q, best, p.face, p.strips); err != nil {
			return err
		}
	}
	if legible >= fewWords {
		if _, err := p.readCard(ctx, q, best, p.adaptiveFace); err != nil {
			return err
		}
	}
	for _, other := range survey.Outlines[1:] {
		if q.decided() {
			return nil
		}
		card := vision.Straighten(picture, other.Hypothesis)
		if _, err := p.readCard(ctx, q, card, p.face, p.strips); err != nil {
			return err
		}
	}
	return nil
}

// readCard makes passes over one rectified card until a card is decided, or until a whole face has almost no
// words, which means that the outline is wrong. It returns the number of legible words. A pass that takes too
// long reads texture instead of text and counts as empty.
func (p *Provider) readCard(
	ctx context.Context, q *search, card *image.RGBA, passes ...pass,
) (legible int, err error) {
	for _, read := range passes {
		if q.decided() {
			return legible, nil
		}
		fresh, err := read(ctx, card)
		if err != nil && !errors.Is(err, tesseract.ErrTimeout) {
			return 0, err
		}
		if err := q.add(ctx, fresh.Text); err != nil {
			return 0, err
		}
		legible += fresh.legible
		if fresh.wholeFace && legible < fewWords {
			return legible, nil
		}
	}
	return legible, nil
}

// ReadCard reads the head and the foot of the card into the view, unless an earlier provider has read it. Without the
// models it reads the head and the foot of the rectified card.
func (p *Provider) ReadCard(ctx context.Context, photo identify.Photo, rectify func() (*image.RGBA, error)) error {
	view := photo.Shared()
	if len(view.Text.Lines) > 0 || view.Look != nil {
		return nil
	}
	if view.Reader != nil {
		err := readFirst(ctx, view, photo.Bytes)
		if err == nil || ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		slog.WarnContext(ctx, "reading text without the models", "error", err)
	}
	card, err := rectify()
	if err != nil {
		return err
	}
	fresh, err := p.strips(ctx, card)
	if err != nil && !errors.Is(err, tesseract.ErrTimeout) {
		return err
	}
	view.Text = view.Text.With(fresh.Text)
	return nil
}
