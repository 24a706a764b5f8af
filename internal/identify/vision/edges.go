package vision

import "image"

// gradient is the Sobel derivative of a picture.
type gradient struct {
	w, h   int
	dx, dy []int16
	sum    []int16 // |dx|+|dy|
}

// slope returns the gradient of a grey picture. It is 0 at the outermost pixels.
//
//go:norace
func slope(src *image.Gray) gradient {
	w, h := src.Rect.Dx(), src.Rect.Dy()
	g := gradient{w: w, h: h, dx: make([]int16, w*h), dy: make([]int16, w*h), sum: make([]int16, w*h)}
	for y := 1; y < h-1; y++ {
		above, here, below := src.Pix[(y-1)*w:], src.Pix[y*w:], src.Pix[(y+1)*w:]
		for x := 1; x < w-1; x++ {
			nw, n, ne := int16(above[x-1]), int16(above[x]), int16(above[x+1])
			sw, s, se := int16(below[x-1]), int16(below[x]), int16(below[x+1])
			dx := ne + 2*int16(here[x+1]) + se - nw - 2*int16(here[x-1]) - sw
			dy := sw + 2*s + se - nw - 2*n - ne
			g.dx[y*w+x], g.dy[y*w+x], g.sum[y*w+x] = dx, dy, max(dx, -dx)+max(dy, -dy)
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
	return int(g.sum[y*g.w+x])
}

// edges marks thin contours by Canny's method: local maxima across the edge that are stronger than high, or that are
// stronger than low and connected to such a maximum.
//
//go:norace
func (g gradient) edges(low, high int) mask {
	out, weak := make([]bool, g.w*g.h), make([]bool, g.w*g.h)
	var trail []int
	for y := 1; y < g.h-1; y++ {
		for x := 1; x < g.w-1; x++ {
			i := y*g.w + x
			s := int(g.sum[i])
			if s <= low || !g.isRidge(i, s) {
				continue
			}
			weak[i] = true
			if s > high {
				out[i] = true
				trail = append(trail, i)
			}
		}
	}
	for len(trail) > 0 {
		i := trail[len(trail)-1]
		trail = trail[:len(trail)-1]
		for _, step := range [8]int{-g.w - 1, -g.w, -g.w + 1, -1, 1, g.w - 1, g.w, g.w + 1} {
			if j := i + step; weak[j] && !out[j] {
				out[j] = true
				trail = append(trail, j)
			}
		}
	}
	return maskOf(g.w, g.h, out)
}

// isRidge reports whether a pixel, which is not an outermost one, is the strongest across its edge.
//
//go:norace
func (g gradient) isRidge(at, strength int) bool {
	dx, dy := int(g.dx[at]), int(g.dy[at])
	stepX, stepY := sign(dx), sign(dy)
	switch {
	case 5*abs(dy) < 2*abs(dx): // within 22.5° of horizontal: tan ≈ 0.4
		stepY = 0
	case 5*abs(dx) < 2*abs(dy):
		stepX = 0
	}
	step := stepY*g.w + stepX
	return strength > int(g.sum[at-step]) && strength >= int(g.sum[at+step])
}

// blur smooths a picture with the binomial kernel 1-4-6-4-1 in both axes.
//
//go:norace
func blur(src *image.Gray) *image.Gray {
	w, h := src.Rect.Dx(), src.Rect.Dy()
	across, dst := image.NewGray(src.Rect), image.NewGray(src.Rect)
	for y := range h {
		row, out := src.Pix[y*w:][:w], across.Pix[y*w:][:w]
		at := func(i int) int { return int(row[max(0, min(w-1, i))]) }
		for x := range out {
			if x < 2 || x >= w-2 {
				out[x] = binomial(at(x-2), at(x-1), at(x), at(x+1), at(x+2))
				continue
			}
			near := row[x-2:][:5]
			out[x] = binomial(int(near[0]), int(near[1]), int(near[2]), int(near[3]), int(near[4]))
		}
	}
	for y := range h {
		row := func(i int) []uint8 { return across.Pix[max(0, min(h-1, i))*w:][:w] }
		a, b, c, d, e := row(y-2), row(y-1), row(y), row(y+1), row(y+2)
		out := dst.Pix[y*w:][:w]
		for x := range out {
			out[x] = binomial(int(a[x]), int(b[x]), int(c[x]), int(d[x]), int(e[x]))
		}
	}
	return dst
}

func binomial(a, b, c, d, e int) uint8 { return uint8((a + 4*b + 6*c + 4*d + e + 8) / 16) }

func sign(v int) int {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}
