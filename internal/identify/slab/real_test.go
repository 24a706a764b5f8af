package slab_test

import (
	"image"
	"image/color"
	"image/draw"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/identify/modelfiles"
	"github.com/cardvault/cardvault/internal/identify/modelfiles/modelstest"
	"github.com/cardvault/cardvault/internal/identify/ppocr"
	"github.com/cardvault/cardvault/internal/identify/slab"
)

// print is a text at a place of a label.
type print struct {
	x, y int // of its lower left corner
	size float64
	text string
}

// drawn returns a slab: the label, and the card below it.
func drawn(t *testing.T, label []print) *image.RGBA {
	t.Helper()
	slab := image.NewRGBA(image.Rect(0, 0, 800, 1300))
	fill := func(r image.Rectangle, c color.Color) {
		draw.Draw(slab, r, image.NewUniform(c), image.Point{}, draw.Src)
	}
	fill(slab.Rect, color.Gray{120})
	fill(image.Rect(40, 40, 760, 280), color.White)
	fill(image.Rect(100, 340, 700, 1180), color.RGBA{R: 240, G: 220, B: 120, A: 255})
	face, err := opentype.Parse(gobold.TTF)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range append(label, print{140, 400, 36, "Emberling"}, print{140, 1150, 22, "12/108"}) {
		drawer := font.Drawer{Dst: slab, Src: image.Black, Dot: fixed.P(p.x, p.y)}
		if drawer.Face, err = opentype.NewFace(face, &opentype.FaceOptions{Size: p.size, DPI: 72}); err != nil {
			t.Fatal(err)
		}
		drawer.DrawString(p.text)
	}
	return slab
}

// Labels are read by the networks as they are read on photos.
func TestParse_WithModels(t *testing.T) {
	t.Parallel()
	dir := modelstest.Dir(t)
	engine, err := ppocr.Load(ppocr.Files{
		Library: filepath.Join(dir, modelfiles.Library), Detection: filepath.Join(dir, modelfiles.Detection),
		Recognition: filepath.Join(dir, modelfiles.Recognition),
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		label []print
		want  *cards.Grade
	}{
		"PSA": {[]print{
			{60, 90, 30, "2023 EMBER GAME"}, {640, 90, 30, "#012"}, {60, 140, 30, "EMBERLING-HOLO"},
			{600, 140, 30, "GEM MT"}, {60, 190, 30, "1ST EDITION"}, {690, 190, 30, "10"}, {60, 260, 40, "PSA"},
			{560, 260, 30, "00839485"},
		}, grade("PSA", "10", "00839485")},
		"BGS": {[]print{
			{60, 100, 40, "BECKETT"}, {300, 100, 24, "CENTERING 9.5"}, {300, 140, 24, "CORNERS 9"},
			{300, 180, 24, "EDGES 9.5"}, {300, 220, 24, "SURFACE 9.5"}, {560, 100, 30, "GEM MINT"},
			{580, 200, 80, "9.5"}, {60, 260, 26, "0011223344"},
		}, grade("BGS", "9.5", "0011223344")},
		"CGC": {[]print{
			{60, 100, 48, "CGC"}, {60, 160, 26, "Emberling"}, {60, 200, 26, "Ember Set - 12/108"},
			{560, 100, 30, "PRISTINE"}, {590, 190, 80, "10"}, {60, 260, 26, "4135367004"},
		}, grade("CGC", "10", "4135367004")},
		"no label": {nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			photo := drawn(t, c.label)
			lines, err := engine.Find(photo)
			if err == nil {
				lines, err = engine.Read(photo, lines)
			}
			if err != nil {
				t.Fatal(err)
			}
			var texts []string
			for _, line := range lines {
				if line.IsText() {
					texts = append(texts, line.Text)
				}
			}
			var got *cards.Grade
			if label, ok := slab.Parse(texts); ok {
				got = &label.Grade
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("grade on %q (-want +got):\n%s", texts, diff)
			}
		})
	}
}
