package vision

import "image"

// Region is a part of a rectified card, in shares of its width and height.
type Region struct{ Left, Top, Right, Bottom float64 }

// Crop returns a region of a card, scaled with a Lanczos filter.
func Crop(card *image.Gray, region Region, scale float64) *image.Gray {
	w, h := float64(card.Rect.Dx()), float64(card.Rect.Dy())
	cut := image.Rect(int(region.Left*w), int(region.Top*h), int(region.Right*w), int(region.Bottom*h))
	cut = cut.Intersect(card.Rect)
	part := image.NewGray(image.Rect(0, 0, cut.Dx(), cut.Dy()))
	for y := range cut.Dy() {
		copy(part.Pix[y*part.Stride:][:cut.Dx()], card.Pix[card.PixOffset(cut.Min.X, cut.Min.Y+y):])
	}
	if scale == 1 {
		return part
	}
	return resizeLanczos(part, max(1, int(float64(cut.Dx())*scale)), max(1, int(float64(cut.Dy())*scale)))
}

// printContrast is the minimum difference in brightness between print and paper, of 255.
const printContrast = 8

// Plain reports whether a picture has only one colour, such as a photo of a lens cap or an empty table, so that it
// cannot show a card.
func Plain(src *image.RGBA) bool {
	low, high := [4]uint8{255, 255, 255, 255}, [4]uint8{}
	for y := range src.Rect.Dy() {
		for i, v := range src.Pix[y*src.Stride:][:4*src.Rect.Dx()] {
			channel := i % 4
			low[channel], high[channel] = min(low[channel], v), max(high[channel], v)
			if high[channel]-low[channel] >= printContrast {
				return false
			}
		}
	}
	return true
}

// Inverse exchanges dark and light, because text recognition expects dark text.
func Inverse(src *image.Gray) *image.Gray {
	dst := image.NewGray(src.Rect)
	for i, v := range src.Pix {
		dst.Pix[i] = 255 - v
	}
	return dst
}

// Stretch increases the contrast so that the darkest and the brightest 1 % become black and white.
func Stretch(src *image.Gray) *image.Gray {
	var histogram [256]int
	for _, v := range src.Pix {
		histogram[v]++
	}
	margin := len(src.Pix) / 100
	low, high := 0, 255
	for seen := histogram[low]; seen <= margin && low < 254; seen += histogram[low] {
		low++
	}
	for seen := histogram[high]; seen <= margin && high > low+1; seen += histogram[high] {
		high--
	}
	dst := image.NewGray(src.Rect)
	for i, v := range src.Pix {
		dst.Pix[i] = uint8(max(0, min(255, 255*(int(v)-low)/(high-low))))
	}
	return dst
}

// Adaptive makes a pixel black if it is darker than the mean of the square window around it by more than the margin,
// and white otherwise. This compensates uneven light.
func Adaptive(src *image.Gray, window, margin int) *image.Gray {
	w, h := src.Rect.Dx(), src.Rect.Dy()
	sums := integral(src)
	dst := image.NewGray(src.Rect)
	half := window / 2
	for y := range h {
		top, bottom := max(0, y-half), min(h, y+half+1)
		for x := range w {
			left, right := max(0, x-half), min(w, x+half+1)
			sum := sums[bottom*(w+1)+right] - sums[top*(w+1)+right] - sums[bottom*(w+1)+left] + sums[top*(w+1)+left]
			count := (right - left) * (bottom - top)
			if (int(src.Pix[y*src.Stride+x])+margin)*count > int(sum) {
				dst.Pix[y*dst.Stride+x] = 255
			}
		}
	}
	return dst
}

// integral returns, at (x, y), the sum of all pixels left of x and above y. It has one more row and one more column
// than the picture.
func integral(src *image.Gray) []uint32 {
	w, h := src.Rect.Dx(), src.Rect.Dy()
	sums := make([]uint32, (w+1)*(h+1))
	for y := range h {
		var row uint32
		for x := range w {
			row += uint32(src.Pix[y*src.Stride+x])
			sums[(y+1)*(w+1)+x+1] = sums[y*(w+1)+x+1] + row
		}
	}
	return sums
}

// stackGap is the white space, in pixels, between stacked pictures.
const stackGap = 24

// Stack puts pictures below each other on a white background, so that one run of text recognition reads them together.
func Stack(parts ...*image.Gray) *image.Gray {
	w, h := 0, stackGap
	for _, p := range parts {
		w, h = max(w, p.Rect.Dx()), h+p.Rect.Dy()+stackGap
	}
	dst := image.NewGray(image.Rect(0, 0, w+2*stackGap, h))
	for i := range dst.Pix {
		dst.Pix[i] = 255
	}
	y := stackGap
	for _, p := range parts {
		for row := range p.Rect.Dy() {
			copy(dst.Pix[(y+row)*dst.Stride+stackGap:], p.Pix[row*p.Stride:][:p.Rect.Dx()])
		}
		y += p.Rect.Dy() + stackGap
	}
	return dst
}
