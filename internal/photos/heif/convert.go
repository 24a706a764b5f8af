package heif

import "encoding/binary"

// levels is the number of values of a colour while it is converted, four for each of the 4:4:4 samples of 10 bits.
const levels = 1 << 12

// converter converts decoded samples to JPEG's samples: 8 bits, 4:2:0, full range, the matrix of BT.601, sRGB.
type converter struct {
	made bool
	from encoding
	// direct means that the samples need no conversion.
	direct bool
	// Tables by sample, in units of 1/65536 of a level: luma, and what each chroma adds to red, green and blue.
	luma, redCr, greenCb, greenCr, blueCb []int32
	// linear is nil if the colours are sRGB. Otherwise it converts levels to linear light, and mix converts this light
	// to the primaries of sRGB.
	linear *[3][levels]float32
	mix    [9]float32
	// out converts levels to sRGB.
	out [levels]byte

	y, cb, cr []uint16
	sums      []pixelSum
}

// pixelSum is the sum of up to four pixels, which share a chroma sample.
type pixelSum struct{ red, green, blue, n int32 }

// use makes the tables for the samples of a tile, unless the previous tile had the same.
func (v *converter) use(s *samples, t tint) {
	from := t.encoding(s)
	if v.made && v.from == from {
		return
	}
	v.made, v.from = true, from
	v.colours(from, t.profile)
	v.direct = s.depth == 8 && from.fullRange && from.isJPEG() && v.linear == nil && s.layout <= layout420
	if !v.direct {
		v.levels(from)
	}
}

// convert implements the type convert.
func (v *converter) convert(s *samples, from, to, y, rows int, b *band) {
	if v.direct {
		b.direct(s, from, to, y, rows)
		return
	}
	width := to - from
	v.y, v.cb, v.cr = sized(v.y, to), sized(v.cb, to), sized(v.cr, to)
	v.sums = sized(v.sums, (width+1)/2)
	clear(v.sums)
	for i := range b.luma {
		b.luma[i] = nil
		if i < rows {
			b.luma[i] = b.space(i, width)
			v.row(s, from, y+i, b.luma[i])
		}
	}
	b.cb, b.cr = b.space(2, len(v.sums)), b.space(3, len(v.sums))
	for i, sum := range v.sums {
		r, g, bl := sum.red/sum.n, sum.green/sum.n, sum.blue/sum.n
		b.cb[i] = chroma(-11056*r - 21712*g + 32768*bl)
		b.cr[i] = chroma(32768*r - 27440*g - 5328*bl)
	}
}

// chroma returns a chroma sample of JPEG from its value in units of 1/65536.
func chroma(value int32) byte { return byte(min(255, (value+128<<16+1<<15)>>16)) }

// row converts the pixels of a row from column from on to luma, and adds them to the sums.
func (v *converter) row(s *samples, from, y int, luma []byte) {
	s.unpack(v.y, 0, y)
	shift := s.shiftX()
	if s.layout == layout400 {
		grey := uint16(1) << (s.depth - 1)
		for i := range v.cb {
			v.cb[i], v.cr[i] = grey, grey
		}
	} else {
		n := (len(v.y) + shift) >> shift
		s.unpack(v.cb[:n], 1, y>>s.shiftY())
		s.unpack(v.cr[:n], 2, y>>s.shiftY())
	}
	for i := range luma {
		x := from + i
		r, g, b := v.pixel(v.y[x], v.cb[x>>shift], v.cr[x>>shift])
		luma[i] = byte((19595*r + 38470*g + 7471*b + 1<<15) >> 16)
		sum := &v.sums[i/2]
		sum.red, sum.green, sum.blue, sum.n = sum.red+r, sum.green+g, sum.blue+b, sum.n+1
	}
}

// pixel returns the colour of a pixel in sRGB.
func (v *converter) pixel(y, cb, cr uint16) (r, g, b int32) {
	var red, green, blue int32
	if v.from.matrix == matrixIdentity {
		red, green, blue = level(v.luma[cr]), level(v.luma[y]), level(v.luma[cb])
	} else {
		l := v.luma[y]
		red, green, blue = level(l+v.redCr[cr]), level(l+v.greenCb[cb]+v.greenCr[cr]), level(l+v.blueCb[cb])
	}
	if v.linear != nil {
		lr, lg, lb := v.linear[0][red], v.linear[1][green], v.linear[2][blue]
		red = level32(v.mix[0]*lr + v.mix[1]*lg + v.mix[2]*lb)
		green = level32(v.mix[3]*lr + v.mix[4]*lg + v.mix[5]*lb)
		blue = level32(v.mix[6]*lr + v.mix[7]*lg + v.mix[8]*lb)
	}
	return int32(v.out[red]), int32(v.out[green]), int32(v.out[blue])
}

// level returns the level of a value in units of 1/65536.
func level(value int32) int32 { return min(max(value>>16, 0), levels-1) }

// level32 returns the level of a value from 0 to 1.
func level32(value float32) int32 { return min(max(int32(value*(levels-1)+0.5), 0), levels-1) }

// direct fills the band with samples that need no conversion.
func (b *band) direct(s *samples, from, to, y, rows int) {
	b.luma = [2][]byte{}
	for i := range rows {
		b.luma[i] = s.row(0, y+i)[from:to]
	}
	if s.layout == layout420 {
		b.cb, b.cr = s.row(1, y/2)[from/2:(to+1)/2], s.row(2, y/2)[from/2:(to+1)/2]
		return
	}
	b.cb = b.space(2, (to-from+1)/2)
	for i := range b.cb {
		b.cb[i] = 128
	}
	b.cr = b.cb
}

// opacities is a convert that fills the band with opacities, 0 to 255. The luma of a pixel becomes its opacity. The
// average opacity becomes chroma.
func opacities(s *samples, from, to, y, rows int, b *band) {
	width := to - from
	b.luma = [2][]byte{}
	for i := range rows {
		b.luma[i] = b.space(i, width)
		row := s.row(0, y+i)
		for x := range b.luma[i] {
			if s.depth == 8 {
				b.luma[i][x] = row[from+x]
			} else {
				b.luma[i][x] = byte(binary.LittleEndian.Uint16(row[2*(from+x):]) >> (s.depth - 8))
			}
		}
	}
	b.cb = b.space(2, (width+1)/2)
	for i := range b.cb {
		sum, n := 0, 0
		for _, row := range b.luma {
			for _, opacity := range row[min(2*i, len(row)):min(2*i+2, len(row))] {
				sum, n = sum+int(opacity), n+1
			}
		}
		b.cb[i] = byte(sum / n)
	}
	b.cr = b.cb
}

// sized returns a slice of n elements, s if it is large enough.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
