package ppocr

import (
	"fmt"
	"image"
	"math"

	"github.com/cardvault/cardvault/internal/identify/vision"
)

const (
	// detectionSide is the length of the longer side of the picture in which lines are found, in pixels. With 736, more
	// than half of the photos needed a second look.
	detectionSide = 960
	// maxEnlarged is how much a small photo is enlarged at most.
	maxEnlarged = 2
	// stride divides the sides of a picture for the network.
	stride = 32
	// textProbability is the probability from which a pixel belongs to a line, and minScore the mean probability of a
	// line.
	textProbability, minScore = 0.2, 0.4
	// growth is how much a box is enlarged, because the network marks only the core of a line.
	growth = 1.4
	// minSide is the length of the shorter side of a box, in pixels, below which it is noise.
	minSide = 3
)

// The mean and the deviation of blue, green and red in the pictures that trained the network.
var channelMean, channelDeviation = [3]float32{0.485, 0.456, 0.406}, [3]float32{0.229, 0.224, 0.225}

// find returns the boxes of the lines of a photo, each along its longer side.
func (e *Engine) find(photo *image.RGBA) ([]box, error) {
	small := resized(photo)
	w, h := small.Rect.Dx(), small.Rect.Dy()
	values, width, height := detectionInput(small)
	var boxes []box
	inputShape := []int64{1, 3, int64(height), int64(width)}
	err := e.detection.Run(values, inputShape, func(output []float32, shape []int64) error {
		if len(shape) != 4 || shape[2] != int64(height) || shape[3] != int64(width) || len(output) != width*height {
			return fmt.Errorf("the detection network returned the shape %v for %d×%d pixels", shape, width, height)
		}
		boxes = decodeBoxes(output, width, height)
		return nil
	})
	scale := max(float64(photo.Rect.Dx())/float64(w), float64(photo.Rect.Dy())/float64(h))
	for i := range boxes {
		boxes[i] = boxes[i].scaled(scale)
	}
	return boxes, err
}

// Scale returns the scale in which Find searches a photo of a size.
func Scale(size image.Point) float64 {
	return min(maxEnlarged, detectionSide/float64(max(1, size.X, size.Y)))
}

// resized returns a photo in the size for detection.
func resized(photo *image.RGBA) *image.RGBA {
	if scale := Scale(photo.Rect.Size()); scale > 1 {
		return enlarged(photo, scale)
	}
	return vision.Shrink(photo, detectionSide)
}

// enlarged enlarges a picture with bilinear interpolation.
//
//go:norace
func enlarged(src *image.RGBA, scale float64) *image.RGBA {
	w := int(math.Round(float64(src.Rect.Dx()) * scale))
	h := int(math.Round(float64(src.Rect.Dy()) * scale))
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			var sum [3]float32
			addSample(&sum, src, (float64(x)+0.5)/scale-0.5, (float64(y)+0.5)/scale-0.5)
			at := dst.Pix[y*dst.Stride+4*x:][:4]
			at[0], at[1], at[2], at[3] = uint8(sum[0]+0.5), uint8(sum[1]+0.5), uint8(sum[2]+0.5), 255
		}
	}
	return dst
}

// detectionInput returns a picture in the form that the detection network takes: normalised planes of blue, green and
// red, padded on the right and below.
//
//go:norace
func detectionInput(src *image.RGBA) (values []float32, width, height int) {
	w, h := src.Rect.Dx(), src.Rect.Dy()
	width, height = (w+stride-1)/stride*stride, (h+stride-1)/stride*stride
	values = make([]float32, 3*width*height)
	for y := range h {
		row := src.Pix[y*src.Stride:]
		for x := range w {
			for c := range 3 {
				v := float32(row[4*x+2-c]) / 255
				values[(c*height+y)*width+x] = (v - channelMean[c]) / channelDeviation[c]
			}
		}
	}
	return values, width, height
}

// decodeBoxes returns the boxes of the connected regions of a map of probabilities.
func decodeBoxes(probability []float32, width, height int) []box {
	seen := make([]bool, len(probability))
	var boxes []box
	for at, p := range probability {
		if p <= textProbability || seen[at] {
			continue
		}
		b := smallestBox(outline(probability, seen, width, height, at))
		if min(b.width, b.height) < minSide || meanProbability(probability, width, height, b) < minScore {
			continue
		}
		grow := 2 * b.width * b.height * growth / (2 * (b.width + b.height))
		b.width, b.height = b.width+grow, b.height+grow
		boxes = append(boxes, b)
	}
	return boxes
}

// outline marks in seen the region of pixels that are connected with a pixel, including by corners. It returns the
// first and the last pixel of every row of the region, which determine its convex hull.
//
//go:norace
func outline(probability []float32, seen []bool, width, height, start int) []point {
	first, last := map[int]int{}, map[int]int{}
	queue := []int{start}
	seen[start] = true
	for len(queue) > 0 {
		at := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		x, y := at%width, at/width
		if left, known := first[y]; !known || x < left {
			first[y] = x
		}
		if right, known := last[y]; !known || x > right {
			last[y] = x
		}
		for ny := max(0, y-1); ny <= min(height-1, y+1); ny++ {
			for nx := max(0, x-1); nx <= min(width-1, x+1); nx++ {
				if next := ny*width + nx; !seen[next] && probability[next] > textProbability {
					seen[next] = true
					queue = append(queue, next)
				}
			}
		}
	}
	points := make([]point, 0, 2*len(first))
	for y, x := range first {
		middle := float64(y) + 0.5
		points = append(points, point{float64(x) + 0.5, middle}, point{float64(last[y]) + 0.5, middle})
	}
	return points
}

// meanProbability returns the mean of the map within a box.
//
//go:norace
func meanProbability(probability []float32, width, height int, b box) float64 {
	along, down := b.directions()
	reachX := (math.Abs(along.x)*b.width + math.Abs(down.x)*b.height) / 2
	reachY := (math.Abs(along.y)*b.width + math.Abs(down.y)*b.height) / 2
	var sum float64
	count := 0
	for y := max(0, int(b.centre.y-reachY)); y <= min(height-1, int(b.centre.y+reachY)); y++ {
		for x := max(0, int(b.centre.x-reachX)); x <= min(width-1, int(b.centre.x+reachX)); x++ {
			d := point{float64(x) + 0.5, float64(y) + 0.5}.minus(b.centre)
			if math.Abs(d.dot(along)) <= b.width/2 && math.Abs(d.dot(down)) <= b.height/2 {
				sum += float64(probability[y*width+x])
				count++
			}
		}
	}
	return sum / float64(max(1, count))
}
