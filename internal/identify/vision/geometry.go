package vision

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
)

// point is a position in a picture. Pixel (0, 0) covers 0 to 1 in both axes.
type point struct{ x, y float64 }

// MarshalJSON implements json.Marshaler.
func (p point) MarshalJSON() ([]byte, error) { return json.Marshal([2]float64{p.x, p.y}) }

// UnmarshalJSON implements json.Unmarshaler.
func (p *point) UnmarshalJSON(text []byte) error {
	var both [2]float64
	err := json.Unmarshal(text, &both)
	*p = point{both[0], both[1]}
	return err
}

func (p point) minus(q point) point       { return point{p.x - q.x, p.y - q.y} }
func (p point) plus(q point) point        { return point{p.x + q.x, p.y + q.y} }
func (p point) times(f float64) point     { return point{p.x * f, p.y * f} }
func (p point) cross(q point) float64     { return p.x*q.y - p.y*q.x }
func (p point) dot(q point) float64       { return p.x*q.x + p.y*q.y }
func (p point) distance(q point) float64  { return math.Hypot(p.x-q.x, p.y-q.y) }
func turn(a, b, c point) float64          { return b.minus(a).cross(c.minus(a)) }
func between(a, b point, t float64) point { return a.plus(b.minus(a).times(t)) }

// convexHull returns the convex hull of points, clockwise on screen, by Andrew's monotone chain algorithm.
//
//go:norace
func convexHull(points []point) []point {
	sequence := slices.Clone(points)
	slices.SortFunc(sequence, func(a, b point) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y)) })
	hull := make([]point, 0, 64)
	extend := func(p point, floor int) {
		for len(hull) >= floor+2 && turn(hull[len(hull)-2], hull[len(hull)-1], p) <= 0 {
			hull = hull[:len(hull)-1]
		}
		hull = append(hull, p)
	}
	for _, p := range sequence {
		extend(p, 0)
	}
	floor := len(hull) - 1
	for i := len(sequence) - 2; i >= 0; i-- {
		extend(sequence[i], floor)
	}
	return hull[:max(0, len(hull)-1)]
}

// area returns the area of a polygon. It is positive if the points are clockwise on screen.
func area(polygon []point) float64 {
	var sum float64
	for i, p := range polygon {
		sum += p.cross(polygon[(i+1)%len(polygon)])
	}
	return sum / 2
}

// crossing returns the intersection of the lines a-b and c-d. ok is false if they are parallel.
func crossing(a, b, c, d point) (p point, ok bool) {
	along, other := b.minus(a), d.minus(c)
	slant := along.cross(other)
	if math.Abs(slant) < 1e-9 {
		return point{}, false
	}
	return a.plus(along.times(c.minus(a).cross(other) / slant)), true
}

// enclosingQuad reduces a convex hull to four sides. It repeatedly removes the side whose removal adds the least area,
// by extending its neighbours until they meet. This turns rounded corners into sharp ones.
func enclosingQuad(hull []point) (quad, bool) {
	polygon := slices.Clone(hull)
	for len(polygon) > 4 {
		best, bestGain, bestCorner := -1, math.Inf(1), point{}
		n := len(polygon)
		for i := range n {
			before, a, b, after := polygon[(i+n-1)%n], polygon[i], polygon[(i+1)%n], polygon[(i+2)%n]
			if a.minus(before).cross(after.minus(b)) <= 0 { // the neighbours diverge
				continue
			}
			corner, ok := crossing(before, a, b, after)
			if !ok || corner.minus(a).dot(a.minus(before)) < 0 {
				continue
			}
			if gain := math.Abs(area([]point{a, corner, b})); gain < bestGain {
				best, bestGain, bestCorner = i, gain, corner
			}
		}
		if best < 0 {
			return quad{}, false
		}
		polygon[best] = bestCorner
		polygon = slices.Delete(polygon, (best+1)%n, (best+1)%n+1)
	}
	if len(polygon) < 4 {
		return quad{}, false
	}
	return quad(polygon), true
}

// fitLine returns the line with the least squares of orthogonal distances from points, as a point and a direction.
func fitLine(points []point) (on, direction point) {
	for _, p := range points {
		on = on.plus(p)
	}
	on = on.times(1 / float64(len(points)))
	var xx, xy, yy float64
	for _, p := range points {
		d := p.minus(on)
		xx, xy, yy = xx+d.x*d.x, xy+d.x*d.y, yy+d.y*d.y
	}
	angle := math.Atan2(2*xy, xx-yy) / 2
	return on, point{math.Cos(angle), math.Sin(angle)}
}
