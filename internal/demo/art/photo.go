package art

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"math"
	"math/rand/v2"
)

// The size of a photo in pixels, in portrait format.
const (
	photoWidth  = 960
	photoHeight = 1280
)

// Photo returns a JPEG that resembles a photo of img, the picture of a card, on a table: rotated by up to five degrees,
// with a slight perspective, uneven light, and the noise of a small sensor.
func Photo(img image.Image, seed int64) ([]byte, error) {
	random := rand.New(rand.NewPCG(uint64(seed), 0x70686f746f)) // the second number is arbitrary but fixed
	card := image.NewRGBA(image.Rectangle{Max: img.Bounds().Size()})
	draw.Draw(card, card.Rect, img, img.Bounds().Min, draw.Src)
	photo := expose(card, homography(corners(random), card.Rect), newTable(random), newLight(random), random)
	var out bytes.Buffer
	if err := jpeg.Encode(&out, photo, &jpeg.Options{Quality: 85}); err != nil {
		return nil, fmt.Errorf("encode photo: %w", err)
	}
	return out.Bytes(), nil
}

// expose computes the photo's pixels. It excludes the race detector, which would take ten times as long as the drawing:
// no other goroutine has access to the pixels.
//
//go:norace
func expose(card *image.RGBA, toCard projection, surface table, light light, random *rand.Rand) *image.RGBA {
	photo := image.NewRGBA(image.Rect(0, 0, photoWidth, photoHeight))
	for y := range photoHeight {
		for x := range photoWidth {
			u, v := toCard.at(float64(x)+0.5, float64(y)+0.5)
			c, on := sample(card, u, v)
			if !on {
				c = surface.at(x, y)
			}
			noise := 5 * random.NormFloat64()
			photo.SetRGBA(x, y, c.lit(light.at(x, y), noise))
		}
	}
	return photo
}

// rgb is a colour with unrounded channels from 0 to 255.
type rgb struct{ r, g, b float64 }

func (c rgb) lit(brightness, noise float64) color.RGBA {
	round := func(v float64) uint8 { return uint8(min(255, max(0, v*brightness+noise+0.5))) }
	return color.RGBA{round(c.r), round(c.g), round(c.b), 255}
}

// corners returns the positions of the card's corners in the photo, clockwise from the top left.
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

// sample returns the colour of an image at a point, interpolated between pixels. on is false outside the image.
//
//go:norace
func sample(img *image.RGBA, x, y float64) (c rgb, on bool) {
	x, y = x-0.5, y-0.5
	x0, y0 := int(math.Floor(x)), int(math.Floor(y))
	if x0 < 0 || y0 < 0 || x0+1 >= img.Rect.Dx() || y0+1 >= img.Rect.Dy() {
		return rgb{}, false
	}
	fx, fy := x-float64(x0), y-float64(y0)
	upper := img.Pix[y0*img.Stride+4*x0:][:8] // two adjacent pixels of four bytes each
	lower := img.Pix[(y0+1)*img.Stride+4*x0:][:8]
	mix := func(channel int) float64 {
		above := float64(upper[channel])*(1-fx) + float64(upper[channel+4])*fx
		below := float64(lower[channel])*(1-fx) + float64(lower[channel+4])*fx
		return above*(1-fy) + below*fy
	}
	return rgb{mix(0), mix(1), mix(2)}, true
}
