package cardtext

import (
	"cmp"
	"image"
	"slices"

	"github.com/cardvault/cardvault/internal/identify/ppocr"
	"github.com/cardvault/cardvault/internal/identify/slab"
)

const (
	// topShare and endShare are the shares of the text's height up to which and from which lines are read first. There
	// are the name, the collector number and what else tells one card from others.
	topShare, endShare = 0.25, 0.85
	// longRatio is the ratio of the sides of a line from which it is a sentence or a copyright, which takes the time of
	// several short ones.
	longRatio = 12
	// firstOfBody is the number of other lines that are read before the rest: the longest, with the most words.
	firstOfBody = 3
)

// Next returns the positions of the lines to read next: the short ones of the head and the foot first, then the longest
// ones, then all others. It returns none if all are read.
func Next(lines []ppocr.Line) []int {
	var ends, others []int
	readOthers := 0
	shares := heightShares(lines)
	for i, line := range lines {
		isEnd := (shares[i] <= topShare || shares[i] >= endShare) && line.Box.Dx() < longRatio*line.Box.Dy()
		switch {
		case line.IsRead && !isEnd:
			readOthers++
		case !line.IsRead && isEnd:
			ends = append(ends, i)
		case !line.IsRead:
			others = append(others, i)
		}
	}
	switch {
	case len(ends) > 0:
		return ends
	case readOthers >= firstOfBody:
		return others
	}
	slices.SortStableFunc(others, func(a, b int) int { return cmp.Compare(lines[b].Box.Dx(), lines[a].Box.Dx()) })
	return others[:min(len(others), firstOfBody-readOthers)]
}

// margin is the part of the size of the text that is added on each side, because print may have been missed there.
const margin = 0.06

// Region returns the part of the photo that has the lines, without texture, or an empty one.
func Region(lines []ppocr.Line) image.Rectangle {
	var region image.Rectangle
	for _, line := range lines {
		if !line.IsRead || line.IsText() {
			region = region.Union(line.Place.Bounds())
		}
	}
	return region.Inset(-int(margin * float64(max(region.Dx(), region.Dy()))))
}

// CountWithin returns how many lines, without texture, have their middle within a part of the photo.
func CountWithin(lines []ppocr.Line, part image.Rectangle) (count int) {
	for _, line := range lines {
		middle := image.Pt(int(line.Place.X), int(line.Place.Y))
		if (!line.IsRead || line.IsText()) && middle.In(part) {
			count++
		}
	}
	return count
}

// MayHaveLabel reports whether the lines that were read name a company that grades cards. All lines are needed then,
// because the label of a slab moves the parts of the card.
func MayHaveLabel(lines []ppocr.Line) bool {
	texts := make([]string, len(lines))
	for i, line := range lines {
		texts[i] = line.Text
	}
	return slab.Mentioned(texts)
}
