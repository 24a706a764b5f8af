package ocr

import (
	"context"
	"image"

	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/cardtext"
	"github.com/cardvault/cardvault/internal/identify/ppocr"
)

// LineReader finds and reads the lines of text on a picture. It finds them at any angle and turned upside down, so it
// needs no outline of the card. *textreader.Pool implements it.
type LineReader interface {
	// Find returns the lines on a picture in reading order, of which it may have read some.
	Find(ctx context.Context, picture *image.RGBA) ([]ppocr.Line, error)
	// Read reads lines that Find returned for the picture, and returns them in the same order.
	Read(ctx context.Context, picture *image.RGBA, lines []ppocr.Line) ([]ppocr.Line, error)
}

// readNext finds the lines of the photo, unless that was done, and reads those that are next. Most cards are decided by
// their head and their foot, which have a third of the letters.
func (p *Provider) readNext(ctx context.Context, view *identify.View, picture *image.RGBA) error {
	if view.Lines == nil {
		found, err := p.lines.Find(ctx, picture)
		if err != nil {
			return err
		}
		view.Lines = append([]ppocr.Line{}, found...) // not nil, also without a line
	}
	for at := cardtext.Next(view.Lines); len(at) > 0; at = cardtext.Next(view.Lines) {
		if err := p.readAt(ctx, view, picture, at); err != nil {
			return err
		}
		if !cardtext.MayHaveLabel(view.Lines) {
			break
		}
	}
	view.Text = cardtext.FromLines(view.Lines)
	return nil
}

// readAt reads the lines at positions.
func (p *Provider) readAt(ctx context.Context, view *identify.View, picture *image.RGBA, at []int) error {
	asked := make([]ppocr.Line, len(at))
	for i, position := range at {
		asked[i] = view.Lines[position]
	}
	read, err := p.lines.Read(ctx, picture, asked)
	if err != nil {
		return err
	}
	for i, position := range at {
		view.Lines[position] = read[i]
	}
	return nil
}

// readLines reads the photo with the models, line by line of importance, until a card is decided or all is read.
func (p *Provider) readLines(ctx context.Context, found *search, picture *image.RGBA) error {
	view := found.view
	if view.Lines == nil {
		if err := p.readNext(ctx, view, picture); err != nil {
			return err
		}
	}
	for {
		err := found.lookUpAll(ctx)
		if err != nil || found.decided() || !view.Text.Partial {
			return err
		}
		if err := p.readNext(ctx, view, picture); err != nil {
			return err
		}
	}
}
