package art

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"math/rand/v2"
)

// Size of a photo in pixels, upright as a phone is held.
const (
	photoWidth  = 1200
	photoHeight = 1600
)

// Photo returns a JPEG that looks as if img, a card, had been photographed lying on a table: turned by up
// to five degrees, seen a little from the side, unevenly lit, with the noise of a small sensor.
func Photo(img image.Image, seed int64) ([]byte, error) {
	random := rand.New(rand.NewPCG(uint64(seed), 0x70686f746f)) // the second half only has to stay the same
	toCard := homography(corners(random), img.Bounds())
	surface := newTable(random)
	light := newLight(random)
	photo := image.NewRGBA(image.Rect(0, 0, photoWidth, photoHeight))
	for y := range photoHeight {
		for x := range photoWidth {
			u, v := toCard.at(float64(x)+0.5, float64(y)+0.5)
			c, on := sample(img, u, v)
			if !on {
				c = surface.at(x, y)
			}
			noise := 5 * random.NormFloat64()
			photo.SetRGBA(x, y, c.lit(light.at(x, y), noise))
		}
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, photo, &jpeg.Options{Quality: 85}); err != nil {
		return nil, fmt.Errorf("art.Photo: %w", err)
	}
	return out.Bytes(), nil
}

// rgb is a colour with channels from 0 to 255 that has not been rounded yet.
type rgb struct{ r, g, b float64 }

func (c rgb) lit(brightness, noise float64) color.RGBA {
	round := func(v float64) uint8 { return uint8(min(255, max(0, v*brightness+noise+0.5))) }
	return color.RGBA{round(c.r), round(c.g), round(c.b), 255}
}

// corners returns where the card's corners lie in the photo, clockwise from the top left.
func corners(random *rand.Rand) [4][2]float64 {
	width := photoWidth * (0.68 + 0.08*random.Float64())
	height := width * Height / Width
	sin, cos := math.Sincos((random.Float64()*2 - 1) * 5 * math.Pi / 180)
	middleX := photoWidth/2 + 20*random.NormFloat64()
	middleY := photoHeight/2 + 20*random.NormFloat64()
	var points [4][2]float64
	for i, sign := range [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		x := sign[0]*width/2 + width*0.02*(random.Float64()*2-1)
		y := sign[1]*height/2 + height*0.02*(random.Float64()*2-1)
		points[i] = [2]float64{middleX + x*cos - y*sin, middleY + x*sin + y*cos}
	}
	return points
}

// sample returns the image's colour at a point between pixels; on is false outside the image.
func sample(img image.Image, x, y float64) (c rgb, on bool) {
	b := img.Bounds()
	x, y = x-0.5, y-0.5
	x0, y0 := int(math.Floor(x)), int(math.Floor(y))
	if x0 < b.Min.X || y0 < b.Min.Y || x0+1 >= b.Max.X || y0+1 >= b.Max.Y {
		return rgb{}, false
	}
	fx, fy := x-float64(x0), y-float64(y0)
	for _, part := range [4]struct {
		dx, dy int
		weight float64
	}{{0, 0, (1 - fx) * (1 - fy)}, {1, 0, fx * (1 - fy)}, {0, 1, (1 - fx) * fy}, {1, 1, fx * fy}} {
		red, green, blue, _ := img.At(x0+part.dx, y0+part.dy).RGBA()
		c.r += part.weight * float64(red>>8)
		c.g += part.weight * float64(green>>8)
		c.b += part.weight * float64(blue>>8)
	}
	return c, true
}
