package vision

import (
	"cmp"
	"image"
	"math"
	"slices"
)

const (
	// CardWidth and CardHeight are the size of a rectified card, in pixels.
	CardWidth, CardHeight = 1000, 1400

	searchSide    = 640  // longer side of the picture in which outlines are searched, in pixels
	minCardShare  = 0.03 // minimum share of the picture that a card fills
	maxHypotheses = 3
	sameOutline   = 0.035 // maximum distance, by farFrom, of outlines that count as the same
)

// Hypothesis is a possible outline of the card.
type Hypothesis struct {
	Score   float64 // 0 to 1, comparable between hypotheses of one photo
	IsFrame bool    // the outline is the edge of the whole photo
	// Corners are the corners of the card on the photo, in pixels.
	Corners quad
}

// boundsMargin is the part of the size of an outline that Bounds adds on each side, because it may miss the border.
const boundsMargin = 0.06

// Bounds returns the rectangle of the photo, along its axes, that has the outline and a margin around it. It may exceed
// the photo.
func (h Hypothesis) Bounds() image.Rectangle {
	box := h.Corners.box()
	return box.Inset(-int(boundsMargin * float64(max(box.Dx(), box.Dy()))))
}

// Locate returns the most card-like outlines in a decoded photo, best first. There are one to three: if it finds no
// other outline, it returns the outline of the whole photo.
func Locate(photo *image.RGBA) []Hypothesis {
	small := Shrink(photo, searchSide)
	w, h := small.Rect.Dx(), small.Rect.Dy()
	grey := blur(Grey(small))
	edges := slope(grey)
	var hypotheses []Hypothesis
	for _, m := range outlineMasks(small, grey, edges) {
		for _, r := range m.regions(int(minCardShare * float64(w*h) / 4)) {
			if one, ok := outlineOf(r, w, h); ok {
				one.Score *= 0.4 + 0.6*edgeSupport(edges, one.Corners)
				hypotheses = append(hypotheses, one)
			}
		}
	}
	hypotheses = append(hypotheses, wholeFrame(w, h, len(hypotheses) == 0)...)
	hypotheses = distinct(hypotheses)
	factor := float64(photo.Rect.Dx()) / float64(w)
	for i := range hypotheses {
		hypotheses[i].Corners = hypotheses[i].Corners.scaled(factor)
	}
	return hypotheses
}

// outlineMasks returns masks that may separate the card from the background: by edges, brightness, saturation, and
// distance from the colour of the background.
func outlineMasks(small *image.RGBA, grey *image.Gray, edges gradient) []mask {
	var masks []mask
	for _, thresholds := range [][2]int{{40, 100}, {100, 240}} {
		lines := edges.edges(thresholds[0], thresholds[1]).dilate(1).closed(2)
		masks = append(masks, lines, lines.inverse())
	}
	planes := []*image.Gray{
		grey, blur(saturation(small)), blur(Brightest(small)), blur(distanceFrom(small, frameColour(small))),
	}
	for i, p := range planes {
		best := int(otsu(p))
		levels := []int{best}
		if i == 0 { // one threshold of brightness is not enough for a scene with three tones
			levels = []int{best, best * 6 / 10, (best + 255) / 2}
		}
		for _, level := range levels {
			bright := above(p, uint8(level))
			masks = append(masks, bright.closed(3).opened(4), bright.inverse().closed(3).opened(4))
		}
	}
	return masks
}

// outlineOf returns the outline of a region. Its score depends on the ratio of its sides, its size, and the share of
// the outline that the region fills. ok is false if the outline cannot be a card.
func outlineOf(r region, w, h int) (_ Hypothesis, ok bool) {
	hull := convexHull(r.rim)
	q, ok := enclosingQuad(hull)
	if !ok {
		return Hypothesis{}, false
	}
	fill := math.Abs(area(hull)) / max(1, q.area())
	q = q.snapped(hull, 0.01*float64(max(w, h))).upright()
	share := q.area() / float64(w*h)
	if share < minCardShare || !q.plausible() || bordersTouched(q, w, h) >= 3 {
		return Hypothesis{}, false
	}
	shape := math.Exp(-math.Pow((q.ratio()-cardRatio)/0.1, 2))
	score := (0.15 + 0.85*shape) * fill * fill * math.Pow(min(1, share), 0.35) * q.squareness()
	return Hypothesis{Score: min(1, score), Corners: q}, true
}

// bordersTouched returns the number of borders of the picture that the quad touches. A quad that touches three or more
// is the picture itself, not a card.
func bordersTouched(q quad, w, h int) int {
	slack := 0.006 * float64(max(w, h))
	n := 0
	for i := range q {
		a, b := q[i], q[(i+1)%4]
		if max(a.x, b.x) < slack || max(a.y, b.y) < slack ||
			min(a.x, b.x) > float64(w)-slack || min(a.y, b.y) > float64(h)-slack {
			n++
		}
	}
	return n
}

// wholeFrame returns the outline of the whole photo, because the photo may be a cropped card. If its sides do not have
// the ratio of a card, it has a low score, and is returned only if alone is true.
func wholeFrame(w, h int, alone bool) []Hypothesis {
	q := quad{{0, 0}, {float64(w), 0}, {float64(w), float64(h)}, {0, float64(h)}}.upright()
	if r := q.ratio(); !alone && (r < 0.64 || r > 0.80) {
		return nil
	}
	score := 0.2
	if r := q.ratio(); r >= 0.69 && r <= 0.74 {
		score = 0.6
	}
	return []Hypothesis{{Score: score, IsFrame: true, Corners: q}}
}

// edgeSupport returns the share of the outline that is on an edge.
func edgeSupport(edges gradient, q quad) float64 {
	const samples, strong = 48, 60
	hits := 0
	for i := range q {
		a, b := q[i], q[(i+1)%4]
		normal := point{a.y - b.y, b.x - a.x}.times(1 / max(1, a.distance(b)))
		for s := range samples {
			p := between(a, b, 0.06+0.88*float64(s)/(samples-1))
			for off := -2.0; off <= 2; off++ {
				at := p.plus(normal.times(off))
				if edges.strength(int(at.x), int(at.y)) > strong {
					hits++
					break
				}
			}
		}
	}
	return float64(hits) / (4 * samples)
}

// distinct returns the best hypotheses that differ from each other.
func distinct(all []Hypothesis) []Hypothesis {
	slices.SortStableFunc(all, func(a, b Hypothesis) int { return cmp.Compare(b.Score, a.Score) })
	var hypotheses []Hypothesis
	for _, one := range all {
		known := slices.ContainsFunc(hypotheses, func(k Hypothesis) bool {
			return one.Corners.farFrom(k.Corners) < sameOutline
		})
		if !known && len(hypotheses) < maxHypotheses {
			hypotheses = append(hypotheses, one)
		}
	}
	return hypotheses
}
