package art

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"

	"golang.org/x/image/vector"
)

// palette holds the colours of a card.
type palette struct {
	border, plate color.RGBA
	hue           float64
}

func newPalette(random *rand.Rand) palette {
	hue := random.Float64()
	return palette{
		border: hsv(hue, 0.75, 0.30+0.25*random.Float64()),
		plate:  hsv(hue+0.08, 0.28, 0.85+0.12*random.Float64()),
		hue:    hue,
	}
}

// paint fills a box with large shapes of strong contrast. A perceptual hash represents the coarse distribution of light
// and dark, which must therefore differ between seeds.
func paint(dst draw.Image, box image.Rectangle, colours palette, random *rand.Rand) {
	scene := image.NewRGBA(image.Rect(0, 0, box.Dx(), box.Dy()))
	gradient(scene, hsv(colours.hue+0.5, 0.5, random.Float64()), hsv(colours.hue+0.35, 0.6, random.Float64()), random)
	for range 5 + random.IntN(4) {
		shape(scene, hsv(colours.hue+0.6*random.Float64(), 0.3+0.6*random.Float64(), contrast(random)), random)
	}
	draw.Draw(dst, box, scene, image.Point{}, draw.Src)
}

// contrast returns a brightness that is either dark or light.
func contrast(random *rand.Rand) float64 {
	if random.IntN(2) == 0 {
		return 0.05 + 0.25*random.Float64()
	}
	return 0.75 + 0.25*random.Float64()
}

// gradient fills a scene from one colour to another in a random direction.
func gradient(scene *image.RGBA, from, to color.RGBA, random *rand.Rand) {
	sin, cos := math.Sincos(2 * math.Pi * random.Float64())
	size := scene.Bounds().Size()
	const steps = 256 // more than a hash can distinguish
	var colours [steps]color.RGBA
	for i := range colours {
		colours[i] = blend(from, to, float64(i)/(steps-1))
	}
	for y := range size.Y {
		row := scene.Pix[y*scene.Stride:]
		v := (float64(y)/float64(size.Y) - 0.5) * sin
		for x := range size.X {
			part := 0.5 + (float64(x)/float64(size.X)-0.5)*cos + v
			c := colours[int((steps-1)*min(1, max(0, part)))]
			row[4*x], row[4*x+1], row[4*x+2], row[4*x+3] = c.R, c.G, c.B, c.A
		}
	}
}

// shape draws a polygon, a star or a disc (a polygon with many corners) at a random position in the scene.
func shape(scene *image.RGBA, c color.RGBA, random *rand.Rand) {
	size := scene.Bounds().Size()
	x, y := float64(size.X)*random.Float64(), float64(size.Y)*random.Float64()
	radius := float64(size.Y) * (0.12 + 0.33*random.Float64())
	corners := []int{3, 4, 5, 6, 40}[random.IntN(5)]
	inner := 1.0
	if random.IntN(3) == 0 {
		inner = 0.3 + 0.4*random.Float64() // a star: every second corner is closer to the centre
		corners *= 2
	}
	stretch, turn := 0.5+random.Float64(), 2*math.Pi*random.Float64()
	points := make([][2]float64, corners)
	for i := range points {
		r := radius
		if i%2 == 1 {
			r *= inner
		}
		sin, cos := math.Sincos(turn + 2*math.Pi*float64(i)/float64(corners))
		points[i] = [2]float64{x + r*cos*stretch, y + r*sin}
	}
	reach := int(radius*max(1, stretch)) + 1
	around := image.Rect(int(x)-reach, int(y)-reach, int(x)+reach+1, int(y)+reach+1)
	polygon(scene, around.Intersect(scene.Rect), points, c)
}

// polygon fills the part of a polygon that is within a box. Its time depends on the size of the box.
func polygon(scene *image.RGBA, box image.Rectangle, points [][2]float64, c color.RGBA) {
	raster := vector.NewRasterizer(box.Dx(), box.Dy())
	for i, p := range points {
		x, y := float32(p[0]-float64(box.Min.X)), float32(p[1]-float64(box.Min.Y))
		if i == 0 {
			raster.MoveTo(x, y)
		} else {
			raster.LineTo(x, y)
		}
	}
	raster.ClosePath()
	raster.Draw(scene, box, image.NewUniform(c), image.Point{})
}

func blend(a, b color.RGBA, part float64) color.RGBA {
	mix := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + part*(float64(y)-float64(x)))) }
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// hsv returns the colour with this hue, saturation and value. Saturation and value are 0 to 1. Only the fraction of hue
// counts.
func hsv(hue, saturation, value float64) color.RGBA {
	channel := func(n float64) uint8 {
		k := math.Mod(n+6*(hue-math.Floor(hue)), 6)
		return uint8(math.Round(255 * (value - value*saturation*max(0, min(k, 4-k, 1)))))
	}
	return color.RGBA{channel(5), channel(3), channel(1), 255}
}
