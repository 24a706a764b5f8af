package photos

import (
	"bytes"
	"encoding/binary"
)

// The markers of ISO/IEC 10918-1 table B.1 that walkJPEG handles.
const (
	mSOI, mEOI, mSOS   = 0xD8, 0xD9, 0xDA
	mRST0, mRST7, mTEM = 0xD0, 0xD7, 0x01
	mSOF2              = 0xC2
	mDHT, mJPG, mDAC   = 0xC4, 0xC8, 0xCC // in the range of the SOF markers, but not SOF
	mAPP0, mAPP1       = 0xE0, 0xE1
	mAPP2, mAPP14      = 0xE2, 0xEE
	mAPP15, mCOM       = 0xEF, 0xFE
)

// maxScans limits the scans of a progressive JPEG. Encoders write about ten. Each scan visits every block, so
// a file with many tiny scans could keep a processor busy for hours. The scans of other JPEGs decode every block, so
// that each component may have one.
const maxScans = 32

const exifHeader = "Exif\x00\x00"

// walkJPEG goes from marker to marker up to the end of the image. It keeps the segments that decoding and
// colour need and drops all others: Exif (except the orientation), XMP, IPTC, comments, thumbnails, and data
// after the image, such as a second photo or a video.
func walkJPEG(data []byte) (layout, error) {
	w := jpegWalk{found: layout{clean: make([]byte, 0, len(data)), orientation: upright}}
	w.found.clean = append(w.found.clean, 0xFF, mSOI)
	rest := data[2:]
	for {
		marker, after, err := nextMarker(rest)
		if err != nil {
			return layout{}, err
		}
		if marker == mEOI {
			if w.scans == 0 || w.found.bytesPerPixel == 0 {
				return layout{}, errDamaged
			}
			if w.converted {
				w.found.bytesPerPixel += 4
			}
			w.found.clean = append(w.found.clean, 0xFF, mEOI)
			return w.found, nil
		}
		if len(after) < 2 {
			return layout{}, errTruncated
		}
		length := int(binary.BigEndian.Uint16(after))
		if length < 2 {
			return layout{}, errDamaged
		}
		if length > len(after) {
			return layout{}, errTruncated
		}
		if err := w.segment(marker, after[2:length]); err != nil {
			return layout{}, err
		}
		rest = after[length:]
		if marker == mSOS {
			size := scanSize(rest)
			w.found.clean = append(w.found.clean, rest[:size]...)
			rest = rest[size:]
		}
	}
}

// nextMarker returns the marker at the beginning of b and the rest. Any number of 0xFF can precede a marker.
func nextMarker(b []byte) (marker byte, after []byte, err error) {
	if len(b) > 0 && b[0] != 0xFF {
		return 0, nil, errDamaged
	}
	for len(b) > 0 && b[0] == 0xFF {
		b = b[1:]
	}
	if len(b) == 0 {
		return 0, nil, errTruncated
	}
	marker = b[0]
	if marker <= mTEM || marker >= mRST0 && marker <= mSOI {
		return 0, nil, errDamaged // valid only inside a scan, or reserved
	}
	return marker, b[1:], nil
}

// scanSize returns the length of the compressed data after an SOS: up to the next marker that is neither a
// stuffed zero nor a restart.
func scanSize(b []byte) int {
	for at := 0; ; {
		i := bytes.IndexByte(b[at:], 0xFF)
		if i < 0 || at+i+1 >= len(b) {
			return len(b)
		}
		at += i
		if next := b[at+1]; next != 0 && (next < mRST0 || next > mRST7) {
			return at
		}
		at += 2
	}
}

// jpegWalk is the state of walkJPEG.
type jpegWalk struct {
	found    layout
	scans    int
	exifSeen bool
	// components is the number of components in the frame, scanned the number in all scans together.
	components, scanned int
	progressive         bool
	converted           bool // RGB or CMYK: the decoder creates a second image of four bytes per pixel
}

func (w *jpegWalk) segment(marker byte, payload []byte) error {
	switch {
	case marker == mSOS:
		if err := w.scan(payload); err != nil {
			return err
		}
	case marker == mAPP1 && bytes.HasPrefix(payload, []byte(exifHeader)) && !w.exifSeen:
		w.exifSeen = true
		w.found.orientation = orientationOf(payload[len(exifHeader):])
		if w.found.orientation != upright {
			w.keep(mAPP1, append([]byte(exifHeader), exifOf(w.found.orientation)...))
		}
		return nil
	case marker == mAPP14 && bytes.HasPrefix(payload, []byte("Adobe")):
		w.converted = true
	case isSOF(marker):
		if err := w.frame(marker, payload); err != nil {
			return err
		}
	case marker >= mAPP0 && marker <= mAPP15 || marker == mCOM:
		if !neededJPEG(marker, payload) {
			return nil
		}
	}
	w.keep(marker, payload)
	return nil
}

// scan counts a scan (ISO/IEC 10918-1 B.2.3).
func (w *jpegWalk) scan(payload []byte) error {
	if len(payload) == 0 || w.components == 0 {
		return errDamaged
	}
	w.scans++
	w.scanned += int(payload[0])
	if w.scans > maxScans || !w.progressive && w.scanned > w.components {
		return errTooBusy
	}
	return nil
}

// neededJPEG reports whether an application segment is part of the image: the JFIF header without
// a thumbnail (14 bytes, ISO/IEC 10918-5) and colour profiles (ICC.1:2022 annex B.4).
func neededJPEG(marker byte, payload []byte) bool {
	return marker == mAPP0 && bytes.HasPrefix(payload, []byte("JFIF\x00")) && len(payload) == 14 ||
		marker == mAPP2 && bytes.HasPrefix(payload, []byte("ICC_PROFILE\x00"))
}

func (w *jpegWalk) keep(marker byte, payload []byte) {
	w.found.clean = append(w.found.clean, 0xFF, marker)
	w.found.clean = binary.BigEndian.AppendUint16(w.found.clean, uint16(len(payload)+2))
	w.found.clean = append(w.found.clean, payload...)
}

func isSOF(marker byte) bool {
	return marker >= 0xC0 && marker <= 0xCF && marker != mDHT && marker != mJPG && marker != mDAC
}

// frame reads the frame header (ISO/IEC 10918-1 B.2.2) and computes the memory that decoding needs: one byte
// per sample, and four more for the coefficients of progressive files.
func (w *jpegWalk) frame(marker byte, payload []byte) error {
	if len(payload) < 6 || len(payload) != 6+3*int(payload[5]) || payload[5] == 0 || w.found.bytesPerPixel != 0 {
		return errDamaged
	}
	w.components, w.progressive = int(payload[5]), marker == mSOF2
	components := payload[6:]
	var samples, maxH, maxV int
	for c := components; len(c) > 0; c = c[3:] {
		h, v := int(c[1]>>4), int(c[1]&15)
		samples += h * v
		maxH, maxV = max(maxH, h), max(maxV, v)
	}
	if samples == 0 || maxH == 0 || maxV == 0 {
		return errDamaged
	}
	w.found.bytesPerPixel = float64(samples) / float64(maxH*maxV)
	if w.progressive {
		w.found.bytesPerPixel *= 5
	}
	w.converted = w.converted || payload[5] > 3 || components[0] == 'R'
	return nil
}
