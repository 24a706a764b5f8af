package processtest

import (
	"bytes"
	"image"
	"image/draw"
	"image/png"
	"testing"
	"time"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"github.com/cardvault/cardvault/internal/identify/modelfiles/modelstest"
	"github.com/cardvault/cardvault/internal/identify/photoreader"
	"github.com/cardvault/cardvault/internal/identify/vision"
)

// The program reads text on a photo with the installed models as a child process.
func TestReadPhotos(t *testing.T) {
	t.Parallel()
	small := image.NewRGBA(image.Rect(0, 0, 120, 40))
	draw.Draw(small, small.Rect, image.White, image.Point{}, draw.Src)
	print := font.Drawer{Dst: small, Src: image.Black, Face: basicfont.Face7x13, Dot: fixed.P(20, 24)}
	print.DrawString("160/193")
	picture := image.NewRGBA(image.Rect(0, 0, 480, 160))
	for y := range picture.Rect.Dy() {
		for x := range picture.Rect.Dx() {
			picture.SetRGBA(x, y, small.RGBAAt(x/4, y/4))
		}
	}
	var photo bytes.Buffer
	if err := png.Encode(&photo, picture); err != nil {
		t.Fatal(err)
	}
	pool := photoreader.New(photoreader.Config{
		Command: []string{binary, "read-photos", "--models-dir", modelstest.Dir(t)},
		Timeout: time.Minute, StartTimeout: time.Minute,
	})
	defer pool.Close()
	lines, err := pool.Find(t.Context(), vision.Area{Photo: photo.Bytes()})
	if err != nil || len(lines) != 1 || lines[0].Text != "160/193" {
		t.Errorf("Find: got %+v, %v, want 160/193", lines, err)
	}
}
