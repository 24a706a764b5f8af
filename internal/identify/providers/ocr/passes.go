package ocr

import (
	"context"
	"errors"
	"image"

	"github.com/cardvault/cardvault/internal/identify/cardtext"
	"github.com/cardvault/cardvault/internal/identify/tesseract"
	"github.com/cardvault/cardvault/internal/identify/vision"
)

// The parts of a card with its name and, in two halves, its number, set code and illustrator. They are larger than the
// print, so that they also contain it if the outline is slightly wrong.
var (
	headStrip = vision.Region{Left: 0.02, Top: 0.015, Right: 0.98, Bottom: 0.125}
	footLeft  = vision.Region{Left: 0.02, Top: 0.885, Right: 0.52, Bottom: 0.985}
	footRight = vision.Region{Left: 0.48, Top: 0.885, Right: 0.98, Bottom: 0.985}
)

const (
	// footScale scales the smallest print, about 15 pixels high on a rectified card, to the 30 to 40 pixels for which
	// Tesseract's models are trained.
	footScale = 2.5
	// adaptiveScale, adaptiveWindow and adaptiveMargin are the parameters of adaptiveFace. The window is about three
	// lines of body text.
	adaptiveScale, adaptiveWindow, adaptiveMargin = 1.4, 61, 12
	// headShare and footShare are the end of the head and the beginning of the foot, as shares of the card's height.
	headShare, footShare = 0.14, 0.86
	// fewWords is the number of legible words below which the outline is wrong or the card is upside down.
	fewWords = 4
)

// pass reads a rectified card in one way.
type pass func(ctx context.Context, card *image.RGBA) (text, error)

// strips reads the head and the foot, or only the head if the foot takes too long. It also reads their inverses,
// because print is dark on light or light on dark, often on the same card.
func (p *Provider) strips(ctx context.Context, card *image.RGBA) (text, error) {
	grey := vision.Grey(card)
	head := vision.Stretch(vision.Crop(grey, headStrip, 1))
	bright := vision.Stretch(vision.Crop(vision.Brightest(card), headStrip, 1))
	words, err := p.reader.Read(ctx, vision.Stack(head, vision.Inverse(head), bright), tesseract.Block)
	if err != nil {
		return text{}, err
	}
	foot, err := p.foot(ctx, grey)
	if err != nil && !errors.Is(err, tesseract.ErrTimeout) {
		return text{}, err
	}
	all := append(lines(words), foot...)
	return text{Text: cardtext.Text{Head: headLines(words), Foot: foot, Lines: all, Partial: true}}, err
}

// foot reads the lines at the bottom of a rectified card, which contain the collector number. A line may occur twice,
// in two readings.
func (p *Provider) foot(ctx context.Context, grey *image.Gray) ([]string, error) {
	left := vision.Stretch(vision.Crop(grey, footLeft, footScale))
	right := vision.Stretch(vision.Crop(grey, footRight, footScale))
	stack := vision.Stack(left, right, vision.Inverse(left), vision.Inverse(right))
	words, err := p.reader.Read(ctx, stack, tesseract.Block)
	if err != nil {
		return nil, err
	}
	return lines(words), nil
}

// face reads a whole card, using the brightest channel of a pixel.
func (p *Provider) face(ctx context.Context, card *image.RGBA) (text, error) {
	return p.whole(ctx, vision.Brightest(card))
}

// adaptiveFace reads a whole card after adaptive thresholding, which compensates uneven light.
func (p *Provider) adaptiveFace(ctx context.Context, card *image.RGBA) (text, error) {
	whole := vision.Crop(vision.Grey(card), vision.Region{Right: 1, Bottom: 1}, adaptiveScale)
	return p.whole(ctx, vision.Adaptive(whole, adaptiveWindow, adaptiveMargin))
}

// whole reads a picture of a card and assigns the words to head, foot and body by their position.
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
	read := cardtext.Text{Head: headLines(head), Foot: lines(foot), Body: bodyWords(words), Lines: lines(words)}
	return text{Text: read, legible: legible(words), wholeFace: true}, nil
}
