package vision

import (
	"image"
	"image/draw"
)

// Straighten returns the part of a photo within the outline of guess, rectified to an upright card of CardWidth ×
// CardHeight. guess must be a hypothesis of the same photo.
func Straighten(photo *image.RGBA, guess Hypothesis) *image.RGBA {
	return warp(photo, guess.Corners, CardWidth, CardHeight)
}

// HalfTurn rotates a picture by 180°.
func HalfTurn(src *image.RGBA) *image.RGBA { return orient(src, 3) }

// QuarterTurn rotates a picture by 90° clockwise.
func QuarterTurn(src *image.RGBA) *image.RGBA { return orient(src, 6) }

// Part returns a copy of a part of a picture.
func Part(src *image.RGBA, part image.Rectangle) *image.RGBA {
	part = part.Intersect(src.Rect)
	dst := image.NewRGBA(image.Rect(0, 0, part.Dx(), part.Dy()))
	draw.Draw(dst, dst.Rect, src, part.Min, draw.Src)
	return dst
}

// warp maps a quad of src to a w × h rectangle by a projective transformation, with bilinear sampling. Points outside
// of src get the colour of the nearest pixel.
//
//go:norace
func warp(src *image.RGBA, q quad, w, h int) *image.RGBA {
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	m := unitSquareTo(q)
	for y := range h {
		v := (float64(y) + 0.5) / float64(h)
		row := dst.Pix[y*dst.Stride:]
		for x := range w {
			u := (float64(x) + 0.5) / float64(w)
			depth := m[6]*u + m[7]*v + 1
			sample(row[4*x:4*x+4], src, (m[0]*u+m[1]*v+m[2])/depth-0.5, (m[3]*u+m[4]*v+m[5])/depth-0.5)
		}
	}
	return dst
}

// unitSquareTo returns the matrix of the projective transformation of the unit square to a quad (P. Heckbert,
// Fundamentals of Texture Mapping, 1989, section 2.2.3), row by row without the last element, which is 1.
func unitSquareTo(q quad) [8]float64 {
	skew := q[0].minus(q[1]).plus(q[2]).minus(q[3])
	a, b := q[1].minus(q[2]), q[3].minus(q[2])
	var g, h float64
	if span := a.cross(b); span != 0 {
		g, h = skew.cross(b)/span, a.cross(skew)/span
	}
	return [8]float64{
		q[1].x - q[0].x + g*q[1].x, q[3].x - q[0].x + h*q[3].x, q[0].x,
		q[1].y - q[0].y + g*q[1].y, q[3].y - q[0].y + h*q[3].y, q[0].y,
		g, h,
	}
}

// sample interpolates between the four pixels around a point.
//
//go:norace
func sample(dst []uint8, src *image.RGBA, x, y float64) {
	maxX, maxY := src.Rect.Dx()-1, src.Rect.Dy()-1
	x, y = max(0, min(float64(maxX), x)), max(0, min(float64(maxY), y))
	left, top := int(x), int(y)
	right, bottom := min(left+1, maxX), min(top+1, maxY)
	fx, fy := int(256*(x-float64(left))), int(256*(y-float64(top)))
	nw, ne := src.Pix[top*src.Stride+4*left:], src.Pix[top*src.Stride+4*right:]
	sw, se := src.Pix[bottom*src.Stride+4*left:], src.Pix[bottom*src.Stride+4*right:]
	for c := range 4 {
		upper := int(nw[c])*(256-fx) + int(ne[c])*fx
		lower := int(sw[c])*(256-fx) + int(se[c])*fx
		dst[c] = uint8((upper*(256-fy) + lower*fy + 1<<15) >> 16)
	}
}
