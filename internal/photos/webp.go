package photos

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// The flags of a VP8X chunk (RFC 9649 section 2.7.1).
const (
	webpAnimated = 1 << 1
	webpXMP      = 1 << 2
	webpExif     = 1 << 3
)

// The decoder's bytes per pixel. VP8 is 4:2:0. VP8L needs four bytes and a copy while it inverts its
// transforms. The alpha channel of VP8 is decoded as a separate VP8L image.
const (
	costVP8, costVP8L, costALPH = 1.5, 8, 9
)

// maxTables is the memory of the largest tables of VP8L: 2,600 groups of five trees. Each byte of the file makes up to
// tableBytes of tables.
const maxTables, tableBytes = 128 << 20, 256

// walkWebP goes from chunk to chunk of the RIFF container and drops metadata. It refuses animations, which
// the decoder does not support.
func walkWebP(data []byte) (layout, error) {
	if len(data) < 12 {
		return layout{}, errTruncated
	}
	size := uint64(binary.LittleEndian.Uint32(data[4:])) + 8
	switch {
	case size > uint64(len(data)):
		return layout{}, errTruncated
	case size < 12:
		return layout{}, errDamaged
	}
	l := layout{clean: make([]byte, 0, len(data)), orientation: upright}
	l.clean = append(l.clean, data[:12]...)
	for rest := data[12:size]; len(rest) > 0; {
		name, body, after, err := nextRIFF(rest)
		if err != nil {
			return layout{}, err
		}
		if err := l.addWebP(name, body); errors.Is(err, errAnimated) {
			return layout{}, framesOf(after)
		} else if err != nil {
			return layout{}, err
		}
		rest = after
	}
	if l.bytesPerPixel < costVP8 {
		return layout{}, errDamaged
	}
	l.finishWebP()
	return l, nil
}

// nextRIFF returns the name and the body of the first chunk of b and the rest. Bodies are padded to even
// lengths; the last pad byte is often missing.
func nextRIFF(b []byte) (name string, body, after []byte, err error) {
	if len(b) < 8 {
		return "", nil, nil, errTruncated
	}
	end := uint64(binary.LittleEndian.Uint32(b[4:])) + 8
	if end > uint64(len(b)) {
		return "", nil, nil, errTruncated
	}
	return string(b[:4]), b[8:end], b[min(end+end&1, uint64(len(b))):], nil
}

// framesOf returns the error of an animation. rest are the chunks after its header.
func framesOf(rest []byte) error {
	frames := 0
	for len(rest) > 0 {
		name, _, after, err := nextRIFF(rest)
		if err != nil {
			break
		}
		if name == "ANMF" {
			frames++
		}
		rest = after
	}
	if frames > 1 {
		return errFrames(frames)
	}
	return errAnimated
}

func (l *layout) addWebP(name string, body []byte) error {
	switch name {
	case "VP8X":
		if len(body) != 10 || len(l.clean) != 12 {
			return errDamaged
		}
		if body[0]&webpAnimated != 0 {
			return errAnimated
		}
	case "VP8 ":
		l.bytesPerPixel += costVP8
	case "VP8L":
		l.bytesPerPixel += costVP8L
		l.tables = min(maxTables, tableBytes*int64(len(body)))
	case "ALPH":
		l.bytesPerPixel += costALPH - costVP8
		l.tables = min(maxTables, tableBytes*int64(len(body)))
	case "EXIF":
		// Some encoders write JPEG's header before the Exif data.
		l.orientation = orientationOf(bytes.TrimPrefix(body, []byte(exifHeader)))
		return nil
	case "ICCP":
	default:
		return nil
	}
	l.clean = appendRIFF(l.clean, name, body)
	return nil
}

// finishWebP adds the orientation and updates the header. A file without VP8X has neither metadata nor
// orientation.
func (l *layout) finishWebP() {
	const flags = 12 + 8 // after the RIFF header and the header of VP8X
	if string(l.clean[12:16]) == "VP8X" {
		l.clean[flags] &^= webpXMP | webpExif
		if l.orientation != upright {
			l.clean[flags] |= webpExif
			l.clean = appendRIFF(l.clean, "EXIF", exifOf(l.orientation))
		}
	} else {
		l.orientation = upright
	}
	binary.LittleEndian.PutUint32(l.clean[4:], uint32(len(l.clean)-8))
}

func appendRIFF(dst []byte, name string, body []byte) []byte {
	dst = append(dst, name...)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(body)))
	dst = append(dst, body...)
	if len(body)%2 == 1 {
		dst = append(dst, 0)
	}
	return dst
}
