package ppocr

import (
	"math"
	"testing"
)

// probabilityMap is a map of probabilities that tests draw on.
type probabilityMap struct {
	values        []float32
	width, height int
}

func newMap(width, height int) *probabilityMap {
	return &probabilityMap{make([]float32, width*height), width, height}
}

// draw fills a rotated rectangle.
func (m *probabilityMap) draw(b box, value float32) *probabilityMap {
	along, down := b.directions()
	for i := range m.values {
		d := point{float64(i%m.width) + 0.5, float64(i/m.width) + 0.5}.minus(b.centre)
		if math.Abs(d.dot(along)) <= b.width/2 && math.Abs(d.dot(down)) <= b.height/2 {
			m.values[i] = value
		}
	}
	return m
}

func TestDecodeBoxes(t *testing.T) {
	t.Parallel()
	line := box{centre: point{100, 50}, width: 80, height: 12}
	turned := func(degrees float64) box {
		b := line
		b.angle = degrees * math.Pi / 180
		return b
	}
	for name, c := range map[string]struct {
		drawn *probabilityMap
		want  []box
	}{
		"nothing":   {newMap(200, 100), nil},
		"upright":   {newMap(200, 100).draw(line, 0.9), []box{line}},
		"rising":    {newMap(200, 100).draw(turned(-20), 0.9), []box{turned(-20)}},
		"falling":   {newMap(200, 100).draw(turned(33), 0.9), []box{turned(33)}},
		"vertical":  {newMap(200, 100).draw(turned(90), 0.9), []box{turned(90)}},
		"low score": {newMap(200, 100).draw(line, 0.3), nil},
		"not text":  {newMap(200, 100).draw(line, 0.1), nil},
		"thin":      {newMap(200, 100).draw(box{centre: point{100, 50}, width: 80, height: 2}, 1), nil},
		"cut by the edge": {
			newMap(200, 100).draw(box{centre: point{0, 50}, width: 80, height: 12}, 0.9),
			[]box{{centre: point{20, 50}, width: 40, height: 12}},
		},
		"two": {
			newMap(200, 100).draw(line, 0.9).draw(box{centre: point{100, 80}, width: 80, height: 12}, 0.9),
			[]box{line, {centre: point{100, 80}, width: 80, height: 12}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := decodeBoxes(c.drawn.values, c.drawn.width, c.drawn.height)
			if len(got) != len(c.want) {
				t.Fatalf("boxes: got %+v, want %d", got, len(c.want))
			}
			for i, want := range c.want {
				grow := want.width * want.height * growth / (want.width + want.height)
				want.width, want.height = want.width+grow, want.height+grow
				if !similar(got[i], want) {
					t.Errorf("box: got %+v, want about %+v", got[i], want)
				}
			}
		})
	}
}

// similar reports whether two boxes differ by rounding to pixels. Lines have no direction.
func similar(a, b box) bool {
	offset := a.centre.minus(b.centre)
	return math.Hypot(offset.x, offset.y) < 1.5 && math.Abs(a.width-b.width) < 4 && math.Abs(a.height-b.height) < 4 &&
		math.Abs(math.Sin(a.angle-b.angle)) < 0.05
}

func TestAxis(t *testing.T) {
	t.Parallel()
	line := func(degrees, width float64) box {
		return box{width: width, height: 10, angle: degrees * math.Pi / 180}
	}
	for name, c := range map[string]struct {
		boxes []box
		want  float64 // degrees
	}{
		"none":                 {nil, 0},
		"upright":              {[]box{line(1, 100), line(-1, 100)}, 0},
		"without direction":    {[]box{line(10, 100), line(190, 100)}, 10},
		"on its side":          {[]box{line(88, 100), line(-88, 100)}, 90},
		"squares do not count": {[]box{line(10, 100), line(50, 12)}, 10},
		"the longer counts":    {[]box{line(0, 300), line(90, 50)}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := axis(c.boxes)
			if math.Abs(math.Sin(got-c.want*math.Pi/180)) > 0.01 {
				t.Errorf("axis: got %.0f°, want %.0f°", got*180/math.Pi, c.want)
			}
		})
	}
}

func TestAligned(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		axis float64
		box  box
		want box // with any number of full turns
	}{
		"along":     {0, box{width: 100, height: 10}, box{width: 100, height: 10}},
		"other way": {0, box{width: 100, height: 10, angle: math.Pi}, box{width: 100, height: 10}},
		"a digit":   {0, box{width: 14, height: 10, angle: math.Pi / 2}, box{width: 10, height: 14}},
		"down the page": {
			0, box{width: 90, height: 10, angle: math.Pi / 2}, box{width: 90, height: 10, angle: math.Pi / 2},
		},
		"page on a side": {
			math.Pi / 2, box{width: 90, height: 9, angle: -math.Pi / 2}, box{width: 90, height: 9, angle: math.Pi / 2},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := aligned([]box{c.box}, c.axis)[0]
			if got.width != c.want.width || got.height != c.want.height || math.Cos(got.angle-c.want.angle) < 0.99 {
				t.Errorf("aligned: got %+v, want %+v", got, c.want)
			}
		})
	}
}
