package tesseract

import (
	"image"
	"strconv"
	"strings"
)

// Word is a recognised word.
type Word struct {
	Text       string
	Confidence float64         // of Tesseract, 0 to 100
	Box        image.Rectangle // position in the picture, in pixels
	Line       int             // number of the line in reading order, from 0
}

// Columns of Tesseract's TSV output.
const (
	columnLevel, columnLeft, columnConfidence, columnText, columnCount = 0, 6, 10, 11, 12

	levelLine, levelWord = "4", "5"
)

// parseTSV parses Tesseract's TSV output. It skips malformed rows.
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
		words = append(words, Word{
			Text: text, Confidence: confidence, Box: box(fields[columnLeft:columnConfidence]), Line: max(0, line),
		})
	}
	return words
}

// box parses the four fields left, top, width and height.
func box(fields []string) image.Rectangle {
	var v [4]int
	for i := range v {
		v[i], _ = strconv.Atoi(fields[i]) // a malformed number is 0, so that the text is still used
	}
	return image.Rect(v[0], v[1], v[0]+v[2], v[1]+v[3])
}
