package photos

import (
	"encoding/binary"
	"hash/crc32"
)

const pngSignature = "\x89PNG\r\n\x1a\n"

// neededPNG are the chunks that belong to the image (PNG, third edition, section 11): the critical ones,
// transparency and colour, but not text, times, Exif and animation. Compressed chunks are not inflated.
var neededPNG = map[string]bool{
	"IHDR": true, "PLTE": true, "IDAT": true, "IEND": true,
	"tRNS": true, "gAMA": true, "cHRM": true, "sRGB": true, "iCCP": true, "cICP": true, "sBIT": true, "pHYs": true,
}

// walkPNG goes from chunk to chunk, checks each CRC, and drops metadata and data after the image's end. It refuses
// animations of several frames.
func walkPNG(data []byte) (layout, error) {
	l := layout{clean: make([]byte, 0, len(data)), orientation: upright}
	l.clean = append(l.clean, pngSignature...)
	rest, hasData := data[len(pngSignature):], false
	for {
		name, chunk, after, err := nextChunk(rest)
		if err != nil {
			return layout{}, err
		}
		body := chunk[8 : len(chunk)-4]
		if (l.bytesPerPixel == 0) != (name == "IHDR") {
			return layout{}, errDamaged // the header must be the first chunk, and only the first
		}
		switch {
		case name == "acTL" && len(body) == 8 && binary.BigEndian.Uint32(body) > 1:
			return layout{}, errFrames(int(binary.BigEndian.Uint32(body)))
		case name == "IHDR":
			if len(body) != 13 {
				return layout{}, errDamaged
			}
			l.bytesPerPixel = costOfPNG(body)
		case name == "IDAT":
			hasData = true
		case name == "eXIf" && !hasData && l.orientation == upright:
			if l.orientation = orientationOf(body); l.orientation != upright {
				l.clean = appendChunk(l.clean, "eXIf", exifOf(l.orientation))
			}
		}
		if neededPNG[name] {
			l.clean = append(l.clean, chunk...)
		}
		if name == "IEND" {
			if !hasData {
				return layout{}, errDamaged
			}
			return l, nil
		}
		rest = after
	}
}

// nextChunk returns the name of the first chunk of b, the whole chunk and the rest.
func nextChunk(b []byte) (name string, chunk, after []byte, err error) {
	if len(b) < 12 {
		return "", nil, nil, errTruncated
	}
	end := uint64(binary.BigEndian.Uint32(b)) + 12
	if end > uint64(len(b)) {
		return "", nil, nil, errTruncated
	}
	chunk = b[:end]
	if crc32.ChecksumIEEE(chunk[4:end-4]) != binary.BigEndian.Uint32(chunk[end-4:]) {
		return "", nil, nil, errDamaged
	}
	return string(chunk[4:8]), chunk, b[end:], nil
}

func appendChunk(dst []byte, name string, body []byte) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(body)))
	begin := len(dst)
	dst = append(append(dst, name...), body...)
	return binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[begin:]))
}

// costOfPNG returns the bytes per pixel of the decoder, from an IHDR chunk: 8 for 16-bit samples, 1 for
// palettes, else up to 4. Interlaced files are assembled from smaller images.
func costOfPNG(header []byte) float64 {
	depth, colour, interlacing := header[8], header[9], header[12]
	cost := 4.0
	switch {
	case depth == 16:
		cost = 8
	case colour == 3:
		cost = 1
	}
	if interlacing != 0 {
		cost *= 2
	}
	return cost
}
