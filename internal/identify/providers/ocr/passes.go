package ocr

import (
	"context"
	"image"

	"github.com/cardvault/cardvault/internal/identify/tesseract"
	"github.com/cardvault/cardvault/internal/identify/vision"
)

// The parts of a card that hold its name and, in two halves, its number, set code
// and illustrator, in shares of its sides. They are wider than the print so that a
// slightly wrong outline still holds it.
var (
	headStrip = vision.Region{Left: 0.02, Top: 0.015, Right: 0.98, Bottom: 0.125}
	footLeft  = vision.Region{Left: 0.02, Top: 0.885, Right: 0.52, Bottom: 0.985}
	footRight = vision.Region{Left: 0.48, Top: 0.885, Right: 0.98, Bottom: 0.985}
)

const (
	// footScale brings the smallest print, about 15 pixels high on a straightened
	// card, to the 30 to 40 pixels that Tesseract's models were trained on.
	footScale = 2.5
	// adaptiveScale, adaptiveWindow and adaptiveMargin prepare the whole face for
	// the second way of reading it; the window is about three lines of body text.
	adaptiveScale, adaptiveWindow, adaptiveMargin = 1.4, 61, 12
	// headShare and footShare divide a whole face read at once.
	headShare, footShare = 0.14, 0.86
	// fewWords is the number of legible words on a face below which the outline is
	// wrong or the card upside down.
	fewWords = 4
)

// pass reads a straightened card in one way.
type pass func(ctx context.Context, card *image.RGBA) (text, error)

// strips reads head and foot, each with its inverse: names are printed dark on
// light and light on dark, often on one card.
func (p *Provider) strips(ctx context.Context, card *image.RGBA) (text, error) {
	grey := vision.Grey(card)
	head := vision.Stretch(vision.Crop(grey, headStrip, 1))
	bright := vision.Stretch(vision.Crop(vision.Brightest(card), headStrip, 1))
	words, err := p.reader.Read(ctx, vision.Stack(head, vision.Inverse(head), bright), tesseract.Block)
	if err != nil {
		return text{}, err
	}
	foot, err := p.Foot(ctx, card)
	return text{head: headLines(words), foot: foot}, err
}

// Foot reads the lines at the bottom of a straightened card, where the collector
// number stands. Each line may occur twice, in two readings.
func (p *Provider) Foot(ctx context.Context, card *image.RGBA) ([]string, error) {
	grey := vision.Grey(card)
	left := vision.Stretch(vision.Crop(grey, footLeft, footScale))
	right := vision.Stretch(vision.Crop(grey, footRight, footScale))
	words, err := p.reader.Read(ctx, vision.Stack(left, right, vision.Inverse(left), vision.Inverse(right)), tesseract.Block)
	if err != nil {
		return nil, err
	}
	return lines(words), nil
}

// face reads a whole card at once, by its brightest channel.
func (p *Provider) face(ctx context.Context, card *image.RGBA) (text, error) {
	return p.whole(ctx, vision.Brightest(card))
}

// adaptiveFace reads a whole card in black and white, where light is uneven.
func (p *Provider) adaptiveFace(ctx context.Context, card *image.RGBA) (text, error) {
	whole := vision.Crop(vision.Grey(card), vision.Region{Right: 1, Bottom: 1}, adaptiveScale)
	return p.whole(ctx, vision.Adaptive(whole, adaptiveWindow, adaptiveMargin))
}

// whole reads a picture of a card and sorts the words by where they stand.
func (p *Provider) whole(ctx context.Context, card *image.Gray) (text, error) {
	words, err := p.reader.Read(ctx, card, tesseract.Sparse)
	if err != nil {
		return text{}, err
	}
	var head, foot []tesseract.Word
	height := float64(card.Rect.Dy())
	for _, w := range words {
		switch middle := float64(w.Box.Min.Y+w.Box.Max.Y) / 2 / height; {
		case middle < headShare:
			head = append(head, w)
		case middle > footShare:
			foot = append(foot, w)
		}
	}
	return text{
		head: headLines(head), foot: lines(foot), body: bodyWords(words), legible: legible(words), wholeFace: true,
	}, nil
}
