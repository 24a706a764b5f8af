package ppocr_test

import (
	"image"
	"image/draw"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"github.com/cardvault/cardvault/internal/identify/modelfiles"
	"github.com/cardvault/cardvault/internal/identify/modelfiles/modelstest"
	"github.com/cardvault/cardvault/internal/identify/ppocr"
	"github.com/cardvault/cardvault/internal/identify/vision"
)

// printed draws lines of text in black on white, enlarged.
func printed(texts ...string) *image.RGBA {
	const scale = 3
	small := image.NewRGBA(image.Rect(0, 0, 150, 24*len(texts)+10))
	draw.Draw(small, small.Rect, image.White, image.Point{}, draw.Src)
	for i, text := range texts {
		d := font.Drawer{Dst: small, Src: image.Black, Face: basicfont.Face7x13, Dot: fixed.P(10, 24*i+20)}
		d.DrawString(text)
	}
	large := image.NewRGBA(image.Rect(0, 0, scale*small.Rect.Dx(), scale*small.Rect.Dy()))
	for y := range large.Rect.Dy() {
		for x := range large.Rect.Dx() {
			large.SetRGBA(x, y, small.RGBAAt(x/scale, y/scale))
		}
	}
	return large
}

func files(dir string) ppocr.Files {
	path := func(name string) string { return filepath.Join(dir, name) }
	return ppocr.Files{
		Library: path(modelfiles.Library), Detection: path(modelfiles.Detection),
		Recognition: path(modelfiles.Recognition),
	}
}

func TestRead_WithModels(t *testing.T) {
	t.Parallel()
	engine, err := ppocr.Load(files(modelstest.Dir(t)))
	if err != nil {
		t.Fatal(err)
	}
	upright := printed("Paldea Evolved", "Slakoth 160/193")
	for name, photo := range map[string]*image.RGBA{"upright": upright, "upside down": vision.HalfTurn(upright)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lines, err := engine.Find(photo)
			if err == nil {
				lines, err = engine.Read(photo, lines)
			}
			if err != nil {
				t.Fatal(err)
			}
			var texts []string
			for _, line := range lines {
				texts = append(texts, line.Text)
			}
			if diff := cmp.Diff([]string{"Paldea Evolved", "Slakoth 160/193"}, texts); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLoad_RefusesOtherFiles(t *testing.T) {
	t.Parallel()
	complete := files(modelstest.Dir(t))
	cut := filepath.Join(t.TempDir(), "cut")
	data, err := os.ReadFile(complete.Detection)
	if err == nil {
		err = os.WriteFile(cut, data[:len(data)/2], 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	action := regexp.MustCompile(`^(load models?|open engine)\b.*: `)
	for name, damage := range map[string]func(*ppocr.Files){
		"cut network":        func(f *ppocr.Files) { f.Detection = cut },
		"exchanged networks": func(f *ppocr.Files) { f.Detection, f.Recognition = f.Recognition, f.Detection },
		"cut library":        func(f *ppocr.Files) { f.Library = cut },
		"no library":         func(f *ppocr.Files) { f.Library = cut + "-none" },
		"no network":         func(f *ppocr.Files) { f.Recognition = cut + "-none" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wrong := complete
			damage(&wrong)
			if _, err := ppocr.Load(wrong); err == nil || !action.MatchString(err.Error()) {
				t.Errorf("Load: got %v, want an error", err)
			}
		})
	}
}
