package ppocr

import (
	"cmp"
	"image"
	"math"
	"slices"
)

type point struct{ x, y float64 }

func (p point) minus(q point) point   { return point{p.x - q.x, p.y - q.y} }
func (p point) dot(q point) float64   { return p.x*q.x + p.y*q.y }
func (p point) cross(q point) float64 { return p.x*q.y - p.y*q.x }

// box is a rotated rectangle.
type box struct {
	centre        point
	width, height float64 // along the angle, and across it
	angle         float64 // of the text, clockwise from the x axis, in radians
}

// Place is the position of a line on a photo: a rotated rectangle.
type Place struct {
	// X and Y are the centre, and Width and Height the sides along the text and across it, in pixels.
	X, Y, Width, Height float64
	// Angle is the direction of the text, clockwise from the x axis, in radians.
	Angle float64
}

// Bounds returns the rectangle of the photo, along its axes, that contains the place.
func (p Place) Bounds() image.Rectangle {
	along, down := p.box().directions()
	reachX := (math.Abs(along.x)*p.Width + math.Abs(down.x)*p.Height) / 2
	reachY := (math.Abs(along.y)*p.Width + math.Abs(down.y)*p.Height) / 2
	return image.Rect(int(p.X-reachX), int(p.Y-reachY), int(p.X+reachX)+1, int(p.Y+reachY)+1)
}

func placeOf(b box) Place { return Place{b.centre.x, b.centre.y, b.width, b.height, b.angle} }

func (p Place) box() box {
	return box{centre: point{p.X, p.Y}, width: p.Width, height: p.Height, angle: p.Angle}
}

// fromRatio returns how far the ratio of the sides is from another one.
func (b box) fromRatio(ratio float64) float64 { return math.Abs(b.width/max(1, b.height) - ratio) }

// halfTurned returns the boxes for text that is upside down.
func halfTurned(boxes []box) []box {
	over := slices.Clone(boxes)
	for i := range over {
		over[i].angle += math.Pi
	}
	return over
}

// directions returns the unit vectors along the text and down from it.
func (b box) directions() (along, down point) {
	sin, cos := math.Sincos(b.angle)
	return point{cos, sin}, point{-sin, cos}
}

// scaled returns the box in a picture that is larger by a factor.
func (b box) scaled(by float64) box {
	b.centre = point{b.centre.x * by, b.centre.y * by}
	b.width, b.height = b.width*by, b.height*by
	return b
}

// upright returns the position of the box after the picture was rotated around a point so that the text is upright. The
// point is the origin.
func (b box) upright(around point) image.Rectangle {
	along, down := b.directions()
	at := b.centre.minus(around)
	x, y := at.dot(along), at.dot(down)
	return image.Rect(int(x-b.width/2), int(y-b.height/2), int(x+b.width/2), int(y+b.height/2))
}

// turned returns the same rectangle with its other side along the text.
func (b box) turned() box {
	b.width, b.height, b.angle = b.height, b.width, b.angle+math.Pi/2
	return b
}

// smallestBox returns the smallest rectangle that contains all points, along its longer side. One of its sides lies on
// a side of their convex hull.
func smallestBox(points []point) box {
	hull := convexHull(points)
	best := box{width: math.Inf(1), height: math.Inf(1)}
	for i, p := range hull {
		side := hull[(i+1)%len(hull)].minus(p)
		angle := math.Atan2(side.y, side.x)
		if b := boxAt(hull, angle); b.width*b.height < best.width*best.height || i == 0 {
			best = b
		}
	}
	if best.width < best.height {
		best = best.turned()
	}
	return best
}

// boxAt returns the rectangle at an angle that contains all points.
func boxAt(points []point, angle float64) box {
	along, down := box{angle: angle}.directions()
	left, top := math.Inf(1), math.Inf(1)
	right, bottom := math.Inf(-1), math.Inf(-1)
	for _, p := range points {
		x, y := p.dot(along), p.dot(down)
		left, right = min(left, x), max(right, x)
		top, bottom = min(top, y), max(bottom, y)
	}
	x, y := (left+right)/2, (top+bottom)/2
	return box{
		centre: point{x*along.x + y*down.x, x*along.y + y*down.y},
		width:  right - left, height: bottom - top, angle: angle,
	}
}

// convexHull returns the corners of the convex hull (A. Andrew's monotone chain, 1979).
func convexHull(points []point) []point {
	points = slices.Clone(points)
	slices.SortFunc(points, func(a, b point) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y)) })
	points = slices.Compact(points)
	if len(points) < 3 {
		return points
	}
	half := func(points []point) []point {
		var chain []point
		for _, p := range points {
			for n := len(chain); n > 1 && chain[n-1].minus(chain[n-2]).cross(p.minus(chain[n-1])) <= 0; n-- {
				chain = chain[:n-1]
			}
			chain = append(chain, p)
		}
		return chain[:len(chain)-1]
	}
	lower := half(points)
	slices.Reverse(points)
	return append(lower, half(points)...)
}

// axis returns the direction of the text, from -π/2 to π/2: the mean of the boxes that are clearly longer than high,
// weighted by their length. The text may be upside down.
func axis(boxes []box) float64 {
	var x, y float64
	for _, b := range boxes {
		if b.width >= 2*b.height { // doubled angles, because a line has no direction yet
			sin, cos := math.Sincos(2 * b.angle)
			x, y = x+b.width*cos, y+b.width*sin
		}
	}
	return math.Atan2(y, x) / 2
}

// tall is the ratio of height to width from which a box is a line that runs down the page.
const tall = 1.5

// aligned returns the boxes with the sides along the text that are nearest to the axis. Lines that run down the page
// are read from top to bottom.
func aligned(boxes []box, axis float64) []box {
	out := slices.Clone(boxes)
	for i, b := range out {
		if math.Abs(math.Cos(b.angle-axis)) < math.Sqrt2/2 {
			b = b.turned()
		}
		direction := axis
		if b.height >= tall*b.width {
			b, direction = b.turned(), axis+math.Pi/2
		}
		if math.Cos(b.angle-direction) < 0 {
			b.angle += math.Pi
		}
		out[i] = b
	}
	return out
}

// split returns the boxes along the axis and those across it, as on the backs of books behind a card. Each of the two
// may be upside down.
func split(boxes []box, axis float64) [2][]box {
	var along, across []box
	for _, b := range boxes {
		if math.Abs(math.Cos(b.angle-axis)) > math.Sqrt2/2 {
			along = append(along, b)
		} else {
			across = append(across, b)
		}
	}
	return [2][]box{along, across}
}
