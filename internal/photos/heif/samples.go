package heif

import "encoding/binary"

// The layouts of the chroma samples.
const (
	layout400 = iota // none
	layout420        // one for two pixels in both directions
	layout422        // one for two pixels of a row
	layout444        // one for each pixel
)

// samples are the decoded samples of a tile, in the decoder's memory.
type samples struct {
	width, height int
	layout, depth int
	planes        [3][]byte // Y, Cb and Cr; a sample of more than 8 bits takes two bytes, little-endian
	strides       [3]int    // in bytes

	fullRange                   bool
	primaries, transfer, matrix int // ITU-T H.273
}

func (s *samples) planeCount() int {
	if s.layout == layout400 {
		return 1
	}
	return 3
}

// planeSize returns the size of a plane in samples.
func (s *samples) planeSize(plane int) (width, height int) {
	width, height = s.width, s.height
	if plane > 0 {
		width, height = (width+s.shiftX())>>s.shiftX(), (height+s.shiftY())>>s.shiftY()
	}
	return width, height
}

// shiftX and shiftY are 1 if a chroma sample belongs to two pixels in this direction, otherwise 0.
func (s *samples) shiftX() int {
	if s.layout == layout420 || s.layout == layout422 {
		return 1
	}
	return 0
}

func (s *samples) shiftY() int {
	if s.layout == layout420 {
		return 1
	}
	return 0
}

// bytes is the size of a sample.
func (s *samples) bytes() int {
	if s.depth > 8 {
		return 2
	}
	return 1
}

// row returns the bytes of a row of a plane.
func (s *samples) row(plane, y int) []byte {
	width, _ := s.planeSize(plane)
	return s.planes[plane][y*s.strides[plane]:][:width*s.bytes()]
}

// unpack copies the first samples of a row to dst. It masks the bits above the depth, which a damaged file may set.
func (s *samples) unpack(dst []uint16, plane, y int) {
	row := s.row(plane, y)
	if s.depth == 8 {
		for i := range dst {
			dst[i] = uint16(row[i])
		}
		return
	}
	mask := uint16(1)<<s.depth - 1
	for i := range dst {
		dst[i] = binary.LittleEndian.Uint16(row[2*i:]) & mask
	}
}
