package ocr

import (
	"context"
	"image"

	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/cardtext"
	"github.com/cardvault/cardvault/internal/identify/ppocr"
	"github.com/cardvault/cardvault/internal/identify/vision"
)

// gain is how much larger the text must be in a close look.
const gain = 1.2

// readLines reads the photo with the models until a card is decided or all is read. Most cards are decided by their
// head and their foot, which have a third of the letters. If they are not, small print is searched with more pixels,
// unless only the language is not clear, which sentences tell.
func readLines(ctx context.Context, found *search, photo []byte, survey vision.Survey) error {
	view := found.view
	if err := readFirst(ctx, view, photo); err != nil {
		return err
	}
	for {
		if err := found.lookUpAll(ctx); err != nil || found.decided() {
			return err
		}
		part, isCloser := closer(view, survey)
		var err error
		switch {
		case isCloser && (!view.Text.Partial || !found.needsLanguage()):
			view.Earlier = cardtext.FromLines(cardtext.Within(view.Look.Lines, part))
			err = look(ctx, view, identify.Look{Area: vision.Area{Photo: photo, Part: part}, IsClose: true})
		case view.Text.Partial:
			err = readNext(ctx, view)
		default:
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// readFirst reads the head and the foot of the card, unless the photo was looked at.
func readFirst(ctx context.Context, view *identify.View, photo []byte) error {
	if view.Look != nil {
		return nil
	}
	return look(ctx, view, identify.Look{Area: vision.Area{Photo: photo}})
}

// look finds the lines of an area, and reads those that are first.
func look(ctx context.Context, view *identify.View, look identify.Look) error {
	found, err := view.Reader.Find(ctx, look.Area)
	if err != nil {
		return err
	}
	look.Lines = found
	view.Look = &look
	return readNext(ctx, view)
}

// readNext reads the lines that are next.
func readNext(ctx context.Context, view *identify.View) error {
	for at := cardtext.Next(view.Look.Lines); len(at) > 0; at = cardtext.Next(view.Look.Lines) {
		if err := readAt(ctx, view, at); err != nil {
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
func readAt(ctx context.Context, view *identify.View, at []int) error {
	lines := view.Look.Lines
	asked := make([]ppocr.Line, len(at))
	for i, position := range at {
		asked[i] = lines[position]
	}
	read, err := view.Reader.Read(ctx, view.Look.Area, asked)
	if err != nil {
		return err
	}
	for i, position := range at {
		lines[position] = read[i]
	}
	return nil
}

// closer returns the part of the photo for a look with more pixels: the one with the text or, if there is text around
// the card too, an outline with most of it. ok is false if that would show hardly more, or if it was taken.
func closer(view *identify.View, survey vision.Survey) (part image.Rectangle, ok bool) {
	if view.Look.IsClose {
		return part, false
	}
	lines, photo := view.Look.Lines, image.Rectangle{Max: survey.Size}
	part = cardtext.Region(lines).Intersect(photo)
	all := len(cardtext.Within(lines, part))
	for _, seen := range survey.Outlines {
		outline := seen.Bounds().Intersect(photo)
		if 2*len(cardtext.Within(lines, outline)) >= all && enlarges(outline, part) {
			part = outline
		}
	}
	return part, !part.Empty() && ppocr.Scale(survey.Size) < 1 && enlarges(part, photo)
}

// enlarges reports whether text is larger in a look at a part than in one at the other.
func enlarges(part, other image.Rectangle) bool {
	return ppocr.Scale(part.Size()) >= gain*ppocr.Scale(other.Size())
}
