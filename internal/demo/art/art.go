// Package art draws fictional trading cards for the demo and for tests. Like real cards, the pictures can be read by
// OCR and distinguished by their fingerprints, but they contain no existing artwork or names.
//
// A picture depends only on the fields of its Card, which include a seed, so it is the same on every machine.
package art

import (
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
)

// The size of a picture in pixels. It has the ratio of a trading card, 63 × 88 mm, up to rounding.
const (
	Width  = 750
	Height = 1050
)

// Card is the printed content of a card.
type Card struct {
	Name, Set, Number, Game, HP, Text, Illustrator string
	Seed                                           int64 // determines the artwork and the colours
}

// The boxes of a card. The name is in the top eighth and the number in the left half of the bottom tenth, where OCR
// looks for them on real cards.
var (
	plate   = image.Rect(8, 8, Width-8, Height-8)
	banner  = image.Rect(44, 40, Width-44, 118)
	picture = image.Rect(52, 126, Width-52, 600)
	body    = image.Rect(52, 612, Width-52, 938)
	footer  = image.Rect(44, 948, Width-44, 1016)
)

// margin is the distance between the edge of a box and its text, in pixels.
const margin = 20

// Draw returns the card's picture, Width × Height.
func Draw(c Card) image.Image {
	card := image.NewRGBA(image.Rect(0, 0, Width, Height))
	random := rand.New(rand.NewPCG(uint64(c.Seed), 0x63617264)) // the second number is arbitrary but fixed
	colours := newPalette(random)
	fill(card, card.Bounds(), colours.border)
	fill(card, plate, colours.plate)
	paint(card, picture, colours, random)
	frame(card, picture, ink)
	for _, box := range []image.Rectangle{banner, body, footer} {
		fill(card, box, paper) // without a frame, because Tesseract treats a framed line of text as a picture
	}
	hp := ""
	if c.HP != "" {
		hp = "HP " + c.HP
	}
	line(card, banner, bold, 46, c.Name, hp)
	paragraph(card, body, regular, 31, c.Text)
	line(card, footer, bold, 32, c.Number, c.Set)
	if c.Illustrator != "" {
		credit := image.Rect(body.Min.X, body.Max.Y-46, body.Max.X, body.Max.Y)
		line(card, credit, regular, 24, "Illus. "+c.Illustrator, "")
	}
	return card
}

var (
	ink   = color.RGBA{24, 24, 32, 255}
	paper = color.RGBA{246, 242, 230, 255}
)

func fill(dst draw.Image, box image.Rectangle, c color.Color) {
	draw.Draw(dst, box, image.NewUniform(c), image.Point{}, draw.Src)
}

// frame draws the edge of a box, three pixels wide.
func frame(dst draw.Image, box image.Rectangle, c color.Color) {
	const w = 3
	fill(dst, image.Rect(box.Min.X, box.Min.Y, box.Max.X, box.Min.Y+w), c)
	fill(dst, image.Rect(box.Min.X, box.Max.Y-w, box.Max.X, box.Max.Y), c)
	fill(dst, image.Rect(box.Min.X, box.Min.Y, box.Min.X+w, box.Max.Y), c)
	fill(dst, image.Rect(box.Max.X-w, box.Min.Y, box.Max.X, box.Max.Y), c)
}
