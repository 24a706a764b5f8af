package heif

// maxEntries limits the items, extents, properties and references of a file together. A photo of 48 megapixels from a
// phone has about 1,500.
const maxEntries = 1 << 14

// meta is the content of the meta box: the items of the file and how they belong together.
type meta struct {
	file, idat []byte
	entries    int
	primary    uint32
	items      map[uint32]*item
	properties []property
	references []reference
}

// item is a coded picture, a grid of pictures, or metadata.
type item struct {
	kind       string // "hvc1", "av01", "grid" …
	inIdat     bool   // the data is in meta.idat, else in the file
	elsewhere  bool   // the data is in another file or item
	extents    []extent
	properties []int // indices of meta.properties, in the order in which transformations apply
}

// extent is a part of an item's data. Length 0 means up to the end.
type extent struct{ offset, length uint64 }

// property is a box of ipco.
type property struct {
	kind string
	body []byte
}

// reference relates one item to others, such as a grid to its tiles.
type reference struct {
	kind string
	from uint32
	to   []uint32
}

// findMeta parses the meta box of a file. Anything after it is data, which items refer to.
func findMeta(data []byte) (*meta, error) {
	animated := false
	for rest := data; len(rest) > 0; {
		kind, body, after, err := nextBox(rest)
		if err != nil {
			return nil, err
		}
		switch kind {
		case "meta":
			m := &meta{file: data, items: map[uint32]*item{}}
			return m, m.parse(body)
		case "moov":
			animated = true
		}
		rest = after
	}
	if animated {
		return nil, ErrAnimated
	}
	return nil, ErrTruncated
}

func (m *meta) parse(body []byte) error {
	c := &cursor{b: body}
	c.fullBox()
	return eachBox(c.b, func(kind string, body []byte) error {
		c := &cursor{b: body}
		switch kind {
		case "pitm":
			version, _ := c.fullBox()
			m.primary = c.id(version)
			return c.err()
		case "iinf":
			return m.parseItems(c)
		case "iloc":
			return m.parseLocations(c)
		case "iref":
			return m.parseReferences(c)
		case "iprp":
			return eachBox(body, m.parseProperties)
		case "idat":
			m.idat = body
		}
		return nil
	})
}

// id reads an item's identifier, which has 16 bits in version 0 of a box and 32 later.
func (c *cursor) id(version int) uint32 {
	if version == 0 {
		return uint32(c.u16())
	}
	return c.u32()
}

// count adds n entries.
func (m *meta) count(n int) error {
	if m.entries += n; m.entries > maxEntries {
		return ErrTooBusy
	}
	return nil
}

// item returns the item of an identifier. Boxes may name it in any order.
func (m *meta) item(id uint32) (*item, error) {
	if known := m.items[id]; known != nil {
		return known, nil
	}
	fresh := &item{}
	m.items[id] = fresh
	return fresh, m.count(1)
}

// parseItems reads iinf, the types of the items.
func (m *meta) parseItems(c *cursor) error {
	version, _ := c.fullBox()
	c.id(version) // the number of boxes that follow
	return eachBox(c.b, func(kind string, body []byte) error {
		c := &cursor{b: body}
		version, _ := c.fullBox()
		if kind != "infe" || version < 2 { // the versions before describe no pictures
			return nil
		}
		it, err := m.item(c.id(version - 2))
		if err != nil {
			return err
		}
		c.u16() // protection
		it.kind = string(c.take(4))
		return c.err()
	})
}

// parseLocations reads iloc, where the data of the items is.
func (m *meta) parseLocations(c *cursor) error {
	version, _ := c.fullBox()
	sizes := c.u16() // of the fields: offset, length, base offset, index
	offset, length, base, index := sizes>>12, sizes>>8&15, sizes>>4&15, sizes&15
	if offset > 8 || length > 8 || base > 8 || index > 8 || version > 2 {
		return ErrDamaged
	}
	for n := c.id(version / 2); n > 0 && !c.short; n-- {
		it, err := m.item(c.id(version / 2))
		if err != nil {
			return err
		}
		if version > 0 {
			method := c.u16() & 15
			it.inIdat, it.elsewhere = method == 1, method > 1
		}
		it.elsewhere = c.u16() != 0 || it.elsewhere
		begin, extents := c.uint(base), c.u16()
		if err := m.count(extents); err != nil {
			return err
		}
		it.extents = make([]extent, extents)
		for i := range it.extents {
			if version > 0 {
				c.uint(index)
			}
			it.extents[i] = extent{begin + c.uint(offset), c.uint(length)}
		}
	}
	return c.err()
}

// parseReferences reads iref.
func (m *meta) parseReferences(c *cursor) error {
	version, _ := c.fullBox()
	return eachBox(c.b, func(kind string, body []byte) error {
		c := &cursor{b: body}
		r := reference{kind: kind, from: c.id(version)}
		n := c.u16()
		if err := m.count(n); err != nil {
			return err
		}
		for range n {
			r.to = append(r.to, c.id(version))
		}
		m.references = append(m.references, r)
		return c.err()
	})
}

// parseProperties reads a box of iprp: ipco, the properties, or ipma, which items have them.
func (m *meta) parseProperties(kind string, body []byte) error {
	switch kind {
	case "ipco":
		return eachBox(body, func(kind string, body []byte) error {
			m.properties = append(m.properties, property{kind, body})
			return m.count(1)
		})
	case "ipma":
		return m.parseAssociations(&cursor{b: body})
	}
	return nil
}

func (m *meta) parseAssociations(c *cursor) error {
	version, flags := c.fullBox()
	size := 1 + int(flags&1) // of an index, in bytes; its first bit says that the property is essential
	for n := c.u32(); n > 0 && !c.short; n-- {
		it, err := m.item(c.id(version))
		if err != nil {
			return err
		}
		indices := c.u8()
		if err := m.count(indices); err != nil {
			return err
		}
		for range indices {
			it.properties = append(it.properties, int(c.uint(size))&(1<<(8*size-1)-1)-1)
		}
	}
	return c.err()
}
