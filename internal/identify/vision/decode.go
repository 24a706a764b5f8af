package vision

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // the formats that the contract allows: JPEG, PNG, WebP
	_ "image/png"

	_ "golang.org/x/image/webp"

	"github.com/cardvault/cardvault/internal/fault"
)

const (
	// maxDecoded is the maximum memory for decoding a picture, in bytes. 96 MiB is enough for a baseline JPEG of about
	// 67 megapixels with the usual 4:2:0 subsampling.
	maxDecoded = 96 << 20
	// workingSide is the maximum length of the longer side of the picture that Decode returns, in pixels. At this size,
	// small print is legible on a card that fills half of the picture.
	workingSide = 2400
)

// ErrTooLarge means that decoding the photo would need more memory than maxDecoded.
var ErrTooLarge error = fault.New(fault.PhotoInvalid,
	"the photo is too large to work on: send a JPEG that is not progressive and has at most 24 megapixels")

// ErrNotAPicture means that the bytes are not a valid JPEG, PNG or WebP.
var ErrNotAPicture error = fault.New(fault.PhotoInvalid,
	"the photo cannot be decoded: send a JPEG, PNG or WebP picture")

// Decode decodes a photo, shrinks it to at most 2400 pixels a side, and rotates it according to its EXIF orientation.
// It returns ErrTooLarge, before it allocates memory, if the header states a size that is too large. It returns
// ErrNotAPicture if the photo cannot be decoded.
func Decode(photo []byte) (*image.RGBA, error) {
	picture, err := decode(photo)
	if err != nil {
		return nil, fmt.Errorf("decode photo: %w", err)
	}
	return orient(Shrink(picture, workingSide), readJPEGHeader(photo).orientation), nil
}

// decode decodes a photo unless that needs more memory than maxDecoded.
func decode(photo []byte) (image.Image, error) {
	config, format, err := image.DecodeConfig(bytes.NewReader(photo))
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrNotAPicture, err)
	}
	var header jpegHeader
	if format == "jpeg" {
		header = readJPEGHeader(photo)
	}
	if need := decodedBytes(config, header); need > maxDecoded {
		return nil, fmt.Errorf("%d×%d %s: %w", config.Width, config.Height, format, ErrTooLarge)
	}
	picture, _, err := image.Decode(bytes.NewReader(photo))
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrNotAPicture, err)
	}
	if picture.Bounds().Empty() {
		return nil, fmt.Errorf("empty: %w", ErrNotAPicture)
	}
	return picture, nil
}

// decodedBytes estimates the memory that the standard decoders allocate for a picture, in bytes.
func decodedBytes(config image.Config, header jpegHeader) int64 {
	if header.samples > 0 {
		if header.progressive {
			return 5*header.samples + header.converted // a byte and a 32-bit coefficient for every sample
		}
		return header.samples + header.converted
	}
	perPixel := int64(4)
	switch config.ColorModel {
	case color.GrayModel:
		perPixel = 1
	case color.RGBA64Model, color.NRGBA64Model:
		perPixel = 8
	}
	return int64(config.Width) * int64(config.Height) * perPixel
}

// orient rotates and mirrors a stored picture according to its EXIF orientation (TIFF 6.0, tag 274).
func orient(src *image.RGBA, orientation int) *image.RGBA {
	if orientation <= 1 {
		return src
	}
	w, h := src.Rect.Dx(), src.Rect.Dy()
	outW, outH := w, h
	if orientation >= 5 {
		outW, outH = h, w
	}
	dst := image.NewRGBA(image.Rect(0, 0, outW, outH))
	for y := range outH {
		for x := range outW {
			sx, sy := orientedSource(x, y, w, h, orientation)
			copy(dst.Pix[dst.PixOffset(x, y):][:4], src.Pix[src.PixOffset(sx, sy):][:4])
		}
	}
	return dst
}

// orientedSource returns the position of the stored pixel that is shown at (x, y). w and h are the size of the stored
// picture.
func orientedSource(x, y, w, h, orientation int) (int, int) {
	switch orientation {
	case 2:
		return w - 1 - x, y
	case 3:
		return w - 1 - x, h - 1 - y
	case 4:
		return x, h - 1 - y
	case 5:
		return y, x
	case 6:
		return y, h - 1 - x
	case 7:
		return w - 1 - y, h - 1 - x
	case 8:
		return w - 1 - y, x
	}
	return x, y
}
