package tesseract

import (
	"image"
	"strconv"
	"strings"
)

// Word is one recognised word.
type Word struct {
	Text string
	// Confidence is Tesseract's own, 0 to 100.
	Confidence float64
	// Box is where the word stands in the picture, in pixels.
	Box image.Rectangle
	// Line numbers the text lines of the picture from 0 in reading order.
	Line int
}

// Columns of Tesseract's TSV output.
const (
	columnLevel, columnLeft, columnConfidence, columnText, columnCount = 0, 6, 10, 11, 12

	levelLine, levelWord = "4", "5"
)

// parseTSV reads Tesseract's TSV; rows it does not understand are passed over.
func parseTSV(output []byte) []Word {
	var words []Word
	line := -1
	for row := range strings.Lines(string(output)) {
		fields := strings.SplitN(strings.TrimRight(row, "\r\n"), "\t", columnCount)
		if len(fields) > 0 && fields[columnLevel] == levelLine {
			line++
		}
		if len(fields) < columnCount || fields[columnLevel] != levelWord {
			continue
		}
		text := strings.TrimSpace(fields[columnText])
		confidence, err := strconv.ParseFloat(fields[columnConfidence], 64)
		if text == "" || err != nil {
			continue
		}
		words = append(words, Word{Text: text, Confidence: confidence, Box: box(fields[columnLeft:columnConfidence]), Line: max(0, line)})
	}
	return words
}

// box reads the four fields left, top, width and height.
func box(fields []string) image.Rectangle {
	var v [4]int
	for i := range v {
		v[i], _ = strconv.Atoi(fields[i]) // a bad number places the word at 0: its text still counts
	}
	return image.Rect(v[0], v[1], v[0]+v[2], v[1]+v[3])
}
