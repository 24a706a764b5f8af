package photos

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/photos/heif"
)

// qualities are the JPEG qualities of converted photos, best first. At the first, the loss cannot be seen. The others
// are for pictures that would become larger than MaxBytes, such as noise.
var qualities = []int{92, 80, 60}

// convert converts a HEIC or AVIF photo to a JPEG that is upright, in sRGB and without metadata: neither marketplaces
// nor most browsers show HEIC. Unlike the other formats it must be decoded, so a photo that needs more than maxDecode
// is refused.
func convert(ctx context.Context, accountID string, data []byte, contentType string) ([]byte, Info, error) {
	file, err := heif.Parse(data)
	if err != nil {
		return nil, Info{}, errBroken(contentType, err)
	}
	if outside(file.Width) || outside(file.Height) {
		return nil, Info{}, errSides(file.Width, file.Height)
	}
	cost := file.Memory()
	if cost > maxDecode {
		return nil, Info{}, fault.New(fault.PhotoInvalid,
			"converting the photo of %d × %d pixels takes too much memory: send it as a JPEG", file.Width, file.Height)
	}
	var jpg []byte
	err = decoder.do(ctx, accountID, cost, func(ctx context.Context) (err error) {
		jpg, err = decodeHEIF(ctx, file, contentType)
		return err
	})
	if err != nil {
		return nil, Info{}, err
	}
	info := Info{
		ContentType: JPEG, Width: file.Width, Height: file.Height, Size: int64(len(jpg)), Orientation: upright,
	}
	return jpg, info, nil
}

// decodeHEIF decodes a photo and encodes it as JPEG.
func decodeHEIF(ctx context.Context, file *heif.File, contentType string) ([]byte, error) {
	picture, err := file.Decode(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("decode the photo: %w", ctx.Err())
	case errors.Is(err, heif.ErrDamaged), errors.Is(err, heif.ErrTooSlow):
		return nil, errBroken(contentType, err)
	case err != nil:
		return nil, fmt.Errorf("decode the photo: %w", err)
	}
	return encodeJPEG(picture, MaxBytes)
}

// encodeJPEG encodes a picture in at most limit bytes.
func encodeJPEG(picture image.Image, limit int) ([]byte, error) {
	buffer := boundedBuffer{limit: limit}
	for _, quality := range qualities {
		buffer.Reset()
		err := jpeg.Encode(&buffer, picture, &jpeg.Options{Quality: quality})
		if err == nil {
			return buffer.Bytes(), nil
		}
		if !errors.Is(err, errFull) {
			return nil, fmt.Errorf("encode JPEG: %w", err)
		}
	}
	return nil, fault.New(fault.PhotoInvalid,
		"the photo is larger than %d bytes as a JPEG: send one with fewer pixels", limit)
}

var errFull = errors.New("the buffer is full")

// boundedBuffer is a buffer of at most limit bytes.
type boundedBuffer struct {
	bytes.Buffer
	limit int
}

func (b *boundedBuffer) Write(p []byte) (int, error) {
	if b.Len()+len(p) > b.limit {
		return 0, errFull
	}
	return b.Buffer.Write(p)
}
