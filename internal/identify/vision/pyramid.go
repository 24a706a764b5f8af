package vision

import "image"

// sketchWidth and sketchHeight are the size of the rectified card from which a fingerprint is computed, in pixels. A
// fingerprint has 64 steps a side at most. Fingerprints of 26 photos from 1000 × 1400 pixels differed by 4 bits of 512,
// and were as far from the catalogue's fingerprints.
const sketchWidth, sketchHeight = CardWidth / 3, CardHeight / 3

// Pyramid is a photo in grey, also in halves of its size, from which cards of any size are rectified fast. It is not
// safe for concurrent use.
type Pyramid struct{ levels []*image.Gray }

// NewPyramid returns the pyramid of a decoded photo.
func NewPyramid(photo *image.RGBA) *Pyramid { return &Pyramid{levels: []*image.Gray{Grey(photo)}} }

// straighten rectifies the card within an outline to sketchWidth × sketchHeight, from the smallest level that has a
// pixel for each.
func (p *Pyramid) straighten(guess Hypothesis) *image.Gray {
	q := guess.Corners
	level := 0
	for ; shortSide(q) >= 2*sketchWidth; level++ {
		if level+1 == len(p.levels) {
			p.levels = append(p.levels, halved(p.levels[level]))
		}
		q = q.scaled(0.5)
	}
	return warpGrey(p.levels[level], q, sketchWidth, sketchHeight)
}

func shortSide(q quad) float64 { return min(q.sides()) }

// halved returns a picture in half the size, each pixel the mean of four.
//
//go:norace
func halved(src *image.Gray) *image.Gray {
	w, h := max(1, src.Rect.Dx()/2), max(1, src.Rect.Dy()/2)
	dst := image.NewGray(image.Rect(0, 0, w, h))
	for y := range h {
		upper := src.Pix[min(2*y, src.Rect.Dy()-1)*src.Stride:]
		lower := src.Pix[min(2*y+1, src.Rect.Dy()-1)*src.Stride:]
		for x := range w {
			left, right := min(2*x, src.Rect.Dx()-1), min(2*x+1, src.Rect.Dx()-1)
			sum := int(upper[left]) + int(upper[right]) + int(lower[left]) + int(lower[right])
			dst.Pix[y*w+x] = uint8((sum + 2) / 4)
		}
	}
	return dst
}

// warpGrey is warp for a grey picture.
//
//go:norace
func warpGrey(src *image.Gray, q quad, w, h int) *image.Gray {
	dst := image.NewGray(image.Rect(0, 0, w, h))
	m := unitSquareTo(q)
	maxX, maxY := float64(src.Rect.Dx()-1), float64(src.Rect.Dy()-1)
	for y := range h {
		v := (float64(y) + 0.5) / float64(h)
		for x := range w {
			u := (float64(x) + 0.5) / float64(w)
			depth := m[6]*u + m[7]*v + 1
			atX := max(0, min(maxX, (m[0]*u+m[1]*v+m[2])/depth-0.5))
			atY := max(0, min(maxY, (m[3]*u+m[4]*v+m[5])/depth-0.5))
			left, top := int(atX), int(atY)
			right, bottom := min(left+1, int(maxX)), min(top+1, int(maxY))
			fx, fy := int(256*(atX-float64(left))), int(256*(atY-float64(top)))
			upper, lower := src.Pix[top*src.Stride:], src.Pix[bottom*src.Stride:]
			above := int(upper[left])*(256-fx) + int(upper[right])*fx
			below := int(lower[left])*(256-fx) + int(lower[right])*fx
			dst.Pix[y*dst.Stride+x] = uint8((above*(256-fy) + below*fy + 1<<15) >> 16)
		}
	}
	return dst
}
