package heif

import (
	"bytes"
	"encoding/binary"
)

// maxConfig is the largest configuration of a decoder, in bytes. Cameras write about 100.
const maxConfig = 1 << 16

// codecs are the codecs by the type of the items, with the property that configures their decoder.
var codecs = map[string]struct {
	codec    codec
	property string
}{"hvc1": {hevc, "hvcC"}, "av01": {av1, "av1C"}}

// addTile appends a coded picture of one frame. All tiles have the same codec and configuration.
func (m *meta) addTile(l *layer, it *item) error {
	codec, known := codecs[it.kind]
	if !known {
		return ErrUnsupported
	}
	config, _ := m.property(it, codec.property)
	if l.tileWidth > maxSide || l.tileHeight > maxSide || len(config) > maxConfig {
		return ErrDamaged
	}
	switch {
	case len(l.tiles) == 0:
		l.codec, l.config = codec.codec, config
		if err := l.configure(); err != nil {
			return err
		}
	case codec.codec != l.codec || !bytes.Equal(config, l.config):
		return ErrDamaged
	}
	data, err := m.data(it)
	if err != nil {
		return err
	}
	if l.size += len(data); l.size > len(m.file) { // tiles share data, which would multiply the work
		return ErrDamaged
	}
	l.largest = max(l.largest, len(data))
	if l.lengths != 4 && l.codec == hevc {
		if data, err = widenLengths(data, l.lengths); err != nil {
			return err
		}
	}
	l.tiles = append(l.tiles, data)
	return l.checkFrames(data)
}

func (l *layer) configure() error {
	if l.codec == hevc {
		return l.configureHEVC()
	}
	return l.configureAV1()
}

// configureHEVC reads hvcC (ISO/IEC 14496-15 section 8.3.2.1): the format of the samples, and the parameter sets, which
// become the header.
func (l *layer) configureHEVC() error {
	c := &cursor{b: l.config}
	c.take(16)
	chroma, luma := c.u8()&3, c.u8()&7
	c.take(3)
	l.lengths = c.u8()&3 + 1
	l.deep, l.dense = luma > 0, chroma > 1
	for arrays := c.u8(); arrays > 0; arrays-- {
		c.u8() // the type of the units
		for units := c.u16(); units > 0 && !c.short; units-- {
			l.header = appendUnit(l.header, c.take(c.u16()))
		}
	}
	return c.err()
}

// configureAV1 reads the format of the samples from av1C (AV1 Codec ISO Media File Format Binding section 2.3). Every
// tile's data has its own sequence header.
func (l *layer) configureAV1() error {
	c := &cursor{b: l.config}
	c.take(2)
	format := c.u8() // a bit of tier, two of depth, one of monochrome, two of chroma subsampling …
	l.deep = format>>6&1 == 1
	l.dense = format>>4&1 == 0 && format>>2&3 != 3
	return c.err()
}

// appendUnit appends a unit of HEVC with a length of four bytes.
func appendUnit(dst, unit []byte) []byte {
	return append(binary.BigEndian.AppendUint32(dst, uint32(len(unit))), unit...)
}

// widenLengths copies units whose lengths have fewer than four bytes.
func widenLengths(data []byte, size int) ([]byte, error) {
	var wide []byte
	for c := (&cursor{b: data}); len(c.b) > 0; {
		unit := c.take(int(c.uint(size)))
		if c.short {
			return nil, ErrTruncated
		}
		if len(unit) > 0 {
			wide = appendUnit(wide, unit)
		}
	}
	return wide, nil
}

// The memory of a decoder in bytes: a part that does not depend on the picture, and a part for each pixel of a tile.
// Pictures of more than 8 bits, or with more chroma samples than 4:2:0, take up to twice as much for each pixel.
// Measured were 2 to 3 MB, and 3.9 bytes a pixel for HEVC and 2.2 for AV1.
const (
	decoderMemory = 4 << 20
	hevcPixel     = 5
	av1Pixel      = 3
	denser        = 2
	minPixels     = 64 << 10
	dataCopies    = 3 // of the coded picture
)

// memory returns the memory that decoding a tile takes, in bytes.
func (l *layer) memory() int64 {
	pixel := int64(hevcPixel)
	if l.codec == av1 {
		pixel = av1Pixel
	}
	if l.deep || l.dense {
		pixel *= denser
	}
	pixels := max(minPixels, int64(l.tileWidth)*int64(l.tileHeight))
	return decoderMemory + pixels*pixel + int64(len(l.header)+l.largest)*dataCopies
}
