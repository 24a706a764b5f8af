package photos

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // the decoders of image.Decode
	_ "image/png"
	"io"
	"net/http"
	"strings"

	_ "golang.org/x/image/webp"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/photos/heif"
)

// layout is the result of parsing a file's structure.
type layout struct {
	// clean is the file without its metadata.
	clean       []byte
	orientation int
	// bytesPerPixel is an upper bound of the memory that decoding needs.
	bytesPerPixel float64
	// tables is the memory that the tables of the decoder may take in addition, in bytes.
	tables int64
}

var (
	errTruncated = errors.New("the file ends too early")
	errDamaged   = errors.New("its structure is damaged")
	errTooBusy   = errors.New("it has more passes than any camera writes")
	errAnimated  = errors.New("it is an animation; send one picture")
	errTooSlow   = errors.New("it takes more time to decode than its pixels need; send it as a JPEG")

	errTooManyParts = errors.New("it has more parts than any camera writes")
	errOtherCodec   = errors.New("its codec is not supported; send a JPEG")
)

// Read reads a photo from r and checks it like Check. It reads at most one byte more than MaxBytes, when the account
// may have another photo in memory. It wraps errors of r.
func Read(ctx context.Context, accountID string, r io.Reader) ([]byte, Info, error) {
	slot, err := decoder.hold(ctx, accountID)
	if err != nil {
		return nil, Info{}, err
	}
	defer slot.Release()
	data, err := readAll(r)
	if err != nil {
		return nil, Info{}, err
	}
	return Check(ctx, accountID, data)
}

// readAll reads into one allocation if r has a known size, because growing a buffer takes several times the memory.
func readAll(r io.Reader) ([]byte, error) {
	var data bytes.Buffer
	if sizer, ok := r.(interface{ Size() int64 }); ok {
		data.Grow(int(min(sizer.Size(), MaxBytes)) + bytes.MinRead)
	}
	if _, err := data.ReadFrom(io.LimitReader(r, MaxBytes+1)); err != nil {
		return nil, fmt.Errorf("read photo: %w", err)
	}
	return data.Bytes(), nil
}

// Check checks that data is a complete image of a known format within the contract's limits and returns the bytes to
// store: the same JPEG, PNG or WebP image, not re-encoded, without metadata except orientation and colour profile, or
// the JPEG to which a HEIC or AVIF image was converted. The account limits which photos are decoded at once. The error
// is fault.PhotoInvalid, the error of ctx, or fault.RateLimited or fault.Unavailable if the photo waits too long.
func Check(ctx context.Context, accountID string, data []byte) ([]byte, Info, error) {
	switch {
	case len(data) == 0:
		return nil, Info{}, fault.New(fault.PhotoInvalid, "the photo is empty: send a %s image", formats)
	case len(data) > MaxBytes:
		return nil, Info{}, errTooLarge()
	}
	if contentType := heif.ContentType(data); contentType != "" {
		return convert(ctx, accountID, data, contentType)
	}
	contentType := http.DetectContentType(data)
	walk := walkers[contentType]
	if walk == nil {
		return nil, Info{}, errNotImage(data, contentType)
	}
	l, err := walk(data)
	if err != nil {
		return nil, Info{}, errBroken(contentType, err)
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(l.clean))
	if err != nil {
		return nil, Info{}, errBroken(contentType, err)
	}
	if outside(config.Width) || outside(config.Height) {
		return nil, Info{}, errSides(config.Width, config.Height)
	}
	if err := prove(ctx, accountID, contentType, l, config); err != nil {
		return nil, Info{}, err
	}
	info := Info{
		ContentType: contentType, Width: config.Width, Height: config.Height, Size: int64(len(l.clean)),
		Orientation: l.orientation,
	}
	if info.Orientation >= 5 { // 5 to 8 turn the image by a quarter
		info.Width, info.Height = info.Height, info.Width
	}
	return l.clean, info, nil
}

var walkers = map[string]func([]byte) (layout, error){JPEG: walkJPEG, PNG: walkPNG, WebP: walkWebP}

func outside(side int) bool { return side < MinSide || side > MaxSide }

// prove decodes the bytes to store unless that needs more memory than maxDecode.
func prove(ctx context.Context, accountID, contentType string, l layout, config image.Config) error {
	cost := l.cost(config)
	if cost > maxDecode {
		return nil
	}
	return decoder.do(ctx, accountID, min(cost+l.tables, maxDecode), func(ctx context.Context) error {
		return decode(ctx, contentType, l, config)
	})
}

// cost returns the memory that the pixels take while they are decoded, in bytes.
func (l layout) cost(config image.Config) int64 {
	return int64(float64(config.Width) * float64(config.Height) * l.bytesPerPixel)
}

// decode decodes the photo and discards the result.
func decode(ctx context.Context, contentType string, l layout, config image.Config) error {
	picture, _, err := image.Decode(interruptible{ctx, bytes.NewReader(l.clean)})
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("decode the photo: %w", ctx.Err())
	case err != nil:
		return errBroken(contentType, err)
	case picture.Bounds().Dx() != config.Width || picture.Bounds().Dy() != config.Height:
		return errBroken(contentType, errDamaged)
	}
	return nil
}

func errTooLarge() *fault.Error {
	return fault.New(fault.PhotoInvalid, "the photo is larger than 15 MiB (%d bytes): send a smaller one", MaxBytes)
}

// formats are the formats of photos, for messages.
const formats = "JPEG, PNG, WebP, HEIC or AVIF"

func errSides(width, height int) *fault.Error {
	return fault.New(fault.PhotoInvalid, "the photo has %d × %d pixels: each side must have %d to %d",
		width, height, MinSide, MaxSide)
}

// errNotImage names the format that the data seems to have. Phones send videos, and dead links return HTML.
func errNotImage(data []byte, contentType string) *fault.Error {
	if len(data) > 12 && string(data[4:8]) == "ftyp" {
		contentType = "a video"
	}
	kind, _, _ := strings.Cut(contentType, ";") // without the encoding of a text
	return fault.New(fault.PhotoInvalid, "the photo must be a %s image; this looks like %s", formats, kind)
}

// errFrames is the error of a photo with several frames, shown or hidden.
func errFrames(frames int) *fault.Error {
	return fault.New(fault.PhotoInvalid, "the photo must be one still picture: it has %d frames", frames)
}

func errBroken(contentType string, err error) *fault.Error {
	if refusal, ok := fault.As(err); ok { // errFrames of a walk
		return refusal
	}
	if several, ok := errors.AsType[*heif.FramesError](err); ok {
		return errFrames(several.Frames).WithCause(err)
	}
	why := "it cannot be decoded"
	for _, pair := range []struct{ err, message error }{
		{io.ErrUnexpectedEOF, errTruncated}, {io.EOF, errTruncated}, {errTruncated, errTruncated},
		{errDamaged, errDamaged}, {errTooBusy, errTooBusy}, {errAnimated, errAnimated},
		{heif.ErrTruncated, errTruncated}, {heif.ErrDamaged, errDamaged}, {heif.ErrTooBusy, errTooManyParts},
		{heif.ErrTooSlow, errTooSlow},
		{heif.ErrAnimated, errAnimated}, {heif.ErrUnsupported, errOtherCodec},
	} {
		if errors.Is(err, pair.err) {
			why = pair.message.Error()
			break
		}
	}
	return fault.New(fault.PhotoInvalid, "the photo is not a complete %s image: %s", contentType, why).WithCause(err)
}
