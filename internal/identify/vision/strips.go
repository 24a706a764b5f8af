package vision

import "image"

// Region is a part of a straightened card in shares of its width and height.
type Region struct{ Left, Top, Right, Bottom float64 }

// Crop cuts a region out of a card and scales it, by Lanczos.
func Crop(card *image.Gray, region Region, scale float64) *image.Gray {
	w, h := float64(card.Rect.Dx()), float64(card.Rect.Dy())
	cut := image.Rect(int(region.Left*w), int(region.Top*h), int(region.Right*w), int(region.Bottom*h)).Intersect(card.Rect)
	part := image.NewGray(image.Rect(0, 0, cut.Dx(), cut.Dy()))
	for y := range cut.Dy() {
		copy(part.Pix[y*part.Stride:][:cut.Dx()], card.Pix[card.PixOffset(cut.Min.X, cut.Min.Y+y):])
	}
	if scale == 1 {
		return part
	}
	return resizeLanczos(part, max(1, int(float64(cut.Dx())*scale)), max(1, int(float64(cut.Dy())*scale)))
}

// printContrast is how much lighter or darker than the paper even faded print is, of 255.
const printContrast = 8

// Plain reports whether a picture is of one shade, as of a lens cap or a bare table, so that no card can
// be recognised on it.
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

// Brightest is the largest of red, green and blue: black print stays dark on any
// coloured ground.
func Brightest(card *image.RGBA) *image.Gray { return brightest(card) }

// Inverse swaps dark and light: text recognition expects dark on light.
func Inverse(src *image.Gray) *image.Gray {
	dst := image.NewGray(src.Rect)
	for i, v := range src.Pix {
		dst.Pix[i] = 255 - v
	}
	return dst
}

// Stretch spreads the grey levels so that the darkest and the brightest 1 % become
// black and white.
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

// Adaptive compares every pixel with the mean of the square window around it:
// black where it is darker by more than the margin. Uneven light disappears.
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

// integral holds at (x, y) the sum of all pixels left of x and above y; it has one
// row and column more than the picture.
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

// Stack puts pictures below each other on white, so that one recognition run reads
// them all.
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
