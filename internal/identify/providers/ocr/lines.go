package ocr

import (
	"context"
	"image"

	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/cardtext"
	"github.com/cardvault/cardvault/internal/identify/ppocr"
	"github.com/cardvault/cardvault/internal/identify/vision"
)

// LineReader finds and reads the lines of text on a picture. It finds them at any angle and turned upside down, so it
// needs no outline of the card. *textreader.Pool implements it.
type LineReader interface {
	// Find returns the lines on a picture in reading order, of which it may have read some.
	Find(ctx context.Context, picture *image.RGBA) ([]ppocr.Line, error)
	// Read reads lines that Find returned for the picture, and returns them in the same order.
	Read(ctx context.Context, picture *image.RGBA, lines []ppocr.Line) ([]ppocr.Line, error)
}

// gain is how much larger the text must be in a close look.
const gain = 1.2

// readLines reads the photo with the models until a card is decided or all is read. Most cards are decided by their
// head and their foot, which have a third of the letters. If they are not, small print is searched with more pixels,
// unless only the language is not clear, which sentences tell.
func (p *Provider) readLines(ctx context.Context, found *search, picture *image.RGBA) error {
	view := found.view
	if err := p.readFirst(ctx, view, picture); err != nil {
		return err
	}
	for {
		if err := found.lookUpAll(ctx); err != nil || found.decided() {
			return err
		}
		part, isCloser := closer(view, picture)
		var err error
		switch {
		case isCloser && (!view.Text.Partial || !found.needsLanguage()):
			view.Earlier = view.Text
			err = p.look(ctx, view, identify.Look{Picture: part, IsClose: true})
		case view.Text.Partial:
			err = p.readNext(ctx, view)
		default:
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// readFirst reads the head and the foot of the card, unless the photo was looked at.
func (p *Provider) readFirst(ctx context.Context, view *identify.View, picture *image.RGBA) error {
	if view.Look != nil {
		return nil
	}
	return p.look(ctx, view, identify.Look{Picture: picture})
}

// look finds the lines of a picture, and reads those that are first.
func (p *Provider) look(ctx context.Context, view *identify.View, look identify.Look) error {
	found, err := p.lines.Find(ctx, look.Picture)
	if err != nil {
		return err
	}
	look.Lines = found
	view.Look = &look
	return p.readNext(ctx, view)
}

// readNext reads the lines that are next.
func (p *Provider) readNext(ctx context.Context, view *identify.View) error {
	for at := cardtext.Next(view.Look.Lines); len(at) > 0; at = cardtext.Next(view.Look.Lines) {
		if err := p.readAt(ctx, view.Look, at); err != nil {
			return err
		}
		if !cardtext.MayHaveLabel(view.Look.Lines) {
			break
		}
	}
	view.Text = cardtext.FromLines(view.Look.Lines)
	if view.Look.IsClose {
		view.Text = view.Earlier.With(view.Text)
	}
	return nil
}

// readAt reads the lines at positions.
func (p *Provider) readAt(ctx context.Context, look *identify.Look, at []int) error {
	asked := make([]ppocr.Line, len(at))
	for i, position := range at {
		asked[i] = look.Lines[position]
	}
	read, err := p.lines.Read(ctx, look.Picture, asked)
	if err != nil {
		return err
	}
	for i, position := range at {
		look.Lines[position] = read[i]
	}
	return nil
}

// closer returns the part of the photo that has the text, for a look with more pixels. ok is false if it would show
// hardly more, or if it was taken.
func closer(view *identify.View, picture *image.RGBA) (part *image.RGBA, ok bool) {
	if view.Look.IsClose {
		return nil, false
	}
	region := cardtext.Region(view.Look.Lines).Intersect(picture.Rect)
	first := ppocr.Scale(picture.Rect.Size())
	if region.Empty() || first >= 1 || ppocr.Scale(region.Size()) < gain*first {
		return nil, false
	}
	return vision.Part(picture, region), true
}
