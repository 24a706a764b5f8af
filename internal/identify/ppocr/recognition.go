package ppocr

import (
	"image"
	"math"
	"strings"
)

const (
	// lineHeight is the height of the pictures of lines, in pixels.
	lineHeight = 48
	// widthStep is the number of pixels for one step of the output. Widths are multiples of it.
	widthStep = 8
	// maxLineWidth bounds the time for one line. A line of 100 characters has about this width.
	maxLineWidth = 2400
)

// crop returns the picture of a line in the form that the recognition network takes: blue, green and red planes from
// -1 to 1, padded on the right.
//
//go:norace
func crop(photo *image.RGBA, b box) (values []float32, width int) {
	text := int(math.Round(lineHeight * b.width / max(1, b.height)))
	text = max(widthStep, min(maxLineWidth, text))
	width = (text + widthStep - 1) / widthStep * widthStep
	values = make([]float32, 3*lineHeight*width)
	along, down := b.directions()
	// The mean of several samples for a pixel keeps thin strokes when a large line is made smaller.
	samples := max(1, min(4, int(math.Ceil(b.height/lineHeight))))
	plane := lineHeight * width
	for y := range lineHeight {
		for x := range text {
			var sum [3]float32
			for i := range samples * samples {
				u := (float64(x)+(float64(i%samples)+0.5)/float64(samples))/float64(text) - 0.5
				v := (float64(y)+(float64(i/samples)+0.5)/float64(samples))/lineHeight - 0.5
				addSample(&sum, photo,
					b.centre.x+u*b.width*along.x+v*b.height*down.x-0.5,
					b.centre.y+u*b.width*along.y+v*b.height*down.y-0.5)
			}
			scale := 1 / (127.5 * float32(samples*samples))
			for c := range 3 {
				values[c*plane+y*width+x] = sum[2-c]*scale - 1
			}
		}
	}
	return values, width
}

// addSample adds the colour at a point, interpolated between the four pixels around it.
//
//go:norace
func addSample(sum *[3]float32, src *image.RGBA, x, y float64) {
	maxX, maxY := src.Rect.Dx()-1, src.Rect.Dy()-1
	x, y = max(0, min(float64(maxX), x)), max(0, min(float64(maxY), y))
	left, top := int(x), int(y)
	right, bottom := min(left+1, maxX), min(top+1, maxY)
	fx, fy := float32(x-float64(left)), float32(y-float64(top))
	nw, ne := src.Pix[top*src.Stride+4*left:], src.Pix[top*src.Stride+4*right:]
	sw, se := src.Pix[bottom*src.Stride+4*left:], src.Pix[bottom*src.Stride+4*right:]
	for c := range 3 {
		upper := float32(nw[c])*(1-fx) + float32(ne[c])*fx
		lower := float32(sw[c])*(1-fx) + float32(se[c])*fx
		sum[c] += upper*(1-fy) + lower*fy
	}
}

// decode returns the text of the steps of an output, and the mean probability of its characters. A step has a
// probability for each class. If a class has several steps in a row, decode takes the first; class 0 separates equal
// characters (connectionist temporal classification).
//
//go:norace
func decode(output []float32, alphabet []string) (text string, confidence float64) {
	var out strings.Builder
	var sum float64
	last, count := 0, 0
	for len(output) >= len(alphabet) {
		step := output[:len(alphabet)]
		output = output[len(alphabet):]
		best := 0
		for class, p := range step {
			if p > step[best] {
				best = class
			}
		}
		if best != 0 && best != last {
			out.WriteString(alphabet[best])
			sum += float64(step[best])
			count++
		}
		last = best
	}
	return out.String(), sum / float64(max(1, count))
}
