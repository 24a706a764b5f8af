package vision

import (
	"cmp"
	"image"
	"math"
	"slices"
)

const (
	// CardWidth and CardHeight are the pixels of a straightened card.
	CardWidth, CardHeight = 1000, 1400

	searchSide    = 640  // longest side of the picture the outline is searched in
	minCardShare  = 0.03 // smallest share of the frame a card may fill
	maxHypotheses = 3
	sameOutline   = 0.035 // outlines whose corners differ by less are one
)

// Hypothesis is one guess of where the card is.
type Hypothesis struct {
	// Score is 0 to 1, comparable between hypotheses of one photo.
	Score   float64
	outline quad
}

// Locate finds the up to three most card-like outlines in a decoded photo, best
// first. A photo in a card's own proportions also counts as an outline, so there
// is always at least one.
func Locate(photo *image.RGBA) []Hypothesis {
	small := Shrink(photo, searchSide)
	w, h := small.Rect.Dx(), small.Rect.Dy()
	grey := blur(Grey(small))
	edges := slope(grey)
	var found []Hypothesis
	for _, m := range outlineMasks(small, grey, edges) {
		for _, r := range m.regions(int(minCardShare * float64(w*h) / 4)) {
			if one, ok := outlineOf(r, w, h); ok {
				one.Score *= 0.4 + 0.6*edgeSupport(edges, one.outline)
				found = append(found, one)
			}
		}
	}
	found = append(found, wholeFrame(w, h, len(found) == 0)...)
	found = distinct(found)
	factor := float64(photo.Rect.Dx()) / float64(w)
	for i := range found {
		found[i].outline = found[i].outline.scaled(factor)
	}
	return found
}

// outlineMasks are the ways to tell a card from what it lies on: by its edges, by
// brightness, by colour strength, and by distance from the background's colour.
func outlineMasks(small *image.RGBA, grey *image.Gray, edges gradient) []mask {
	var masks []mask
	for _, thresholds := range [][2]int{{40, 100}, {100, 240}} {
		lines := edges.edges(thresholds[0], thresholds[1]).dilate(1).closed(2)
		masks = append(masks, lines, lines.inverse())
	}
	planes := []*image.Gray{grey, blur(saturation(small)), blur(brightest(small)), blur(distanceFrom(small, frameColour(small)))}
	for i, p := range planes {
		best := int(otsu(p))
		levels := []int{best}
		if i == 0 { // brightness divides badly in two where the scene has three tones
			levels = []int{best, best * 6 / 10, (best + 255) / 2}
		}
		for _, level := range levels {
			bright := above(p, uint8(level))
			masks = append(masks, bright.closed(3).opened(4), bright.inverse().closed(3).opened(4))
		}
	}
	return masks
}

// outlineOf judges one region: the card's proportions, how fully the region fills
// its quad, and how large it is.
func outlineOf(r region, w, h int) (Hypothesis, bool) {
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
	return Hypothesis{Score: min(1, score), outline: q}, true
}

// bordersTouched counts the picture borders the quad lies along: a quad on three
// or more is the frame, not a card in it.
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

// wholeFrame is the guess that the photo already is a cropped card. It is weak
// where the proportions are not a card's, and the only one left when nothing else
// was found.
func wholeFrame(w, h int, alone bool) []Hypothesis {
	q := quad{{0, 0}, {float64(w), 0}, {float64(w), float64(h)}, {0, float64(h)}}.upright()
	if r := q.ratio(); !alone && (r < 0.64 || r > 0.80) {
		return nil
	}
	score := 0.2
	if r := q.ratio(); r >= 0.69 && r <= 0.74 {
		score = 0.6
	}
	return []Hypothesis{{Score: score, outline: q}}
}

// edgeSupport is the share of the outline's perimeter that lies on an edge.
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

// distinct keeps the best hypotheses that differ from each other.
func distinct(all []Hypothesis) []Hypothesis {
	slices.SortStableFunc(all, func(a, b Hypothesis) int { return cmp.Compare(b.Score, a.Score) })
	var kept []Hypothesis
	for _, one := range all {
		known := slices.ContainsFunc(kept, func(k Hypothesis) bool { return one.outline.farFrom(k.outline) < sameOutline })
		if !known && len(kept) < maxHypotheses {
			kept = append(kept, one)
		}
	}
	return kept
}
