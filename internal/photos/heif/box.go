package heif

import "encoding/binary"

// nextBox returns the type and the content of the first box of b, and the rest (ISO/IEC 14496-12 section 4.2).
func nextBox(b []byte) (kind string, body, rest []byte, err error) {
	if len(b) < 8 {
		return "", nil, nil, ErrTruncated
	}
	size, header := uint64(binary.BigEndian.Uint32(b)), uint64(8)
	switch size {
	case 0: // up to the end of the file
		size = uint64(len(b))
	case 1:
		if len(b) < 16 {
			return "", nil, nil, ErrTruncated
		}
		size, header = binary.BigEndian.Uint64(b[8:]), 16
	}
	switch {
	case size < header:
		return "", nil, nil, ErrDamaged
	case size > uint64(len(b)):
		return "", nil, nil, ErrTruncated
	}
	return string(b[4:8]), b[header:size], b[size:], nil
}

// eachBox calls visit for each box of b.
func eachBox(b []byte, visit func(kind string, body []byte) error) error {
	for len(b) > 0 {
		kind, body, rest, err := nextBox(b)
		if err != nil {
			return err
		}
		if err := visit(kind, body); err != nil {
			return err
		}
		b = rest
	}
	return nil
}

// cursor reads big-endian fields. It returns zeros after the end of its bytes; then short is true.
type cursor struct {
	b     []byte
	short bool
}

// take returns the next n bytes, or nil if there are fewer.
func (c *cursor) take(n int) []byte {
	if n > len(c.b) {
		c.b, c.short = nil, true
		return nil
	}
	head := c.b[:n]
	c.b = c.b[n:]
	return head
}

// uint reads a number of n bytes, 0 to 8.
func (c *cursor) uint(n int) uint64 {
	var value uint64
	for _, digit := range c.take(n) {
		value = value<<8 | uint64(digit)
	}
	return value
}

func (c *cursor) u8() int     { return int(c.uint(1)) }
func (c *cursor) u16() int    { return int(c.uint(2)) }
func (c *cursor) u32() uint32 { return uint32(c.uint(4)) }

// fullBox reads the version and the flags at the beginning of most boxes.
func (c *cursor) fullBox() (version int, flags uint64) { return c.u8(), c.uint(3) }

// err returns ErrDamaged if a field was missing: the box is complete, so its content is wrong.
func (c *cursor) err() error {
	if c.short {
		return ErrDamaged
	}
	return nil
}
