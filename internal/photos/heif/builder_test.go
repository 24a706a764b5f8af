package heif

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// fixture returns a file of testdata, which testdata/README.md describes.
func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// parsed parses a file.
func parsed(t testing.TB, data []byte) *File {
	t.Helper()
	f, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// builder builds files, also those that no encoder writes.
type builder struct {
	items      []builtItem
	properties [][]byte
	references []byte
	primary    int
}

type builtItem struct {
	kind       string
	data       []byte
	properties []int // from 1
}

// property adds a property and returns its index.
func (b *builder) property(kind string, body ...[]byte) int {
	b.properties = append(b.properties, box(kind, body...))
	return len(b.properties)
}

// size adds the size of an item.
func (b *builder) size(width, height uint32) int {
	return b.property("ispe", be32(0), be32(width), be32(height))
}

// item adds an item and returns its identifier, from 1.
func (b *builder) item(kind string, data []byte, properties ...int) int {
	b.items = append(b.items, builtItem{kind, data, properties})
	return len(b.items)
}

// refer adds a reference.
func (b *builder) refer(kind string, from int, to ...int) {
	body := [][]byte{be16(uint16(from)), be16(uint16(len(to)))}
	for _, id := range to {
		body = append(body, be16(uint16(id)))
	}
	b.references = append(b.references, box(kind, body...)...)
}

// bytes returns the file. Its data follows the meta box.
func (b *builder) bytes() []byte {
	begin := box("ftyp", []byte("mif1\x00\x00\x00\x00mif1heicavif"))
	meta := b.meta(0)
	data := len(begin) + len(meta) + 8
	file := slices.Concat(begin, b.meta(data))
	body := make([][]byte, 0, len(b.items))
	for _, it := range b.items {
		body = append(body, it.data)
	}
	return slices.Concat(file, box("mdat", body...))
}

// meta returns the meta box of a file whose data begins at this offset.
func (b *builder) meta(at int) []byte {
	infos, locations, associations := be16(uint16(len(b.items))), be16(uint16(len(b.items))), be32(uint32(len(b.items)))
	for i, it := range b.items {
		id := be16(uint16(i + 1))
		infos = append(infos, box("infe", be32(2<<24), id, be16(0), []byte(it.kind+"\x00"))...)
		locations = slices.Concat(locations, id, be16(0), be16(1), be32(uint32(at)), be32(uint32(len(it.data))))
		at += len(it.data)
		associations = append(append(associations, id...), byte(len(it.properties)))
		for _, index := range it.properties {
			associations = append(associations, byte(index))
		}
	}
	return box("meta", be32(0),
		box("pitm", be32(0), be16(uint16(b.primary))),
		box("iinf", be32(0), infos),
		box("iloc", be32(0), be16(0x4400), locations),
		box("iref", be32(0), b.references),
		box("iprp", box("ipco", b.properties...), box("ipma", be32(0), associations)))
}

func box(kind string, body ...[]byte) []byte {
	content := slices.Concat(body...)
	return slices.Concat(be32(uint32(8+len(content))), []byte(kind), content)
}

func be16(n uint16) []byte { return binary.BigEndian.AppendUint16(nil, n) }
func be32(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }

// coded is a picture that a codec has coded: what an item of it needs.
type coded struct {
	kind          string
	config, data  []byte
	width, height int
}

// codedIn returns the picture of a file that has one tile, or the first tile of a grid.
func codedIn(t testing.TB, data []byte) coded {
	t.Helper()
	l := parsed(t, data).colour
	kind := "hvc1"
	if l.codec == av1 {
		kind = "av01"
	}
	return coded{kind, l.config, l.tiles[0], l.tileWidth, l.tileHeight}
}

// add adds the picture to a file, with these properties in addition.
func (c coded) add(b *builder, properties ...int) (item int) {
	properties = append([]int{b.size(uint32(c.width), uint32(c.height)), c.configuration(b)}, properties...)
	return b.item(c.kind, c.data, properties...)
}

func (c coded) configuration(b *builder) int { return b.property(codecs[c.kind].property, c.config) }

// grid adds a grid of copies of the picture.
func (c coded) grid(b *builder, columns, rows int, width, height uint32) (item int) {
	size, configuration := b.size(uint32(c.width), uint32(c.height)), c.configuration(b)
	var tiles []int
	for range columns * rows {
		tiles = append(tiles, b.item(c.kind, c.data, size, configuration))
	}
	head := []byte{0, 1, byte(rows - 1), byte(columns - 1)}
	item = b.item("grid", slices.Concat(head, be32(width), be32(height)), b.size(width, height))
	b.refer("dimg", item, tiles...)
	return item
}
