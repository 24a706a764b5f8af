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
	Lines(ctx context.Context, picture *image.RGBA) ([]ppocr.Line, error)
}

// readLines reads the whole photo at once, unless that was done.
func (p *Provider) readLines(ctx context.Context, view *identify.View, picture *image.RGBA) error {
	if view.TextIsWhole {
		return nil
	}
	lines, err := p.lines.Lines(ctx, picture)
	if err != nil {
		return err
	}
	view.Text, view.TextIsWhole = view.Text.With(cardtext.FromLines(lines)), true
	return nil
}
