package vision

import (
	"image"
	"image/draw"
)

// Grey converts a picture to luma with the integer weights of Pillow (ITU-R 601-2), which fingerprints need.
func Grey(src image.Image) *image.Gray {
	if g, ok := src.(*image.Gray); ok {
		return g
	}
	return plane(asRGBA(src), func(r, g, b uint8) uint8 {
		return uint8((uint32(r)*19595 + uint32(g)*38470 + uint32(b)*7471 + 0x8000) >> 16)
	})
}

// Brightest returns the greatest channel by pixel. Only black print is then dark, and white is white even under
// coloured light.
func Brightest(src *image.RGBA) *image.Gray {
	return plane(src, func(r, g, b uint8) uint8 { return max(r, g, b) })
}

// saturation returns the HSV saturation by pixel, 0 to 255.
func saturation(src *image.RGBA) *image.Gray {
	return plane(src, func(r, g, b uint8) uint8 {
		high := int(max(r, g, b))
		return uint8(255 * (high - int(min(r, g, b))) / max(1, high))
	})
}

// distanceFrom returns the distance from a colour by pixel, 0 to 255.
func distanceFrom(src *image.RGBA, colour [3]int) *image.Gray {
	return plane(src, func(r, g, b uint8) uint8 {
		return uint8(min(255, (abs(int(r)-colour[0])+abs(int(g)-colour[1])+abs(int(b)-colour[2]))/2))
	})
}

// plane maps each pixel to a byte.
//
//go:norace
func plane(src *image.RGBA, of func(r, g, b uint8) uint8) *image.Gray {
	w, h := src.Rect.Dx(), src.Rect.Dy()
	dst := image.NewGray(image.Rect(0, 0, w, h))
	for y := range h {
		row := src.Pix[y*src.Stride:][:4*w]
		out := dst.Pix[y*dst.Stride:][:w]
		for x := range out {
			out[x] = of(row[4*x], row[4*x+1], row[4*x+2])
		}
	}
	return dst
}

func asRGBA(src image.Image) *image.RGBA {
	if p, ok := src.(*image.RGBA); ok && p.Rect.Min == (image.Point{}) {
		return p
	}
	b := src.Bounds()
	dst := image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(dst, dst.Rect, src, b.Min, draw.Src)
	return dst
}

// otsu returns the threshold that best divides the histogram into two classes (N. Otsu, 1979).
func otsu(src *image.Gray) uint8 {
	var histogram [256]float64
	for _, v := range src.Pix {
		histogram[v]++
	}
	var total, sum float64
	for v, n := range histogram {
		total += n
		sum += float64(v) * n
	}
	var below, belowSum, best float64
	threshold := 0
	for v, n := range histogram {
		below += n
		belowSum += float64(v) * n
		if below == 0 || below == total {
			continue
		}
		difference := belowSum/below - (sum-belowSum)/(total-below)
		if between := below * (total - below) * difference * difference; between > best {
			best, threshold = between, v
		}
	}
	return uint8(threshold)
}

// frameColour returns the median colour of a band along the edge of the picture. It is the colour of the background
// unless the card fills the picture.
func frameColour(src *image.RGBA) [3]int {
	w, h := src.Rect.Dx(), src.Rect.Dy()
	band := max(1, min(w, h)/40)
	var histogram [3][256]int
	total := 0
	for y := range h {
		for x := range w {
			if x >= band && x < w-band && y >= band && y < h-band {
				continue
			}
			at := src.PixOffset(x, y)
			for c := range 3 {
				histogram[c][src.Pix[at+c]]++
			}
			total++
		}
	}
	var colour [3]int
	for c := range 3 {
		seen := 0
		for v, n := range histogram[c] {
			if seen += n; 2*seen >= total {
				colour[c] = v
				break
			}
		}
	}
	return colour
}

func abs(v int) int { return max(v, -v) }
