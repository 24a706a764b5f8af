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
// head and their foot, which have a third of the letters. If they are not, small print is searched with more pixels
// where the text is, unless only the language is not clear, which sentences tell. At last it is searched within an
// outline, because there may be other text around the card.
func readLines(ctx context.Context, q *search, photo []byte, survey vision.Survey) error {
	view := q.view
	if err := readFirst(ctx, view, photo); err != nil {
		return err
	}
	first, isOutlined := *view.Look, false
	for {
		if err := q.lookUpAll(ctx); err != nil || q.decided() {
			return err
		}
		text, isCloser := closeText(*view.Look, survey)
		outline, isEnclosed := closeOutline(first, view.Look.Area, survey)
		var err error
		switch {
		case isCloser && (!view.Text.Partial || !q.needsLanguage()):
			err = lookCloser(ctx, view, vision.Area{Photo: photo, Part: text})
		case len(cardtext.Next(view.Look.Lines)) > 0:
			err = readNext(ctx, view)
		case isEnclosed && !isOutlined:
			isOutlined = true
			err = lookCloser(ctx, view, vision.Area{Photo: photo, Part: outline})
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

// lookCloser looks at an area and adds its lines to the text that was read before.
func lookCloser(ctx context.Context, view *identify.View, area vision.Area) error {
	view.Earlier = view.Text
	return look(ctx, view, identify.Look{Area: area, IsClose: true})
}

// look finds the lines of an area, and reads those that are first.
func look(ctx context.Context, view *identify.View, look identify.Look) error {
	lines, err := view.Reader.Find(ctx, look.Area)
	if err != nil {
		return err
	}
	look.Lines = lines
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
	selection := make([]ppocr.Line, len(at))
	for i, position := range at {
		selection[i] = lines[position]
	}
	read, err := view.Reader.Read(ctx, view.Look.Area, selection)
	if err != nil {
		return err
	}
	for i, position := range at {
		lines[position] = read[i]
	}
	return nil
}

// closeText returns the part of the photo that has the text, for a look with more pixels. ok is false if it would show
// hardly more, or if the look is such a one.
func closeText(look identify.Look, survey vision.Survey) (part image.Rectangle, ok bool) {
	photo := image.Rectangle{Max: survey.Size}
	part = cardtext.Region(look.Lines).Intersect(photo)
	return part, !look.IsClose && enlarges(part, photo)
}

// closeOutline returns the smallest outline that has most of the lines of the first look at the photo. ok is false if
// it would show hardly more than the last look, whose area is given.
func closeOutline(first identify.Look, last vision.Area, survey vision.Survey) (part image.Rectangle, ok bool) {
	photo := image.Rectangle{Max: survey.Size}
	if part = last.Part; part.Empty() {
		part = photo
	}
	all := cardtext.CountWithin(first.Lines, photo)
	for _, seen := range survey.Outlines {
		outline := seen.Bounds().Intersect(photo)
		if 2*cardtext.CountWithin(first.Lines, outline) >= all && enlarges(outline, part) {
			part, ok = outline, true
		}
	}
	return part, ok
}

// enlarges reports whether text is larger in a look at a part than in one at the other, which was shrunk.
func enlarges(part, other image.Rectangle) bool {
	scale := ppocr.Scale(other.Size())
	return !part.Empty() && scale < 1 && ppocr.Scale(part.Size()) >= gain*scale
}
