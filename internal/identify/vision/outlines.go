package vision

import (
	"cmp"
	"image"
	"math"
	"slices"
)

const (
	// manySide is the longer side of the picture in which the outlines of several cards are searched, in pixels.
	manySide = 1100
	// leastCard is the minimum share of the picture that one of several cards fills, mostCard the maximum.
	leastCard, mostCard = 0.006, 0.5
	// leastManyScore is the minimum of manyScore of a card.
	leastManyScore = 0.35
	// sizeSpread is how many times larger or smaller than a card another card may look, by its area.
	sizeSpread = 1.8
	// overlap is the share of the smaller of two outlines from which they are outlines of one card.
	overlap = 0.12
	// borderShare is how much larger a card may be, by its area, than the picture within its border. borderScore is the
	// least score of an outline, as a share of the score of the outline within it, to be the card rather than its inner
	// picture.
	borderShare, borderScore = 1.45, 0.7
)

// Outline is the outline of a card on a photo.
type Outline struct{ corners quad }

// Outlines returns the outlines of the cards on a photo with several cards, such as a page of a binder or a tray, from
// top to bottom and from left to right. They do not overlap and have about the same size. It returns nil if it finds
// less than two.
func Outlines(photo *image.RGBA) []Outline {
	small := Shrink(photo, manySide)
	w, h := small.Rect.Dx(), small.Rect.Dy()
	grey := blur(Grey(small))
	edges := slope(grey)
	var all []Hypothesis
	for _, m := range outlineMasks(small, grey, edges) {
		for _, r := range m.regions(int(leastCard * float64(w*h) / 3)) {
			if one, ok := oneOfMany(r, edges, w, h); ok {
				all = append(all, one)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Hypothesis) int { return cmp.Compare(b.Score, a.Score) })
	cards := bestSet(withBorders(distinctOutlines(all)))
	if len(cards) < 2 {
		return nil
	}
	factor := float64(photo.Rect.Dx()) / float64(w)
	outlines := make([]Outline, len(cards))
	for i, card := range inRows(cards) {
		outlines[i] = Outline{card.Corners.scaled(factor)}
	}
	return outlines
}

// oneOfMany returns the outline of a region as one of several cards. ok is false if it cannot be one.
func oneOfMany(r region, edges gradient, w, h int) (_ Hypothesis, ok bool) {
	hull := convexHull(r.rim)
	q, ok := enclosingQuad(hull)
	if !ok {
		return Hypothesis{}, false
	}
	fill := math.Abs(area(hull)) / max(1, q.area())
	q = q.snapped(hull, 0.006*float64(max(w, h))).upright()
	share := q.area() / float64(w*h)
	if share < leastCard || share > mostCard || !q.plausible() || bordersTouched(q, w, h) >= 3 {
		return Hypothesis{}, false
	}
	shape := math.Exp(-math.Pow((q.ratio()-cardRatio)/0.12, 2))
	score := (0.3 + 0.7*shape) * fill * fill * q.squareness() * (0.3 + 0.7*edgeSupport(edges, q))
	return Hypothesis{Score: min(1, score), Corners: q}, score >= leastManyScore
}

// distinctOutlines returns the best of the outlines that hardly differ. all is sorted by score.
func distinctOutlines(all []Hypothesis) []Hypothesis {
	const same = 0.012
	var outlines []Hypothesis
	for _, one := range all {
		if !slices.ContainsFunc(outlines, func(k Hypothesis) bool { return one.Corners.farFrom(k.Corners) < same }) {
			outlines = append(outlines, one)
		}
	}
	return outlines
}

// withBorders drops the outlines of pictures within the border of a card if the card's own outline is there. The edge
// between the border and the picture is often clearer than the edge between the card and the table.
func withBorders(all []Hypothesis) []Hypothesis {
	return slices.DeleteFunc(slices.Clone(all), func(inner Hypothesis) bool {
		size := inner.Corners.area()
		return slices.ContainsFunc(all, func(outer Hypothesis) bool {
			ratio := outer.Corners.area() / size
			return ratio > 1.02 && ratio < borderShare && outer.Score > borderScore*inner.Score &&
				inner.Corners.box().Overlaps(outer.Corners.box()) &&
				math.Abs(area(clipped(inner.Corners[:], outer.Corners))) > 0.97*size
		})
	})
}

// bestSet returns the outlines of about one size that are most likely the cards. all is sorted by score. The outlines
// of the pictures within cards are of one size too, and so is the page that holds the cards: the sizes with the most
// area, counted less for large ones, win.
func bestSet(all []Hypothesis) []Hypothesis {
	var best []Hypothesis
	most := 0.0
	for _, reference := range all {
		size := reference.Corners.area()
		set := disjoint(all, size/sizeSpread, size*sizeSpread)
		var worth float64
		for _, one := range set {
			worth += one.Score * math.Pow(one.Corners.area(), 0.9)
		}
		if worth > most {
			best, most = set, worth
		}
	}
	return best
}

// disjoint returns the best outlines within the sizes that do not overlap.
func disjoint(all []Hypothesis, least, most float64) []Hypothesis {
	var outlines []Hypothesis
	for _, one := range all {
		if size := one.Corners.area(); size < least || size > most {
			continue
		}
		if !slices.ContainsFunc(outlines, func(k Hypothesis) bool { return overlapping(one.Corners, k.Corners) }) {
			outlines = append(outlines, one)
		}
	}
	return outlines
}

// overlapping reports whether two outlines are probably of one card.
func overlapping(a, b quad) bool {
	if !a.box().Overlaps(b.box()) {
		return false
	}
	common := math.Abs(area(clipped(a[:], b)))
	return common > overlap*min(a.area(), b.area())
}

// box returns the upright rectangle around a quad.
func (q quad) box() image.Rectangle {
	left, top := min(q[0].x, q[1].x, q[2].x, q[3].x), min(q[0].y, q[1].y, q[2].y, q[3].y)
	right, bottom := max(q[0].x, q[1].x, q[2].x, q[3].x), max(q[0].y, q[1].y, q[2].y, q[3].y)
	return image.Rect(int(left), int(top), int(right)+1, int(bottom)+1)
}

// clipped returns the part of a convex polygon that is within a quad (I. Sutherland, G. Hodgman, 1974).
func clipped(polygon []point, q quad) []point {
	if area(q[:]) < 0 {
		q[1], q[3] = q[3], q[1]
	}
	for i := range q {
		from, to := q[i], q[(i+1)%4]
		var inside []point
		for j, a := range polygon {
			b := polygon[(j+1)%len(polygon)]
			hereIn, thereIn := turn(from, to, a) >= 0, turn(from, to, b) >= 0
			if hereIn {
				inside = append(inside, a)
			}
			if hereIn != thereIn {
				if at, ok := crossing(from, to, a, b); ok {
					inside = append(inside, at)
				}
			}
		}
		if polygon = inside; len(polygon) == 0 {
			return nil
		}
	}
	return polygon
}

// inRows sorts outlines from top to bottom, and outlines beside each other from left to right.
func inRows(cards []Hypothesis) []Hypothesis {
	middle := func(h Hypothesis) point {
		return between(between(h.Corners[0], h.Corners[2], 0.5), between(h.Corners[1], h.Corners[3], 0.5), 0.5)
	}
	slices.SortStableFunc(cards, func(a, b Hypothesis) int { return cmp.Compare(middle(a).y, middle(b).y) })
	for from := 0; from < len(cards); {
		to := from + 1
		_, long := cards[from].Corners.sides()
		for to < len(cards) && middle(cards[to]).y-middle(cards[from]).y < long/2 {
			to++
		}
		slices.SortStableFunc(cards[from:to], func(a, b Hypothesis) int {
			return cmp.Compare(middle(a).x, middle(b).x)
		})
		from = to
	}
	return cards
}
