package heif

import (
	"slices"
	"strings"
)

// The auxiliary types of an alpha plane: ISO/IEC 23008-12 section 6.6.2.1.1, and what Apple and older encoders write.
var alphaTypes = []string{"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"}

// maxAlphaType is longer than every known type.
const maxAlphaType = 64

// picture resolves the primary item.
func (m *meta) picture() (*File, error) {
	it := m.items[m.primary]
	if it == nil {
		return nil, ErrDamaged
	}
	colour, err := m.layer(m.primary, it)
	if err != nil {
		return nil, err
	}
	f := &File{colour: colour, shown: placement{width: colour.width, height: colour.height}}
	if err := m.transform(it, &f.shown); err != nil {
		return nil, err
	}
	f.Width, f.Height = f.shown.size()
	f.tint = m.tint(m.primary, it)
	return f, m.addAlpha(f)
}

// addAlpha finds the opacity of the picture. It has the size of the colours and is cropped and rotated with them.
func (m *meta) addAlpha(f *File) error {
	for _, r := range m.references {
		if r.kind != "auxl" || !slices.Contains(r.to, m.primary) || m.items[r.from] == nil {
			continue
		}
		it := m.items[r.from]
		body, _ := m.property(it, "auxC")
		c := &cursor{b: body}
		c.fullBox()
		name, _, _ := strings.Cut(string(c.b[:min(len(c.b), maxAlphaType)]), "\x00")
		if !slices.Contains(alphaTypes, name) {
			continue // depth, or a gain map
		}
		alpha, err := m.layer(r.from, it)
		if err != nil {
			return err
		}
		if alpha.codec != f.colour.codec || alpha.width != f.colour.width || alpha.height != f.colour.height {
			return ErrDamaged
		}
		f.alpha = alpha
		f.premultiplied = slices.Contains(m.related("prem", m.primary), r.from)
		return nil
	}
	return nil
}

// transform applies the properties of an item that crop, rotate and mirror it, in the order of the item.
func (m *meta) transform(it *item, p *placement) error {
	for _, index := range it.properties {
		if index < 0 || index >= len(m.properties) {
			continue
		}
		property := m.properties[index]
		c := &cursor{b: property.body}
		switch property.kind {
		case "clap":
			if err := crop(c, p); err != nil {
				return err
			}
		case "irot":
			for range c.u8() & 3 {
				p.rotate()
			}
		case "imir":
			p.mirror(c.u8()&1 == 1)
		}
		if c.short {
			return ErrDamaged
		}
	}
	return nil
}

// crop reads a clean aperture (ISO/IEC 14496-12 section 12.1.4): a width and a height, and the distance of its centre
// from the picture's centre, each as a fraction.
func crop(c *cursor, p *placement) error {
	var n, d [4]int64
	for i := range n {
		n[i], d[i] = int64(int32(c.u32())), int64(int32(c.u32()))
		if d[i] <= 0 {
			return ErrDamaged
		}
	}
	width, height := n[0]/d[0], n[1]/d[1]
	if p.turned() || width <= 0 || height <= 0 || width > int64(p.width) || height > int64(p.height) {
		return ErrDamaged // clap precedes irot and imir (ISO/IEC 23000-22 section 7.3.6.7)
	}
	left := (int64(p.width)-width)/2 + n[2]/d[2]
	top := (int64(p.height)-height)/2 + n[3]/d[3]
	left = min(max(left, 0), int64(p.width)-width)
	top = min(max(top, 0), int64(p.height)-height)
	// Chroma has one sample for two pixels, so the picture begins at an even one.
	p.left, p.top = p.left+int(left)&^1, p.top+int(top)&^1
	p.width, p.height = int(width), int(height)
	return nil
}

// layer is a coded picture: one tile, or a grid of tiles of the same size.
type layer struct {
	codec         codec
	width, height int
	// tileWidth and tileHeight are the size of a tile. The last column and row may be larger than the picture.
	tileWidth, tileHeight, columns int
	deep                           bool // more than 8 bits per sample
	dense                          bool // more chroma samples than one for four pixels
	config                         []byte
	// header precedes the data of a tile.
	header []byte
	tiles  [][]byte
	// lengths is the size of the length of a unit in the data, in bytes.
	lengths int
	// size and largest are the size of the data of all tiles, and of that with the most.
	size, largest int
}

// layer returns the picture of an item.
func (m *meta) layer(id uint32, it *item) (*layer, error) {
	width, height, err := m.size(it)
	if err != nil {
		return nil, err
	}
	l := &layer{width: width, height: height, tileWidth: width, tileHeight: height, columns: 1}
	if it.kind != "grid" {
		return l, m.addTile(l, it)
	}
	data, err := m.data(it)
	if err != nil {
		return nil, err
	}
	return l, m.addGrid(l, data, m.related("dimg", id))
}

// maxTiles is the largest number of tiles of a grid. A picture of 144 megapixels in tiles of 512 × 512 has 576.
const maxTiles = 1024

// addGrid reads the tiles of a grid (ISO/IEC 23008-12 section 6.6.2.3): rows, columns and the size of the picture.
func (m *meta) addGrid(l *layer, data []byte, tiles []uint32) error {
	c := &cursor{b: data}
	c.u8() // version
	size := 2 + 2*(c.u8()&1)
	rows, columns := c.u8()+1, c.u8()+1
	width, height := c.uint(size), c.uint(size)
	switch {
	case c.short, rows*columns != len(tiles), width != uint64(l.width), height != uint64(l.height):
		return ErrDamaged
	case len(tiles) > maxTiles:
		return ErrTooBusy
	}
	l.columns = columns
	for i, id := range tiles {
		it := m.items[id]
		if it == nil {
			return ErrDamaged
		}
		tileWidth, tileHeight, err := m.size(it)
		if err != nil {
			return err
		}
		if i == 0 {
			l.tileWidth, l.tileHeight = tileWidth, tileHeight
		}
		if tileWidth != l.tileWidth || tileHeight != l.tileHeight {
			return ErrDamaged
		}
		if err := m.addTile(l, it); err != nil {
			return err
		}
	}
	return l.checkGrid(rows)
}

// checkGrid checks that the tiles cover the picture and that each contributes to it.
func (l *layer) checkGrid(rows int) error {
	across := l.tileWidth*l.columns >= l.width && l.tileWidth*(l.columns-1) < l.width
	down := l.tileHeight*rows >= l.height && l.tileHeight*(rows-1) < l.height
	odd := l.columns > 1 && l.tileWidth%2 == 1 || rows > 1 && l.tileHeight%2 == 1
	if !across || !down || odd {
		return ErrDamaged
	}
	return nil
}
