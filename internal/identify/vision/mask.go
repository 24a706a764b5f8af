package vision

import "image"

// mask is a set of pixels. Rows have no padding.
type mask struct {
	w, h int
	on   []bool
}

func newMask(w, h int) mask { return mask{w: w, h: h, on: make([]bool, w*h)} }

// above returns the pixels that are brighter than the threshold.
//
//go:norace
func above(src *image.Gray, threshold uint8) mask {
	m := newMask(src.Rect.Dx(), src.Rect.Dy())
	for i, v := range src.Pix {
		m.on[i] = v > threshold
	}
	return m
}

//go:norace
func (m mask) inverse() mask {
	out := newMask(m.w, m.h)
	for i, v := range m.on {
		out.on[i] = !v
	}
	return out
}

// dilate extends the marked area by radius in both axes, with a square structuring element.
func (m mask) dilate(radius int) mask {
	across := newMask(m.w, m.h)
	for y := range m.h {
		spread(across.on[y*m.w:(y+1)*m.w], m.on[y*m.w:(y+1)*m.w], 1, radius)
	}
	out := newMask(m.w, m.h)
	for x := range m.w {
		spread(out.on[x:], across.on[x:], m.w, radius)
	}
	return out
}

// erode shrinks the marked area. The area outside the picture counts as marked.
func (m mask) erode(radius int) mask { return m.inverse().dilate(radius).inverse() }

// closed fills gaps of up to twice the radius.
func (m mask) closed(radius int) mask { return m.dilate(radius).erode(radius) }

// opened removes areas that are thinner than twice the radius, such as fingers, strings and glare.
func (m mask) opened(radius int) mask { return m.erode(radius).dilate(radius) }

// spread marks every step-th cell of dst that has a marked cell of src within radius.
//
//go:norace
func spread(dst, src []bool, step, radius int) {
	n := (len(src) + step - 1) / step
	covered := -1 // the last cell that is marked in dst
	last := -radius - 1
	for i := range n {
		if src[i*step] {
			last = i
			for j := max(covered+1, i-radius); j < i; j++ {
				dst[j*step] = true
			}
		}
		if i-last <= radius {
			dst[i*step] = true
			covered = i
		}
	}
}

// region is a connected area of a mask.
type region struct {
	area int
	// rim holds the leftmost and rightmost pixel corners of each row, from which the convex hull is computed.
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
	var found []region
	for i, r := range runs {
		top := root(runs, i)
		if areas[top] < minArea {
			continue
		}
		at, ok := index[top]
		if !ok {
			at = len(found)
			index[top] = at
			found = append(found, region{area: areas[top]})
		}
		from, to, y := float64(r.from), float64(r.to), float64(r.y)
		found[at].rim = append(found[at].rim, point{from, y}, point{from, y + 1}, point{to, y}, point{to, y + 1})
	}
	return found
}

// runs returns the runs of the mask row by row, with links between those that touch.
//
//go:norace
func (m mask) runs() []run {
	var runs []run
	above, here := 0, 0 // indices of the first run in the row above and in this row
	for y := range m.h {
		above, here = here, len(runs)
		row := m.on[y*m.w : (y+1)*m.w]
		at := above
		for x := 0; x < m.w; {
			if !row[x] {
				x++
				continue
			}
			from := x
			for x < m.w && row[x] {
				x++
			}
			runs = append(runs, run{y, from, x, len(runs)})
			for at < here && runs[at].to <= from {
				at++
			}
			for i := at; i < here && runs[i].from < x; i++ {
				runs[root(runs, i)].parent = root(runs, len(runs)-1)
			}
		}
	}
	return runs
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
