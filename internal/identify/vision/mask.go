package vision

import (
	"image"
	"math/bits"
)

// mask is a set of pixels: a bit for each, in rows of whole words, so that an operation on 64 pixels is one on a word.
// The bits after the last pixel of a row are 0.
type mask struct {
	w, h, words int // words is the number of words of a row
	bits        []uint64
}

const wordBits = 64

func newMask(w, h int) mask {
	words := (w + wordBits - 1) / wordBits
	return mask{w: w, h: h, words: words, bits: make([]uint64, words*h)}
}

func (m mask) row(y int) []uint64 { return m.bits[y*m.words : (y+1)*m.words] }

// maskOf returns the mask of the values for which a row-by-row sequence is true.
//
//go:norace
func maskOf(w, h int, on []bool) mask {
	m := newMask(w, h)
	for y := range h {
		row := m.row(y)
		for x, v := range on[y*w : (y+1)*w] {
			if v {
				row[x/wordBits] |= 1 << (x % wordBits)
			}
		}
	}
	return m
}

// above returns the pixels that are brighter than the threshold.
//
//go:norace
func above(src *image.Gray, threshold uint8) mask {
	m := newMask(src.Rect.Dx(), src.Rect.Dy())
	for y := range m.h {
		row := m.row(y)
		for x, v := range src.Pix[y*src.Stride:][:m.w] {
			// The difference is negative, so that its sign bit is set, if v is greater.
			row[x/wordBits] |= uint64(uint32(int32(threshold)-int32(v))>>31) << (x % wordBits)
		}
	}
	return m
}

//go:norace
func (m mask) inverse() mask {
	out := newMask(m.w, m.h)
	for i, word := range m.bits {
		out.bits[i] = ^word
	}
	out.clearPadding()
	return out
}

// clearPadding clears the bits after the last pixel of a row, in all rows.
//
//go:norace
func (m mask) clearPadding() {
	if m.w%wordBits == 0 {
		return
	}
	for y := range m.h {
		m.bits[(y+1)*m.words-1] &= 1<<(m.w%wordBits) - 1
	}
}

// dilate extends the marked area by radius in both axes, with a square structuring element.
//
//go:norace
func (m mask) dilate(radius int) mask {
	across := newMask(m.w, m.h)
	for y := range m.h {
		spread(across.row(y), m.row(y), radius)
	}
	across.clearPadding()
	out := newMask(m.w, m.h)
	for y := range m.h {
		row := out.row(y)
		for near := max(0, y-radius); near <= min(m.h-1, y+radius); near++ {
			for i, word := range across.row(near) {
				row[i] |= word
			}
		}
	}
	return out
}

// spread marks every bit of dst that has a marked bit of src within radius, which is less than the bits of a word.
//
//go:norace
func spread(dst, src []uint64, radius int) {
	before := uint64(0)
	for i, word := range src {
		after := uint64(0)
		if i+1 < len(src) {
			after = src[i+1]
		}
		sum := word
		for shift := 1; shift <= radius; shift++ {
			sum |= word<<shift | before>>(wordBits-shift) | word>>shift | after<<(wordBits-shift)
		}
		dst[i], before = sum, word
	}
}

// erode shrinks the marked area. The area outside the picture counts as marked.
func (m mask) erode(radius int) mask { return m.inverse().dilate(radius).inverse() }

// closed fills gaps of up to twice the radius.
func (m mask) closed(radius int) mask { return m.dilate(radius).erode(radius) }

// opened removes areas that are thinner than twice the radius, such as fingers, strings and glare.
func (m mask) opened(radius int) mask { return m.erode(radius).dilate(radius) }

// region is a connected area of a mask.
type region struct {
	area int
	// rim holds the leftmost and rightmost pixel corners, row by row, from which the convex hull is computed.
	rim []point
}

// run is a sequence of marked pixels in a row. parent links the runs of a region.
type run struct{ y, from, to, parent int }

// regions returns the 4-connected areas of at least minArea pixels.
//
//go:norace
func (m mask) regions(minArea int) []region {
	runs := m.runs()
	areas := make(map[int]int)
	for i := range runs {
		areas[root(runs, i)] += runs[i].to - runs[i].from
	}
	index := make(map[int]int)
	var list []region
	for i, r := range runs {
		top := root(runs, i)
		if areas[top] < minArea {
			continue
		}
		at, ok := index[top]
		if !ok {
			at = len(list)
			index[top] = at
			list = append(list, region{area: areas[top]})
		}
		list[at].addRun(r)
	}
	return list
}

// addRun adds a run to the rim. Runs come row by row, from left to right.
func (r *region) addRun(add run) {
	from, to, y := float64(add.from), float64(add.to), float64(add.y)
	if n := len(r.rim); n > 0 && r.rim[n-2].y == y {
		r.rim[n-2].x, r.rim[n-1].x = to, to
		return
	}
	r.rim = append(r.rim, point{from, y}, point{from, y + 1}, point{to, y}, point{to, y + 1})
}

// runs returns the runs of the mask row by row, with links between those that touch.
//
//go:norace
func (m mask) runs() []run {
	var runs []run
	above, here := 0, 0 // indices of the first run in the row above and in this row
	for y := range m.h {
		above, here = here, len(runs)
		row := m.row(y)
		at := above
		for from := m.next(row, 0, 0); from < m.w; {
			x := m.next(row, from, ^uint64(0))
			runs = append(runs, run{y, from, x, len(runs)})
			for at < here && runs[at].to <= from {
				at++
			}
			for i := at; i < here && runs[i].from < x; i++ {
				runs[root(runs, i)].parent = root(runs, len(runs)-1)
			}
			from = m.next(row, x, 0)
		}
	}
	return runs
}

// next returns the position of the first marked pixel of a row from x on, or the width. With all bits in flip set, it
// returns the position of the first pixel that is not marked.
//
//go:norace
func (m mask) next(row []uint64, x int, flip uint64) int {
	for i := x / wordBits; i < len(row); i++ {
		word := row[i] ^ flip
		if i == x/wordBits {
			word &= ^uint64(0) << (x % wordBits)
		}
		if word != 0 {
			return min(m.w, i*wordBits+bits.TrailingZeros64(word))
		}
	}
	return m.w
}

// root follows the links of a run to the representative of its region, and shortens the path.
//
//go:norace
func root(runs []run, i int) int {
	for runs[i].parent != i {
		runs[i].parent = runs[runs[i].parent].parent
		i = runs[i].parent
	}
	return i
}
