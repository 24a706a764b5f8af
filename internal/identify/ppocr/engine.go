package ppocr

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"slices"
	"strings"
)

// Network computes one output for one input, row by row, and passes it to use. The output is valid only until use
// returns.
type Network interface {
	Run(input []float32, shape []int64, use func(output []float32, shape []int64) error) error
}

// Line is a line of text.
type Line struct {
	// Text is "" until the line is read, and if nothing on it was legible.
	Text string
	// IsRead is whether the line was read.
	IsRead bool
	// Confidence is the mean probability of the characters, from 0 to 1.
	Confidence float64
	// Place is the position on the photo.
	Place Place
	// Box is the position, in pixels of the photo turned so that the text is upright. The origin is the photo's centre.
	Box image.Rectangle
}

// IsText reports whether a line was read and is not texture that looks like text.
func (l Line) IsText() bool {
	return l.IsRead && l.Confidence >= minConfidence && strings.TrimSpace(l.Text) != ""
}

const (
	// maxLines bounds the time for a photo: cards have up to 40 lines, a page of a book has more.
	maxLines = 96
	// minConfidence is the confidence below which a line is texture that looks like text.
	minConfidence = 0.5
	// checkedLines is how many lines decide whether the photo is upside down. They are the lines whose ratio of the
	// sides is nearest to checkedRatio. Shorter lines are less certain, and longer ones take more time. A line with the
	// ratio leastRatio and with uprightConfidence decides alone, because none of 493 such lines had more than 0.88
	// upside down. These lines decided 67 of 67 photos correctly.
	checkedLines, checkedRatio, leastRatio, uprightConfidence = 4, 8, 6, 0.93
)

// Engine reads text. It is safe for concurrent use if its networks are.
type Engine struct {
	detection, recognition Network
	alphabet               []string // the text of a class of the recognition, by class
}

// NewEngine returns an Engine. The dictionary has one character a line, in the order of the classes of the recognition
// network. NewEngine fails if the networks do not have the expected form, such as networks of another version.
func NewEngine(detection, recognition Network, dictionary string) (*Engine, error) {
	// Class 0 is the gap between two characters, and the last class is the space, which the dictionary does not have.
	characters := strings.Split(strings.TrimRight(dictionary, "\n"), "\n")
	e := &Engine{
		detection: detection, recognition: recognition,
		alphabet: slices.Concat([]string{""}, characters, []string{" "}),
	}
	if _, err := e.find(image.NewRGBA(image.Rect(0, 0, 2*stride, stride))); err != nil {
		return nil, fmt.Errorf("open engine: %w", err)
	}
	blank := image.NewRGBA(image.Rect(0, 0, 2*lineHeight, lineHeight))
	whole := Place{X: lineHeight, Y: lineHeight / 2, Width: 2 * lineHeight, Height: lineHeight}
	if _, err := e.readLine(blank, whole); err != nil {
		return nil, fmt.Errorf("open engine: %w", err)
	}
	return e, nil
}

// Find returns the lines of text on a photo: first the lines along the text, then the lines across it, in reading
// order. It reads only the lines that tell which way up the text is.
func (e *Engine) Find(photo *image.RGBA) ([]Line, error) {
	if photo.Rect.Empty() {
		return nil, errors.New("find lines: the photo is empty")
	}
	boxes, err := e.find(photo)
	if err != nil {
		return nil, fmt.Errorf("find lines: %w", err)
	}
	slices.SortStableFunc(boxes, func(a, b box) int { return cmp.Compare(b.width, a.width) })
	boxes = boxes[:min(len(boxes), maxLines)]
	direction := axis(boxes)
	var lines []Line
	for _, parallel := range split(aligned(boxes, direction), direction) {
		chosen, err := e.choose(photo, parallel)
		if err != nil {
			return nil, fmt.Errorf("find lines: %w", err)
		}
		lines = append(lines, inReadingOrder(chosen)...)
	}
	return lines, nil
}

// Read reads the lines that Find returned for the photo and did not read. It returns all lines in the same order.
func (e *Engine) Read(photo *image.RGBA, lines []Line) ([]Line, error) {
	read := slices.Clone(lines)
	for i, line := range read {
		if line.IsRead {
			continue
		}
		var err error
		if read[i], err = e.readLine(photo, line.Place); err != nil {
			return nil, fmt.Errorf("read lines: %w", err)
		}
	}
	return read, nil
}

// choose reads the lines at boxes and returns them upright. It reads the lines that tell the direction, and if none is
// surely upright, it reads them upside down too.
func (e *Engine) choose(photo *image.RGBA, boxes []box) ([]Line, error) {
	upright, over := linesAt(photo, boxes), linesAt(photo, halfTurned(boxes))
	samples := telling(boxes)
	var certainty, other float64
	for _, at := range samples {
		line, err := e.readLine(photo, upright[at].Place)
		if err != nil {
			return nil, err
		}
		upright[at] = line
		if line.Confidence >= uprightConfidence && boxes[at].width >= leastRatio*boxes[at].height {
			return upright, nil
		}
		certainty += line.Confidence
	}
	for _, at := range samples {
		line, err := e.readLine(photo, over[at].Place)
		if err != nil {
			return nil, err
		}
		over[at] = line
		other += line.Confidence
	}
	if other > certainty {
		return over, nil
	}
	return upright, nil
}

// linesAt returns the lines at boxes, which are not read.
func linesAt(photo *image.RGBA, boxes []box) []Line {
	lines := make([]Line, len(boxes))
	for i, b := range boxes {
		lines[i] = Line{Place: placeOf(b), Box: b.upright(middle(photo))}
	}
	return lines
}

// telling returns the positions of the boxes whose lines tell whether the text is upside down, best first.
func telling(boxes []box) []int {
	order := make([]int, len(boxes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(boxes[a].fromRatio(checkedRatio), boxes[b].fromRatio(checkedRatio))
	})
	return order[:min(checkedLines, len(order))]
}

// readLine reads one line.
func (e *Engine) readLine(photo *image.RGBA, place Place) (Line, error) {
	b := place.box()
	values, width := crop(photo, b)
	line := Line{IsRead: true, Place: place, Box: b.upright(middle(photo))}
	inputShape := []int64{1, 3, lineHeight, int64(width)}
	err := e.recognition.Run(values, inputShape, func(output []float32, shape []int64) error {
		if len(shape) != 3 || shape[2] != int64(len(e.alphabet)) || int64(len(output)) != shape[1]*shape[2] {
			return fmt.Errorf("the recognition network returned the shape %v, expected %d classes: "+
				"its dictionary does not belong to it", shape, len(e.alphabet))
		}
		line.Text, line.Confidence = decode(output, e.alphabet)
		return nil
	})
	return line, err
}

// middle returns the centre of a photo.
func middle(photo *image.RGBA) point {
	return point{float64(photo.Rect.Dx()) / 2, float64(photo.Rect.Dy()) / 2}
}

// inReadingOrder sorts lines from top to bottom, and lines beside each other from left to right.
func inReadingOrder(lines []Line) []Line {
	middle := func(l Line) int { return (l.Box.Min.Y + l.Box.Max.Y) / 2 }
	slices.SortStableFunc(lines, func(a, b Line) int { return cmp.Compare(middle(a), middle(b)) })
	for from := 0; from < len(lines); {
		to := from + 1
		for to < len(lines) && middle(lines[to])-middle(lines[from]) < lines[from].Box.Dy()/2 {
			to++
		}
		slices.SortStableFunc(lines[from:to], func(a, b Line) int { return cmp.Compare(a.Box.Min.X, b.Box.Min.X) })
		from = to
	}
	return lines
}
