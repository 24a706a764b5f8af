package photos

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"net/http"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
)

// LoadWithin is Load for a receiver that takes at most limit bytes. It returns the media type too. A larger photo is
// encoded as a JPEG of lower quality. If that is not enough, the error is fault.PhotoInvalid.
func (s *Service) LoadWithin(
	ctx context.Context, accountID string, photo cards.Photo, limit int,
) (data []byte, contentType string, err error) {
	data, err = s.Load(ctx, accountID, photo)
	if err != nil || len(data) <= limit {
		return data, photo.ContentType, err
	}
	data, err = fit(ctx, accountID, data, limit)
	if err != nil {
		return nil, "", fmt.Errorf("load photo: %w", err)
	}
	return data, JPEG, nil
}

// fit encodes a stored photo as a JPEG of at most limit bytes, with its orientation.
func fit(ctx context.Context, accountID string, data []byte, limit int) ([]byte, error) {
	contentType := http.DetectContentType(data)
	walk := walkers[contentType]
	if walk == nil {
		return nil, errNotImage(data, contentType)
	}
	l, err := walk(data)
	if err != nil {
		return nil, errBroken(contentType, err)
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(l.clean))
	if err != nil {
		return nil, errBroken(contentType, err)
	}
	perPixel := l.bytesPerPixel
	if contentType != JPEG { // which is opaque
		perPixel += flatBytes
	}
	cost := int64(float64(config.Width) * float64(config.Height) * perPixel)
	if cost > maxDecode {
		return nil, fault.New(fault.PhotoInvalid,
			"the photo has %d bytes, of which %d are allowed, and too many pixels to make it smaller", len(data), limit)
	}
	exif := exifOf(l.orientation)
	var jpg []byte
	err = decoder.do(ctx, accountID, min(cost+l.tables, maxDecode), func(ctx context.Context) error {
		picture, _, err := image.Decode(interruptible{ctx, bytes.NewReader(l.clean)})
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("decode the photo: %w", ctx.Err())
		case err != nil:
			return errBroken(contentType, err)
		}
		jpg, err = encodeJPEG(opaque(picture), limit-len(exif)-exifOverhead)
		return err
	})
	if err != nil {
		return nil, err
	}
	return exifJPEG(jpg, exif), nil
}

const (
	// flatBytes is the memory of a pixel of opaque.
	flatBytes = 4
	// exifOverhead is what exifJPEG adds to the Exif data: a marker, a length and a header.
	exifOverhead = 2 + 2 + len(exifHeader)
)

// opaque returns the picture on white, because JPEG has no transparency.
func opaque(picture image.Image) image.Image {
	if whole, ok := picture.(interface{ Opaque() bool }); ok && whole.Opaque() {
		return picture
	}
	flat := image.NewRGBA(picture.Bounds())
	draw.Draw(flat, flat.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(flat, flat.Bounds(), picture, picture.Bounds().Min, draw.Over)
	return flat
}
