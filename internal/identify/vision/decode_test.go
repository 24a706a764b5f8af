package vision

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"testing"
)

var red, blue = color.RGBA{R: 255, A: 255}, color.RGBA{B: 255, A: 255}

// cornered is a blue picture whose top left quarter is red.
func cornered(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := blue
			if x < w/2 && y < h/2 {
				c = red
			}
			m.SetRGBA(x, y, c)
		}
	}
	return m
}

// withExif encodes a JPEG and puts an EXIF segment with an orientation into it.
func withExif(t *testing.T, m image.Image, order binary.AppendByteOrder, orientation uint16) []byte {
	t.Helper()
	var plain bytes.Buffer
	if err := jpeg.Encode(&plain, m, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	tiff := []byte("MM\x00*")
	if order == binary.AppendByteOrder(binary.LittleEndian) {
		tiff = []byte("II*\x00")
	}
	tiff = order.AppendUint32(tiff, 8)
	tiff = order.AppendUint16(tiff, 1)
	tiff = order.AppendUint16(tiff, 0x0112)
	tiff = order.AppendUint16(tiff, 3)
	tiff = order.AppendUint32(tiff, 1)
	tiff = order.AppendUint16(tiff, orientation)
	tiff = append(tiff, 0, 0)
	segment := append([]byte("Exif\x00\x00"), tiff...)
	out := []byte{0xFF, 0xD8, 0xFF, 0xE1}
	out = binary.BigEndian.AppendUint16(out, uint16(len(segment)+2))
	return append(append(out, segment...), plain.Bytes()[2:]...)
}

func TestDecode_AppliesOrientation(t *testing.T) {
	t.Parallel()
	// Where the stored top left corner is shown, by orientation (TIFF 6.0, tag 274).
	tests := []struct {
		orientation  uint16
		right, below bool
		sideways     bool
	}{
		{1, false, false, false}, {2, true, false, false}, {3, true, true, false}, {4, false, true, false},
		{5, false, false, true}, {6, true, false, true}, {7, true, true, true}, {8, false, true, true},
		{9, false, false, false},
	}
	for _, order := range []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian} {
		for _, test := range tests {
			got, err := Decode(withExif(t, cornered(64, 32), order, test.orientation))
			if err != nil {
				t.Fatal(err)
			}
			w, h := got.Rect.Dx(), got.Rect.Dy()
			if sideways := w < h; sideways != test.sideways {
				t.Errorf("orientation %d: %d×%d", test.orientation, w, h)
			}
			x, y := w/8, h/8
			if test.right {
				x = w - 1 - x
			}
			if test.below {
				y = h - 1 - y
			}
			if c := got.RGBAAt(x, y); c.R < 200 || c.B > 60 {
				t.Errorf("orientation %d: the red corner is not at %d,%d: %v", test.orientation, x, y, c)
			}
		}
	}
}

func TestDecode_Shrinks(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := png.Encode(&b, cornered(3600, 1200)); err != nil {
		t.Fatal(err)
	}
	got, err := Decode(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if got.Rect.Dx() != workingSide || got.Rect.Dy() != workingSide/3 {
		t.Fatalf("got %v", got.Rect)
	}
	if got.RGBAAt(10, 10) != red || got.RGBAAt(workingSide-10, 10) != blue {
		t.Error("colours moved")
	}
}

func TestDecode_Refuses(t *testing.T) {
	t.Parallel()
	var small bytes.Buffer
	if err := jpeg.Encode(&small, cornered(16, 16), nil); err != nil {
		t.Fatal(err)
	}
	huge := bytes.Clone(small.Bytes())
	sof := bytes.Index(huge, []byte{0xFF, 0xC0})
	binary.BigEndian.PutUint16(huge[sof+5:], 12000)
	binary.BigEndian.PutUint16(huge[sof+7:], 12000)
	progressive := bytes.Clone(small.Bytes())
	progressive[sof+1] = 0xC2
	binary.BigEndian.PutUint16(progressive[sof+5:], 5000)
	binary.BigEndian.PutUint16(progressive[sof+7:], 5000)
	tests := map[string]struct {
		photo []byte
		want  error
	}{
		"nothing":                    {nil, ErrNotAPicture},
		"text":                       {[]byte("<html>not found</html>"), ErrNotAPicture},
		"cut off":                    {small.Bytes()[:len(small.Bytes())/2], ErrNotAPicture},
		"claims 144 megapixels":      {huge, ErrTooLarge},
		"progressive, 25 megapixels": {progressive, ErrTooLarge},
	}
	for name, test := range tests {
		if _, err := Decode(test.photo); !errors.Is(err, test.want) {
			t.Errorf("%s: got %v, want %v", name, err, test.want)
		}
	}
}

func FuzzReadJPEGHeader(f *testing.F) {
	f.Add([]byte{0xFF, 0xD8, 0xFF, 0xE1, 0, 40, 'E', 'x', 'i', 'f', 0, 0, 'I', 'I', '*', 0, 8, 0, 0, 0, 1, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		if h := readJPEGHeader(b); h.orientation < 1 || h.orientation > 8 || h.samples < 0 {
			t.Errorf("%+v", h)
		}
	})
}
