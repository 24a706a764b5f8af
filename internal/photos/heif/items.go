package heif

// maxSide is the largest side that a picture or a tile may state, in pixels. AV1 allows no more.
const maxSide = 1 << 16

// property returns the content of the item's first property of a kind.
func (m *meta) property(it *item, kind string) (body []byte, found bool) {
	for _, index := range it.properties {
		if index >= 0 && index < len(m.properties) && m.properties[index].kind == kind {
			return m.properties[index].body, true
		}
	}
	return nil, false
}

// size returns the width and height of an item in pixels, before it is cropped or rotated.
func (m *meta) size(it *item) (width, height int, err error) {
	body, _ := m.property(it, "ispe")
	c := &cursor{b: body}
	c.fullBox()
	w, h := c.u32(), c.u32()
	if c.short || w == 0 || h == 0 {
		return 0, 0, ErrDamaged
	}
	return int(w), int(h), nil
}

// related returns the items that item id has a relation of this kind to.
func (m *meta) related(kind string, id uint32) []uint32 {
	for _, r := range m.references {
		if r.kind == kind && r.from == id {
			return r.to
		}
	}
	return nil
}

// data returns the data of an item. It copies only data in several parts.
func (m *meta) data(it *item) ([]byte, error) {
	source := m.file
	if it.inIdat {
		source = m.idat
	}
	switch {
	case it.elsewhere:
		return nil, ErrUnsupported
	case len(it.extents) == 0:
		return nil, ErrDamaged
	case len(it.extents) == 1:
		return cut(source, it.extents[0])
	}
	var whole []byte
	for _, e := range it.extents {
		part, err := cut(source, e)
		if err != nil {
			return nil, err
		}
		if len(whole)+len(part) > len(source) { // the parts overlap
			return nil, ErrDamaged
		}
		whole = append(whole, part...)
	}
	return whole, nil
}

// cut returns the bytes of an extent.
func cut(source []byte, e extent) ([]byte, error) {
	size := uint64(len(source))
	if e.offset > size || e.length > size-e.offset {
		return nil, ErrTruncated
	}
	if e.length == 0 {
		return source[e.offset:], nil
	}
	return source[e.offset : e.offset+e.length], nil
}
