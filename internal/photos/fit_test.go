package photos

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"testing"

	"github.com/cardvault/cardvault/internal/fault"
)

func TestFit(t *testing.T) {
	t.Parallel()
	clear := image.NewNRGBA(image.Rect(0, 0, 400, 300))
	clear.Set(0, 0, color.Black)
	for name, tc := range map[string]struct {
		photo []byte
		limit int
		code  fault.Code // "" means that it fits
	}{
		"JPEG":              {jpegOf(t, 400, 300), 60_000, ""},
		"JPEG of a camera":  {cameraJPEG(jpegOf(t, 400, 300), 6), 60_000, ""},
		"PNG":               {pngOf(t, picture(400, 300)), 60_000, ""},
		"transparent PNG":   {pngOf(t, clear), 60_000, ""},
		"WebP":              {plainWebP(400, 300), 60_000, ""},
		"too small a limit": {jpegOf(t, 400, 300), 1_000, fault.PhotoInvalid},
		"too many pixels":   {plainWebP(MaxSide, MaxSide), 12_000, fault.PhotoInvalid},
		"broken":            {jpegOf(t, 400, 300)[:2000], 12_000, fault.PhotoInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stored, before, err := Check(t.Context(), "acc_1", tc.photo)
			if err != nil {
				stored = tc.photo
			}
			data, err := fit(t.Context(), "acc_1", stored, tc.limit)
			if tc.code != "" {
				if !fault.Is(err, tc.code) {
					t.Errorf("fit = %d bytes, %v, want %s", len(data), err, tc.code)
				}
				return
			}
			if err != nil || len(data) > tc.limit {
				t.Fatalf("fit = %d bytes, %v, want at most %d", len(data), err, tc.limit)
			}
			_, after, err := Check(t.Context(), "acc_1", data)
			if err != nil || after.ContentType != JPEG || after.Width != before.Width ||
				after.Height != before.Height || after.Orientation != before.Orientation {
				t.Errorf("%+v, %v, want a JPEG as large and as turned as %+v", after, err, before)
			}
		})
	}
	data, err := fit(t.Context(), "acc_1", pngOf(t, clear), 60_000)
	if err != nil {
		t.Fatal(err)
	}
	shown, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if r, g, b, _ := shown.At(200, 150).RGBA(); r < 0xF000 || g < 0xF000 || b < 0xF000 {
		t.Errorf("what was transparent has the colour %x %x %x, want white", r, g, b)
	}
}
