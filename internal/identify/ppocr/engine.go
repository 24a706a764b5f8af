package ppocr

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
)

// Network computes one output for one input, row by row.
type Network interface {
	Run(input []float32, shape []int64) (output []float32, outputShape []int64, err error)
}

// Line is a line of text.
type Line struct {
	Text string
	// Confidence is the mean probability of the characters, from 0 to 1.
	Confidence float64
	// Box is the position, in pixels of the photo turned so that the text is upright. The origin is the photo's centre.
	Box image.Rectangle
}

const (
	// maxLines bounds the time for a photo: cards have up to 40 lines, a page of a book has more.
	maxLines = 96
	// minConfidence is the confidence below which a line is texture that looks like text.
	minConfidence = 0.5
	// checkedLines is how many lines, the longest, decide whether the photo is upside down, and uprightConfidence is
	// their mean confidence from which it is not. It decided 67 of 67 photos correctly.
	checkedLines, uprightConfidence = 4, 0.93
)

// Engine reads text. It is safe for concurrent use if its networks are.
type Engine struct {
	detection, recognition Network
	alphabet               []string // the text of each class of the recognition
}

// NewEngine returns an Engine. The dictionary has one character a line, in the order of the classes of the recognition
// network. NewEngine fails if the networks do not have the expected form, as those of another version.
func NewEngine(detection, recognition Network, dictionary string) (*Engine, error) {
	// Class 0 is the gap between two characters, and the last class is the space, which the dictionary does not have.
	characters := strings.Split(strings.TrimRight(dictionary, "\n"), "\n")
	e := &Engine{
		detection: detection, recognition: recognition,
		alphabet: slices.Concat([]string{""}, characters, []string{" "}),
	}
	if _, err := e.find(image.NewRGBA(image.Rect(0, 0, 2*stride, stride))); err != nil {
		return nil, fmt.Errorf("ppocr.NewEngine: %w", err)
	}
	if _, err := e.recognise(make([]float32, 3*lineHeight*2*lineHeight), 2*lineHeight); err != nil {
		return nil, fmt.Errorf("ppocr.NewEngine: %w", err)
	}
	return e, nil
}

// Read returns the lines of text on a photo, in reading order.
func (e *Engine) Read(photo *image.RGBA) ([]Line, error) {
	if photo.Rect.Empty() {
		return nil, errors.New("ppocr.Read: the photo is empty")
	}
	boxes, err := e.find(photo)
	if err != nil {
		return nil, fmt.Errorf("ppocr.Read: %w", err)
	}
	slices.SortStableFunc(boxes, func(a, b box) int { return cmp.Compare(b.width, a.width) })
	boxes = boxes[:min(len(boxes), maxLines)]
	boxes = aligned(boxes, axis(boxes))
	first, turned, err := e.chooseDirection(photo, boxes)
	if err != nil {
		return nil, fmt.Errorf("ppocr.Read: %w", err)
	}
	lines := first
	for _, b := range boxes[len(first):] {
		line, err := e.readLine(photo, b, turned)
		if err != nil {
			return nil, fmt.Errorf("ppocr.Read: %w", err)
		}
		lines = append(lines, line)
	}
	lines = slices.DeleteFunc(lines, func(l Line) bool {
		return l.Confidence < minConfidence || strings.TrimSpace(l.Text) == ""
	})
	return inReadingOrder(lines), nil
}

// chooseDirection reads the longest lines, upside down too unless they are legible, and returns those of the better
// direction.
func (e *Engine) chooseDirection(photo *image.RGBA, boxes []box) (lines []Line, turned bool, err error) {
	longest := boxes[:min(checkedLines, len(boxes))]
	upright, certainty, err := e.readLines(photo, longest, false)
	if err != nil || certainty >= uprightConfidence {
		return upright, false, err
	}
	over, other, err := e.readLines(photo, longest, true)
	if err != nil || other <= certainty {
		return upright, false, err
	}
	return over, true, nil
}

// readLines reads lines and returns their mean confidence.
func (e *Engine) readLines(photo *image.RGBA, boxes []box, turned bool) (lines []Line, mean float64, err error) {
	for _, b := range boxes {
		line, err := e.readLine(photo, b, turned)
		if err != nil {
			return nil, 0, err
		}
		lines = append(lines, line)
		mean += line.Confidence / float64(len(boxes))
	}
	return lines, mean, nil
}

// readLine reads one line, whose position is relative to the photo's centre.
func (e *Engine) readLine(photo *image.RGBA, b box, turned bool) (Line, error) {
	if turned {
		b.angle += math.Pi
	}
	values, width := crop(photo, b)
	line, err := e.recognise(values, width)
	middle := point{float64(photo.Rect.Dx()) / 2, float64(photo.Rect.Dy()) / 2}
	line.Box = b.upright(middle)
	return line, err
}

// recognise reads the prepared picture of a line.
func (e *Engine) recognise(values []float32, width int) (Line, error) {
	output, shape, err := e.recognition.Run(values, []int64{1, 3, lineHeight, int64(width)})
	if err != nil {
		return Line{}, err
	}
	if len(shape) != 3 || shape[2] != int64(len(e.alphabet)) || int64(len(output)) != shape[1]*shape[2] {
		return Line{}, fmt.Errorf("the recognition network returned the shape %v, expected %d classes: "+
			"its dictionary does not belong to it", shape, len(e.alphabet))
	}
	text, confidence := decode(output, e.alphabet)
	return Line{Text: text, Confidence: confidence}, nil
}

// inReadingOrder sorts lines from top to bottom, and those beside each other from left to right.
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
