package vision

import (
	"bytes"
	"image"
	"image/jpeg"
	"testing"

	"pgregory.net/rapid"
)

func TestFingerprint_IsRobust(t *testing.T) {
	t.Parallel()
	card := drawnCard(11)
	original := Fingerprint(card)
	var packed bytes.Buffer
	if err := jpeg.Encode(&packed, card, &jpeg.Options{Quality: 10}); err != nil {
		t.Fatal(err)
	}
	compressed, err := jpeg.Decode(&packed)
	if err != nil {
		t.Fatal(err)
	}
	darker := image.NewRGBA(card.Rect)
	for i, v := range card.Pix {
		darker.Pix[i] = uint8(int(v) * 6 / 10)
	}
	tests := map[string]image.Image{
		"JPEG at quality 10": compressed,
		"a third the size":   Shrink(card, 290),
		"blurred":            blur(blur(blur(Grey(card)))),
		"darker":             darker,
	}
	for name, changed := range tests {
		if d := Distance(original, Fingerprint(changed)); d > 60 {
			t.Errorf("%s: %d bits of 512 away", name, d)
		}
	}
	for _, other := range []image.Image{drawnCard(12), HalfTurn(card)} {
		if d := Distance(original, Fingerprint(other)); d < 150 {
			t.Errorf("another picture is only %d bits away", d)
		}
	}
}

func TestFingerprint_Halves(t *testing.T) {
	t.Parallel()
	rising := image.NewGray(image.Rect(0, 0, 170, 160))
	for i := range rising.Pix {
		rising.Pix[i] = uint8(i % 170)
	}
	hash := Fingerprint(rising)
	for i, b := range hash[:32] {
		if b != 0xFF {
			t.Fatalf("byte %d of the difference hash of a picture that grows brighter is %08b", i, b)
		}
	}
	if hash[32]&0x80 == 0 {
		t.Error("the constant coefficient, the largest there is, is not above the median")
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := [64]byte(rapid.SliceOfN(rapid.Byte(), 64, 64).Draw(t, "a"))
		b := [64]byte(rapid.SliceOfN(rapid.Byte(), 64, 64).Draw(t, "b"))
		if Distance(a, a) != 0 || Distance(a, b) != Distance(b, a) || Distance(a, b) > 512 {
			t.Error("not a distance")
		}
		flipped := b
		flipped[3] ^= 0x10
		if d := Distance(a, b) - Distance(a, flipped); d != 1 && d != -1 {
			t.Errorf("one bit changes the distance by %d", d)
		}
	})
}

func TestLanczos_KeepsPlainAreas(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		level := rapid.Byte().Draw(t, "level")
		size := rapid.IntRange(1, 90)
		plain := image.NewGray(image.Rect(0, 0, size.Draw(t, "from w"), size.Draw(t, "from h")))
		for i := range plain.Pix {
			plain.Pix[i] = level
		}
		got := resizeLanczos(plain, size.Draw(t, "w"), size.Draw(t, "h"))
		for _, v := range got.Pix {
			if v != level {
				t.Fatalf("%d became %d", level, v)
			}
		}
	})
}
