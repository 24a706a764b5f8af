package vision

import "image"

// gradient is the Sobel derivative of a picture.
type gradient struct {
	w, h   int
	dx, dy []int16
}

// slope returns the gradient of a grey picture. It is 0 at the outermost pixels.
//
//go:norace
func slope(src *image.Gray) gradient {
	w, h := src.Rect.Dx(), src.Rect.Dy()
	g := gradient{w: w, h: h, dx: make([]int16, w*h), dy: make([]int16, w*h)}
	for y := 1; y < h-1; y++ {
		above, here, below := src.Pix[(y-1)*w:], src.Pix[y*w:], src.Pix[(y+1)*w:]
		for x := 1; x < w-1; x++ {
			nw, n, ne := int16(above[x-1]), int16(above[x]), int16(above[x+1])
			sw, s, se := int16(below[x-1]), int16(below[x]), int16(below[x+1])
			g.dx[y*w+x] = ne + 2*int16(here[x+1]) + se - nw - 2*int16(here[x-1]) - sw
			g.dy[y*w+x] = sw + 2*s + se - nw - 2*n - ne
		}
	}
	return g
}

// strength returns |dx|+|dy| at a pixel, or 0 outside the picture.
//
//go:norace
func (g gradient) strength(x, y int) int {
	if x < 0 || y < 0 || x >= g.w || y >= g.h {
		return 0
	}
	i := y*g.w + x
	return abs(int(g.dx[i])) + abs(int(g.dy[i]))
}

// edges marks thin contours by Canny's method: local maxima across the edge that are stronger than high, or that are
// stronger than low and connected to such a maximum.
//
//go:norace
func (g gradient) edges(low, high int) mask {
	out, weak := newMask(g.w, g.h), newMask(g.w, g.h)
	var trail []int
	for y := 1; y < g.h-1; y++ {
		for x := 1; x < g.w-1; x++ {
			s := g.strength(x, y)
			if s <= low || !g.isRidge(x, y, s) {
				continue
			}
			i := y*g.w + x
			weak.on[i] = true
			if s > high {
				out.on[i] = true
				trail = append(trail, i)
			}
		}
	}
	for len(trail) > 0 {
		i := trail[len(trail)-1]
		trail = trail[:len(trail)-1]
		for _, step := range [8]int{-g.w - 1, -g.w, -g.w + 1, -1, 1, g.w - 1, g.w, g.w + 1} {
			if j := i + step; weak.on[j] && !out.on[j] {
				out.on[j] = true
				trail = append(trail, j)
			}
		}
	}
	return out
}

// isRidge reports whether a pixel is the strongest across its edge.
//
//go:norace
func (g gradient) isRidge(x, y, strength int) bool {
	dx, dy := int(g.dx[y*g.w+x]), int(g.dy[y*g.w+x])
	stepX, stepY := sign(dx), sign(dy)
	switch {
	case 5*abs(dy) < 2*abs(dx): // within 22.5° of horizontal: tan ≈ 0.4
		stepY = 0
	case 5*abs(dx) < 2*abs(dy):
		stepX = 0
	}
	return strength > g.strength(x-stepX, y-stepY) && strength >= g.strength(x+stepX, y+stepY)
}

// blur smooths a picture with the binomial kernel 1-4-6-4-1 in both axes.
//
//go:norace
func blur(src *image.Gray) *image.Gray {
	w, h := src.Rect.Dx(), src.Rect.Dy()
	across, dst := image.NewGray(src.Rect), image.NewGray(src.Rect)
	smooth := func(dst, src []uint8, n, step int) {
		at := func(i int) int { return int(src[max(0, min(n-1, i))*step]) }
		for i := range n {
			dst[i*step] = uint8((at(i-2) + 4*at(i-1) + 6*at(i) + 4*at(i+1) + at(i+2) + 8) / 16)
		}
	}
	for y := range h {
		smooth(across.Pix[y*w:], src.Pix[y*w:], w, 1)
	}
	for x := range w {
		smooth(dst.Pix[x:], across.Pix[x:], h, w)
	}
	return dst
}

func sign(v int) int {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}
