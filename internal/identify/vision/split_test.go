package vision

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/jpeg"
	"testing"
)

// page returns a photo of 2 × 2 cards as JPEG, and the cards, from the seed on.
func page(t *testing.T, seed uint64, orientation int) (photo []byte, cards []*image.RGBA) {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, 1600, 2200))
	for i := range picture.Pix {
		picture.Pix[i] = 60
	}
	for i := range 4 {
		card := drawnCard(seed + uint64(i))
		x, y := float64(100+750*(i%2)), float64(100+1050*(i/2))
		place(picture, card, quad{{x, y}, {x + 630, y}, {x + 630, y + 880}, {x, y + 880}})
		cards = append(cards, card)
	}
	// The file has the pixels that orient turns into the picture.
	inverse := map[int]int{6: 8, 8: 6}[orientation]
	if inverse == 0 {
		inverse = orientation
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, orient(picture, inverse), &jpeg.Options{Quality: 90}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), cards
}

func TestSplit_CutsStraightAtFullSize(t *testing.T) {
	t.Parallel()
	for orientation := 1; orientation <= 8; orientation++ {
		photo, cards := page(t, uint64(10*orientation), orientation)
		var found []*image.RGBA
		err := Split(t.Context(), photo, orientation, func(card image.Image) error {
			found = append(found, card.(*image.RGBA))
			return nil
		})
		if err != nil || len(found) != len(cards) {
			t.Errorf("orientation %d: found %d cards, %v, want %d", orientation, len(found), err, len(cards))
			continue
		}
		for i, card := range cards {
			if size := found[i].Rect.Size(); size.Y < 860 || size.Y > 960 {
				t.Errorf("orientation %d: a card of 630 × 880 pixels was cut to %v", orientation, size)
			}
			if d := Distance(Fingerprint(found[i]), Fingerprint(card)); d > 110 {
				t.Errorf("orientation %d: card %d is %d bits away from the one that was cut", orientation, i, d)
			}
		}
	}
}

func TestSplit_Errors(t *testing.T) {
	t.Parallel()
	photo, _ := page(t, 1, 1)
	stop := errors.New("stop")
	calls := 0
	err := Split(t.Context(), photo, 1, func(image.Image) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 {
		t.Errorf("got %v after %d cards, want the error of the first", err, calls)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Split(ctx, photo, 1, func(image.Image) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v after the context ended", err)
	}
	if err := Split(t.Context(), photo[:200], 1, nil); !errors.Is(err, ErrNotAPicture) {
		t.Errorf("got %v for a cut file, want %v", err, ErrNotAPicture)
	}
}
