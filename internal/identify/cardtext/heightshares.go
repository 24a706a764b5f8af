package cardtext

import (
	"math"

	"github.com/cardvault/cardvault/internal/identify/ppocr"
)

// heightShares returns how high the middle of a line is within the text that runs in its direction, line by line: 0 at
// the upper end, 1 at the lower. So a card before a shelf of books forms its own text.
func heightShares(lines []ppocr.Line) []float64 {
	out := make([]float64, len(lines))
	for i, line := range lines {
		top, bottom := line.Box.Min.Y, line.Box.Max.Y
		for _, other := range lines {
			if isParallel(line, other) {
				top, bottom = min(top, other.Box.Min.Y), max(bottom, other.Box.Max.Y)
			}
		}
		out[i] = float64(line.Box.Min.Y+line.Box.Max.Y-2*top) / 2 / float64(max(1, bottom-top))
	}
	return out
}

// isParallel reports whether two lines run in about the same direction.
func isParallel(a, b ppocr.Line) bool { return math.Cos(a.Place.Angle-b.Place.Angle) > math.Sqrt2/2 }
