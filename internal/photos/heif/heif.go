// Package heif decodes HEIC and AVIF photos into pictures that a JPEG can hold.
//
// Parse walks the container (ISO/IEC 23008-12) in Go: items, properties, tiles, transparency, and the frames of each
// tile. It decodes nothing, so a caller learns the size, the memory and the processor time before decoding. File.Decode
// passes the tiles one by one to a decoder of their codec and draws them at their places: cropped, rotated, in the
// colours of sRGB, transparency on white. Metadata is never read.
//
// The decoders, libde265 and dav1d, are C++ and C compiled to WebAssembly; decoders/README.md describes the build and
// the licences. Each photo gets its own instance with its own memory, which is limited and ends with the photo. A
// decoder can reach nothing else: it has no files, no network and no clock. Its processor time is limited in proportion
// to the pixels. A crash is an error of that photo. A decoder is compiled when its first photo arrives, which takes 0.3
// s; before, it takes neither time nor memory.
package heif

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The content types of the files that Parse reads.
const (
	HEIC = "image/heic"
	HEIF = "image/heif"
	AVIF = "image/avif"
)

// The errors of Parse and Decode. They may be wrapped.
var (
	ErrTruncated   = errors.New("heif: the file ends too early")
	ErrDamaged     = errors.New("heif: the structure is damaged")
	ErrTooBusy     = errors.New("heif: the file has more parts than any camera writes")
	ErrTooSlow     = errors.New("heif: decoding takes longer than the pixels need")
	ErrAnimated    = errors.New("heif: the file is an animation or a video")
	ErrUnsupported = errors.New("heif: the picture is coded neither as HEVC nor as AV1")
)

// brands are the brands of files that may contain a picture. Sequences can contain one in addition.
var brands = map[string]string{
	"heic": HEIC, "heix": HEIC, "heim": HEIC, "heis": HEIC, "hevc": HEIC, "hevx": HEIC, "hevm": HEIC, "hevs": HEIC,
	"avif": AVIF, "avis": AVIF, "mif1": HEIF, "mif2": HEIF, "mif3": HEIF, "msf1": HEIF, "miaf": HEIF,
}

// ContentType returns HEIC, AVIF or HEIF, the general type, according to the brands at the beginning of a file. It
// returns "" for any other file, such as a video.
func ContentType(data []byte) string {
	if len(data) < 16 || string(data[4:8]) != "ftyp" {
		return ""
	}
	end := min(uint64(binary.BigEndian.Uint32(data)), uint64(len(data)))
	brand := brands[string(data[8:12])]
	for at := uint64(16); at+4 <= end && (brand == "" || brand == HEIF); at += 4 {
		if name := brands[string(data[at:at+4])]; name != "" {
			brand = name
		}
	}
	return brand
}

// File is the picture of a HEIC or AVIF file. It refers to the bytes that were parsed.
type File struct {
	// Width and Height are in pixels, as shown: after cropping and rotation.
	Width, Height int

	shown placement
	tint  tint
	// colour has the pixels, alpha their opacity. alpha is nil for an opaque picture.
	colour, alpha *layer
	// premultiplied means that the colours are already multiplied by their opacity.
	premultiplied bool
}

// Parse reads the structure of a file. The error is one of this package, or a *FramesError.
func Parse(data []byte) (*File, error) {
	m, err := findMeta(data)
	if err != nil {
		return nil, fmt.Errorf("parse photo: %w", err)
	}
	f, err := m.picture()
	if err != nil {
		return nil, fmt.Errorf("parse photo: %w", err)
	}
	return f, nil
}

// Memory returns an upper bound of the memory in bytes that Decode needs: the picture and its decoder.
func (f *File) Memory() int64 {
	return int64(f.Width)*int64(f.Height)*3/2 + f.decoderMemory()
}

// decoderMemory returns the limit of the decoder's memory, in bytes.
func (f *File) decoderMemory() int64 {
	limit := f.colour.memory()
	if f.alpha != nil {
		limit = max(limit, f.alpha.memory())
	}
	return limit
}
