package vision

import (
	"bytes"
	"encoding/binary"
)

// JPEG marker codes (ITU-T T.81, table B.1).
const (
	markerSOI   = 0xD8
	markerSOS   = 0xDA
	markerAPP1  = 0xE1
	markerAPP14 = 0xEE // of Adobe
	markerSOF0  = 0xC0 // baseline
	markerSOF2  = 0xC2 // progressive
)

// jpegHeader holds properties from the segments before the first scan.
type jpegHeader struct {
	progressive bool
	samples     int64 // number of samples of all components, after chroma subsampling
	converted   int64 // bytes of a second picture that the decoder makes of RGB and CMYK, or 0
	orientation int   // EXIF orientation, 1 to 8; 1 if there is none
}

// readJPEGHeader reads the segments up to the first scan. It stops at a malformed segment, which the decoder reports
// later.
func readJPEGHeader(b []byte) jpegHeader {
	h := jpegHeader{orientation: 1}
	var frame []byte // the last frame header
	isRGB := false   // Adobe's segment says that the components are not converted to YCbCr
	if len(b) < 4 || b[0] != 0xFF || b[1] != markerSOI {
		return h
	}
	for at := 2; at+4 <= len(b) && b[at] == 0xFF; {
		marker := b[at+1]
		if marker == 0xFF { // fill byte
			at++
			continue
		}
		if marker == markerSOS {
			break
		}
		end := at + 2 + int(binary.BigEndian.Uint16(b[at+2:]))
		if end > len(b) || end < at+4 {
			break
		}
		segment := b[at+4 : end]
		switch {
		case marker == markerAPP1:
			if o := exifOrientation(segment); o != 0 {
				h.orientation = o
			}
		case marker == markerAPP14 && bytes.HasPrefix(segment, []byte("Adobe")):
			isRGB = len(segment) >= 12 && segment[11] == 0
		case marker >= markerSOF0 && marker <= markerSOF2:
			h.progressive = marker == markerSOF2
			h.samples = frameSamples(segment)
			frame = segment
		}
		at = end
	}
	if h.samples > 0 && (isRGB || frame[5] > 3 || frame[6] == 'R') {
		h.converted = 4 * int64(binary.BigEndian.Uint16(frame[1:])) * int64(binary.BigEndian.Uint16(frame[3:]))
	}
	return h
}

// frameSamples returns the number of samples according to a frame header (T.81, B.2.2).
func frameSamples(sof []byte) int64 {
	if len(sof) < 6 || len(sof) < 6+3*int(sof[5]) {
		return 0
	}
	height, width := int64(binary.BigEndian.Uint16(sof[1:])), int64(binary.BigEndian.Uint16(sof[3:]))
	components := sof[6 : 6+3*int(sof[5])]
	var maxH, maxV int64 = 1, 1
	for i := 1; i < len(components); i += 3 {
		maxH, maxV = max(maxH, int64(components[i]>>4)), max(maxV, int64(components[i]&15))
	}
	var samples int64
	for i := 1; i < len(components); i += 3 {
		samples += width * height * int64(components[i]>>4) * int64(components[i]&15) / (maxH * maxV)
	}
	return samples
}

// exifOrientation returns the value of tag 0x0112 in the first directory of an APP1 segment, or 0.
func exifOrientation(segment []byte) int {
	tiff, ok := bytes.CutPrefix(segment, []byte("Exif\x00\x00"))
	if !ok || len(tiff) < 8 {
		return 0
	}
	var order binary.ByteOrder = binary.BigEndian
	if tiff[0] == 'I' {
		order = binary.LittleEndian
	}
	directory := int64(order.Uint32(tiff[4:]))
	if directory+2 > int64(len(tiff)) {
		return 0
	}
	entries := tiff[directory+2:]
	for range order.Uint16(tiff[directory:]) {
		if len(entries) < 12 {
			return 0
		}
		if order.Uint16(entries) == 0x0112 {
			if o := int(order.Uint16(entries[8:])); o >= 1 && o <= 8 {
				return o
			}
			return 0
		}
		entries = entries[12:]
	}
	return 0
}
