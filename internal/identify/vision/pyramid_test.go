package vision

import (
	"image"
	"image/color"
	"testing"
)

// The fingerprint of a card on a photo must be near that of the rectified card in full size, whatever the card's size
// on the photo.
func TestPyramid_Fingerprints(t *testing.T) {
	t.Parallel()
	card := drawnCard(5)
	for name, corners := range map[string]quad{
		"small":     {{60, 40}, {210, 50}, {205, 260}, {55, 250}},
		"as stored": {{20, 20}, {460, 30}, {450, 640}, {15, 630}},
		"large":     {{10, 10}, {890, 15}, {880, 1250}, {12, 1240}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			photo := photographed(card, corners, int(corners[2].x)+30, int(corners[2].y)+30, color.RGBA{A: 255})
			guess := Hypothesis{Corners: corners}
			upright, turned := NewPyramid(photo).Fingerprints(guess)
			full := Straighten(photo, guess)
			if d := Distance(upright, Fingerprint(full)); d > 30 {
				t.Errorf("upright: %d bits from that of the card in full size", d)
			}
			if d := Distance(turned, Fingerprint(HalfTurn(full))); d > 30 {
				t.Errorf("turned: %d bits from that of the card in full size", d)
			}
		})
	}
}

func TestHalved_OnePixel(t *testing.T) {
	t.Parallel()
	one := image.NewGray(image.Rect(0, 0, 1, 3))
	one.Pix[0], one.Pix[1] = 10, 30
	if got := halved(one); got.Rect.Size() != image.Pt(1, 1) || got.Pix[0] != 20 {
		t.Errorf("got %v %v, want one pixel of 20", got.Rect, got.Pix)
	}
}
