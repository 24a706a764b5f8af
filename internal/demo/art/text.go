package art

import (
	"image"
	"image/draw"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

var (
	regular = mustParse(goregular.TTF)
	bold    = mustParse(gobold.TTF)
)

// mustParse parses an embedded font.
func mustParse(ttf []byte) *opentype.Font {
	f, err := opentype.Parse(ttf)
	if err != nil {
		panic("art: the Go font does not parse: " + err.Error())
	}
	return f
}

// face returns a face of a font with this size in pixels.
func face(f *opentype.Font, pixels float64) font.Face {
	// At 72 DPI, a point is a pixel. NewFace does not fail for a parsed font.
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: pixels, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		panic("art: " + err.Error())
	}
	return face
}

// smallest is the minimum size of text in pixels. OCR cannot read smaller text.
const smallest = 18

// line writes one text at the left and one at the right end of a box. It reduces the size until both fit.
func line(dst draw.Image, box image.Rectangle, f *opentype.Font, pixels float64, left, right string) {
	room := fixed.I(box.Dx() - 3*margin)
	letters := face(f, pixels)
	for pixels > smallest && font.MeasureString(letters, left)+font.MeasureString(letters, right) > room {
		pixels--
		letters = face(f, pixels)
	}
	base := (box.Min.Y+box.Max.Y)/2 + int(pixels*0.36) // half the height of a capital below the centre
	write(dst, letters, box.Min.X+margin, base, left)
	write(dst, letters, box.Max.X-margin-font.MeasureString(letters, right).Ceil(), base, right)
}

// paragraph writes a text in lines from the top of a box. It reduces the size until the text fits, and leaves the last
// line free for the credit.
func paragraph(dst draw.Image, box image.Rectangle, f *opentype.Font, pixels float64, text string) {
	letters := face(f, pixels)
	lines := wrap(letters, text, box.Dx()-2*margin)
	height := func() int { return int(pixels * 1.32) }
	for pixels > smallest && (len(lines)+2)*height() > box.Dy() {
		pixels--
		letters = face(f, pixels)
		lines = wrap(letters, text, box.Dx()-2*margin)
	}
	for i, words := range lines {
		write(dst, letters, box.Min.X+margin, box.Min.Y+margin/2+(i+1)*height(), words)
	}
}

// wrap breaks a text at spaces into lines of at most width pixels.
func wrap(letters font.Face, text string, width int) []string {
	var lines []string
	for _, part := range strings.Split(text, "\n") {
		current := ""
		for word := range strings.FieldsSeq(part) {
			longer := strings.TrimSpace(current + " " + word)
			if current != "" && font.MeasureString(letters, longer).Ceil() > width {
				lines = append(lines, current)
				longer = word
			}
			current = longer
		}
		lines = append(lines, current)
	}
	return lines
}

func write(dst draw.Image, letters font.Face, x, y int, text string) {
	drawer := font.Drawer{Dst: dst, Src: image.NewUniform(ink), Face: letters, Dot: fixed.P(x, y)}
	drawer.DrawString(text)
}
