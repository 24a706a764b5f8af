package vision

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"slices"
	"testing"
)

// segment returns a segment of a JPEG.
func segment(marker byte, payload ...byte) []byte {
	head := binary.BigEndian.AppendUint16([]byte{0xFF, marker}, uint16(len(payload)+2))
	return append(head, payload...)
}

// cmykJPEG returns a JPEG of one colour with four components, each 0 or 255, as Adobe's programs write it: inverted.
// The sides are multiples of 8.
func cmykJPEG(w, h int, colour [4]byte) []byte {
	out := []byte{0xFF, 0xD8}
	out = append(out, segment(0xEE, append([]byte("Adobe"), 0, 100, 0, 0, 0, 0, 0)...)...) // no transform
	out = append(out, segment(0xDB, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)...)
	frame := []byte{8, byte(h >> 8), byte(h), byte(w >> 8), byte(w), 4}
	scan := []byte{4}
	for id := range byte(4) {
		frame, scan = append(frame, id+1, 0x11, 0), append(scan, id+1, 0)
	}
	out = append(out, segment(0xC0, frame...)...)
	// The table of DC coefficients has the codes 0 for no difference and 10 for one of 10 bits; that of AC
	// coefficients has 0 for the end of the block.
	rest := make([]byte, 14) // no longer codes
	out = append(out, segment(0xC4, slices.Concat([]byte{0, 1, 1}, rest, []byte{0, 10})...)...)
	out = append(out, segment(0xC4, slices.Concat([]byte{0x10, 1, 0}, rest, []byte{0})...)...)
	out = append(out, segment(0xDA, append(scan, 0, 63, 0)...)...)
	var bits []bool
	add := func(value, length int) {
		for at := length - 1; at >= 0; at-- {
			bits = append(bits, value>>at&1 == 1)
		}
	}
	for block := range w / 8 * h / 8 {
		for _, ink := range colour {
			if block > 0 {
				add(0, 2)
				continue
			}
			difference := 1016 // 127 above the mean
			if ink > 127 {
				difference = 1<<10 - 1 - difference
			}
			add(2, 2)
			add(difference, 10)
			add(0, 1)
		}
	}
	for len(bits)%8 != 0 {
		bits = append(bits, true)
	}
	for at := 0; at < len(bits); at += 8 {
		var b byte
		for _, bit := range bits[at : at+8] {
			b <<= 1
			if bit {
				b |= 1
			}
		}
		if out = append(out, b); b == 0xFF {
			out = append(out, 0)
		}
	}
	return append(out, 0xFF, 0xD9)
}

// asPNG encodes a picture as PNG.
func asPNG(t testing.TB, m image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, m); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// animated returns a PNG with the chunk of an animation.
func animated(still []byte) []byte {
	const header = 8 + 25 // the signature and IHDR
	chunk := append([]byte("acTL"), 0, 0, 0, 2, 0, 0, 0, 0)
	out := binary.BigEndian.AppendUint32(bytes.Clone(still[:header]), 8)
	out = binary.BigEndian.AppendUint32(append(out, chunk...), crc32.ChecksumIEEE(chunk))
	return append(out, still[header:]...)
}

// painted paints a red picture.
func painted(m draw.Image) image.Image {
	draw.Draw(m, m.Bounds(), image.NewUniform(red), image.Point{}, draw.Src)
	return m
}

func TestDecode_Formats(t *testing.T) {
	t.Parallel()
	const w, h = 64, 48
	area := image.Rect(0, 0, w, h)
	grey := color.RGBA{R: 76, G: 76, B: 76, A: 255}
	for name, tc := range map[string]struct {
		photo []byte
		want  color.RGBA
	}{
		"CMYK":          {cmykJPEG(w, h, [4]byte{0, 255, 255, 0}), red},
		"16 bits":       {asPNG(t, painted(image.NewRGBA64(area))), red},
		"16 bits, grey": {asPNG(t, painted(image.NewGray16(area))), grey},
		"palette":       {asPNG(t, painted(image.NewPaletted(area, color.Palette{blue, red}))), red},
		"transparent":   {asPNG(t, painted(image.NewNRGBA(area))), red},
		"animated":      {animated(asPNG(t, painted(image.NewRGBA(area)))), red},
	} {
		got, err := Decode(tc.photo)
		if err != nil || got.Rect.Dx() != w || got.Rect.Dy() != h {
			t.Errorf("%s: got %v, %v, want %d × %d pixels", name, got, err, w, h)
			continue
		}
		c := got.RGBAAt(w/2, h/2)
		for _, pair := range [][2]uint8{{c.R, tc.want.R}, {c.G, tc.want.G}, {c.B, tc.want.B}} {
			if max(pair[0], pair[1])-min(pair[0], pair[1]) > 2 {
				t.Errorf("%s: got the colour %v, want %v", name, c, tc.want)
				break
			}
		}
	}
}

// The decoder makes a second picture of RGB and CMYK.
func TestJPEGHeader_Converted(t *testing.T) {
	t.Parallel()
	const w, h = 64, 48
	area := image.Rect(0, 0, w, h)
	var usual bytes.Buffer
	if err := jpeg.Encode(&usual, image.NewRGBA(area), nil); err != nil {
		t.Fatal(err)
	}
	// adobe returns the usual photo with Adobe's segment, which says how its colours were transformed.
	adobe := func(transform byte) []byte {
		marked := segment(markerAPP14, append([]byte("Adobe\x00\x64\x00\x00\x00\x00"), transform)...)
		return slices.Concat([]byte{0xFF, 0xD8}, marked, usual.Bytes()[2:])
	}
	for name, c := range map[string]struct {
		photo []byte
		want  int64
	}{
		"usual":           {usual.Bytes(), 0},
		"CMYK":            {cmykJPEG(w, h, [4]byte{}), 4 * w * h},
		"RGB of Adobe":    {adobe(0), 4 * w * h},
		"YCbCr, of Adobe": {adobe(1), 0},
	} {
		if got := readJPEGHeader(c.photo).converted; got != c.want {
			t.Errorf("%s: got %d bytes, want %d", name, got, c.want)
		}
	}
}

// Decode never panics and returns a picture within the bounds, or says why there is none.
func FuzzDecode(f *testing.F) {
	area := image.Rect(0, 0, 16, 16)
	f.Add(cmykJPEG(16, 16, [4]byte{0, 255, 255, 0}))
	f.Add(asPNG(f, painted(image.NewRGBA64(area))))
	f.Add(animated(asPNG(f, painted(image.NewRGBA(area)))))
	f.Add([]byte("RIFF\x24\x00\x00\x00WEBPVP8L\x17\x00\x00\x00" +
		"\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00"))
	f.Fuzz(func(t *testing.T, photo []byte) {
		got, err := Decode(photo)
		switch {
		case err != nil && !errors.Is(err, ErrNotAPicture) && !errors.Is(err, ErrTooLarge):
			t.Errorf("got the error %v, want one of the package", err)
		case err == nil && (got.Rect.Empty() || max(got.Rect.Dx(), got.Rect.Dy()) > workingSide):
			t.Errorf("got a picture of %v", got.Rect)
		}
	})
}
