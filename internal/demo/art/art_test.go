package art

import (
	"bytes"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var otter = Card{Name: "Lanternfin Otter", Set: "Lantern Tides", Number: "12/18", HP: "90",
	Text: "Draw a card for each lantern in play.\nThen rest.", Illustrator: "Ona Brask", Seed: 7}

func rgba(img image.Image) *image.RGBA {
	copied := image.NewRGBA(img.Bounds())
	draw.Draw(copied, img.Bounds(), img, img.Bounds().Min, draw.Src)
	return copied
}

func TestDraw_IsDeterministic(t *testing.T) {
	t.Parallel()
	first, again := rgba(Draw(otter)), rgba(Draw(otter))
	if !bytes.Equal(first.Pix, again.Pix) || first.Bounds() != image.Rect(0, 0, Width, Height) {
		t.Fatal("two pictures of a card differ, want the same one")
	}
	other := otter
	other.Seed++
	if bytes.Equal(first.Pix, rgba(Draw(other)).Pix) {
		t.Fatal("two seeds give the same picture, want different ones")
	}
}

// OCR can read the text of a picture.
func TestDraw_IsLegible(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "card.png")
	var out bytes.Buffer
	if err := png.Encode(&out, Draw(otter)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	read, err := exec.Command("tesseract", path, "-", "--psm", "11").Output() // 11: text anywhere
	if err != nil {
		t.Fatalf("tesseract: %v", err)
	}
	for _, want := range []string{otter.Name, "HP 90", otter.Number, otter.Set, "each lantern in play"} {
		if !strings.Contains(string(read), want) {
			t.Errorf("OCR: got %q, want it to contain %q", read, want)
		}
	}
}

func TestDraw_AnyText(t *testing.T) {
	t.Parallel()
	long := Card{
		Name: strings.Repeat("Long Name ", 20), Number: strings.Repeat("9", 20), Set: strings.Repeat("Set ", 30),
		Text: strings.Repeat("many words and averyveryverylongwordindeedwithoutanyspaceinit ", 60),
	}
	for name, card := range map[string]Card{"empty": {}, "long": long} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, want := Draw(card).Bounds(), image.Rect(0, 0, Width, Height); got != want {
				t.Errorf("bounds: got %v, want %v", got, want)
			}
		})
	}
}

func TestPhoto_IsDeterministicJPEG(t *testing.T) {
	t.Parallel()
	card := Draw(otter)
	first, err := Photo(card, 1)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Photo(card, 1)
	if err != nil || !bytes.Equal(first, again) {
		t.Fatalf("two photos with one seed differ (%v), want the same one", err)
	}
	config, err := jpeg.DecodeConfig(bytes.NewReader(first))
	if err != nil || config.Width != photoWidth || config.Height != photoHeight {
		t.Fatalf("DecodeConfig: got %+v, %v, want %d × %d", config, err, photoWidth, photoHeight)
	}
}

func TestHomography_MapsCorners(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		jitter := rapid.Float64Range(-40, 40)
		from := [4][2]float64{{100, 100}, {800, 120}, {790, 1200}, {90, 1180}}
		for i := range from {
			from[i][0] += jitter.Draw(t, "x")
			from[i][1] += jitter.Draw(t, "y")
		}
		m := homography(from, image.Rect(0, 0, Width, Height))
		for i, want := range [4][2]float64{{0, 0}, {Width, 0}, {Width, Height}, {0, Height}} {
			u, v := m.at(from[i][0], from[i][1])
			if math.Hypot(u-want[0], v-want[1]) > 1e-6 {
				t.Fatalf("corner %d: got %v, %v, want %v", i, u, v, want)
			}
		}
	})
}
