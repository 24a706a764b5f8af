package heif

import (
	"fmt"
	"slices"
)

// FramesError means that the data of a picture has several frames. A decoder would decode all that precede the first
// one that is shown, and a hidden frame takes a few bytes and as long as a shown one.
type FramesError struct{ Frames int }

func (e *FramesError) Error() string { return fmt.Sprintf("heif: a picture has %d frames", e.Frames) }

// checkFrames checks that a decoder finds one frame in the data of a tile.
func (l *layer) checkFrames(data []byte) error {
	if l.codec == av1 {
		return checkAV1(data)
	}
	return checkHEVC(l.header, data)
}

// The types of OBUs that checkAV1 counts (AV1 specification section 6.2.2).
const (
	obuFrameHeader = 3
	obuFrame       = 6
)

// av1Layers is the number of spatial layers that a picture may have. Each layer is a frame. The decoder stops after the
// first one.
const av1Layers = 4

// checkAV1 counts the frames of a temporal unit by spatial layer, shown or hidden (AV1 specification section 5.3). The
// decoder refuses data that ends too early.
func checkAV1(data []byte) error {
	var frames [av1Layers]int
	total := 0
	for c := (&cursor{b: data}); len(c.b) > 0; {
		header := c.u8()
		kind, extended, sized, layer := header>>3&15, header>>2&1 == 1, header>>1&1 == 1, 0
		if extended {
			layer = c.u8() >> 3 & 3
		}
		size := len(c.b)
		if sized {
			size = c.leb128()
		}
		c.take(size)
		if kind == obuFrame || kind == obuFrameHeader {
			frames[layer]++
			total++
		}
	}
	if slices.Max(frames[:]) > 1 {
		return &FramesError{total}
	}
	return nil
}

// leb128 reads a number of up to eight bytes with seven bits each, least significant first.
func (c *cursor) leb128() int {
	value := 0
	for i := range 8 {
		digit := c.u8()
		value |= digit & 0x7F << (7 * i)
		if digit&0x80 == 0 {
			break
		}
	}
	return value
}

// The limits of the units of a tile. No level of HEVC allows more slices (ISO/IEC 23008-2 table A.8). The other units
// are messages and parameter sets; encoders write about five. For each parameter set the decoder makes tables as large
// as the picture, which takes 30 ms for 12 megapixels.
const (
	maxSlices = 600
	maxOthers = 16
)

// checkHEVC counts the pictures in units with a length of four bytes (ISO/IEC 23008-2 section 7.3.1.2). Only pictures
// of the first layer are decoded. The decoder refuses data that ends too early.
func checkHEVC(parts ...[]byte) error {
	pictures, slices, others := 0, 0, 0
	for _, part := range parts {
		for c := (&cursor{b: part}); len(c.b) > 0; {
			unit := c.take(int(c.u32()))
			if len(unit) == 0 {
				continue
			}
			if len(unit) < 3 || unit[0]>>1&63 > 31 {
				others++
				continue
			}
			if invalid := unit[1]&7 == 0; invalid { // and a third byte could be one that the decoder skips
				return ErrDamaged
			}
			if otherLayer := unit[0]&1 == 1 || unit[1]>>3 != 0; otherLayer {
				continue
			}
			slices++
			if firstSlice := unit[2]>>7 == 1; firstSlice {
				pictures++
			}
		}
	}
	switch {
	case pictures > 1:
		return &FramesError{pictures}
	case slices > maxSlices || others > maxOthers:
		return ErrTooBusy
	}
	return nil
}
