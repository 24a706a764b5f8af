package identify

import (
	"context"
	"errors"
	"image"
	"log/slog"

	"github.com/cardvault/cardvault/internal/identify/ppocr"
	"github.com/cardvault/cardvault/internal/identify/vision"
)

// Reader computes on the pixels of photos beside this process, because that takes a processor for long.
// *photoreader.Pool implements it.
type Reader interface {
	// Survey analyses an encoded photo, apart from its text.
	Survey(ctx context.Context, photo []byte) (vision.Survey, error)
	// Find returns the lines of text on an area in reading order. It may have read some lines. It finds lines at any
	// angle and upside down, so it needs no outline of the card.
	Find(ctx context.Context, area vision.Area) ([]ppocr.Line, error)
	// Read reads lines that Find returned for the area, and returns them in the same order.
	Read(ctx context.Context, area vision.Area, lines []ppocr.Line) ([]ppocr.Line, error)
}

// Survey surveys the encoded photo, once. If there is no Reader, or if it fails in time, this process does it, and
// nothing can stop it then. The error is an error of vision.Decode or of ctx, or a context.DeadlineExceeded of the
// Reader.
func (v *View) Survey(ctx context.Context, photo []byte) (vision.Survey, error) {
	if v.survey != nil {
		return *v.survey, nil
	}
	survey, err := v.surveyed(ctx, photo)
	if err == nil {
		v.survey = &survey
	}
	return survey, err
}

func (v *View) surveyed(ctx context.Context, photo []byte) (vision.Survey, error) {
	if v.Reader != nil {
		survey, err := v.Reader.Survey(ctx, photo)
		if err == nil || ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) {
			return survey, err
		}
		slog.WarnContext(ctx, "decoding a photo in the service", "reason", err)
	}
	picture, err := v.Picture(photo)
	if err != nil {
		return vision.Survey{}, err
	}
	return vision.Examine(picture), nil
}

// Picture decodes the photo in this process, once. The picture must not be changed. It returns the errors of
// vision.Decode.
func (v *View) Picture(photo []byte) (*image.RGBA, error) {
	if v.picture == nil {
		picture, err := vision.Decode(photo)
		if err != nil {
			return nil, err
		}
		v.picture = picture
	}
	return v.picture, nil
}
