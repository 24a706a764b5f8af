package vision

import "math"

// cardRatio is the ratio of width and height of a trading card, 63 × 88 mm.
const cardRatio = 63.0 / 88

// quad is an outline with four corners. The order that upright gives them is top left, top right, bottom right, bottom
// left.
type quad [4]point

func (q quad) area() float64 { return math.Abs(area(q[:])) }

// scaled multiplies all coordinates.
func (q quad) scaled(f float64) quad {
	for i := range q {
		q[i] = q[i].times(f)
	}
	return q
}

// sides returns the mean lengths of the two pairs of opposite sides.
func (q quad) sides() (first, second float64) {
	return (q[0].distance(q[1]) + q[2].distance(q[3])) / 2, (q[1].distance(q[2]) + q[3].distance(q[0])) / 2
}

// upright orders the corners clockwise, with a short side as the top. Of the two short sides, it chooses the one for
// which the picture is rotated less.
func (q quad) upright() quad {
	if area(q[:]) < 0 {
		q[1], q[3] = q[3], q[1]
	}
	if first, second := q.sides(); first > second {
		q = quad{q[1], q[2], q[3], q[0]}
	}
	// q[0]-q[1] and q[2]-q[3] are the short sides. The top is the upper one or, if they are at the same height, the
	// right one.
	top, bottom := between(q[0], q[1], 0.5), between(q[2], q[3], 0.5)
	if rise := bottom.y - top.y; rise < -1 || (rise < 1 && top.x < bottom.x) {
		q = quad{q[2], q[3], q[0], q[1]}
	}
	return q
}

// ratio returns the ratio of the short and the long side, 0 to 1.
func (q quad) ratio() float64 {
	first, second := q.sides()
	return min(first, second) / max(first, second, 1e-9)
}

// squareness returns 1 for a rectangle, and less if opposite sides differ or if corners are not right angles by more
// than perspective causes.
func (q quad) squareness() float64 {
	worst := 1.0
	for i := range q {
		before, after := q[(i+3)%4].minus(q[i]), q[(i+1)%4].minus(q[i])
		lengths := math.Hypot(before.x, before.y) * math.Hypot(after.x, after.y)
		sine := math.Abs(before.cross(after)) / max(1e-9, lengths)
		worst = min(worst, sine)
		opposite := q[(i+2)%4].distance(q[(i+3)%4])
		length := q[i].distance(q[(i+1)%4])
		worst = min(worst, 1.25*min(length, opposite)/max(length, opposite, 1e-9))
	}
	return worst
}

// plausible reports whether a quad can be a card: it has about the ratio of a card, and is not sheared more than in a
// hand-held photo.
func (q quad) plausible() bool {
	return q.ratio() > 0.5 && q.ratio() < 0.95 && q.squareness() > 0.75
}

// farFrom returns the greatest distance between corresponding corners, relative to the longer side of q.
func (q quad) farFrom(other quad) float64 {
	_, long := q.sides()
	worst := 0.0
	for i := range q {
		worst = max(worst, q[i].distance(other[i]))
	}
	return worst / max(long, 1e-9)
}

// snapped returns the quad whose sides are fitted to the points of the hull near them, so that single points and
// rounded corners have little influence.
func (q quad) snapped(hull []point, reach float64) quad {
	var on, direction [4]point
	for i := range q {
		a, b := q[i], q[(i+1)%4]
		near := alongSide(hull, a, b, reach)
		if len(near) < 2 {
			return q
		}
		on[i], direction[i] = fitLine(near)
	}
	out := q
	for i := range q {
		before := (i + 3) % 4
		corner, ok := crossing(on[before], on[before].plus(direction[before]), on[i], on[i].plus(direction[i]))
		if !ok || corner.distance(q[i]) > 4*reach {
			return q
		}
		out[i] = corner
	}
	return out
}

// alongSide returns points of the hull within reach of the middle 84 % of a side. It samples the hull at every pixel,
// so that straight segments count by their length.
func alongSide(hull []point, a, b point, reach float64) []point {
	length := a.distance(b)
	if length < 1 {
		return nil
	}
	direction := b.minus(a).times(1 / length)
	var near []point
	for i, from := range hull {
		to := hull[(i+1)%len(hull)]
		steps := max(1, int(from.distance(to)))
		for s := range steps {
			p := between(from, to, float64(s)/float64(steps))
			along, off := p.minus(a).dot(direction)/length, math.Abs(p.minus(a).cross(direction))
			if off <= reach && along > 0.08 && along < 0.92 {
				near = append(near, p)
			}
		}
	}
	return near
}
