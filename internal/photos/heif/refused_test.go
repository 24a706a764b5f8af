package heif

import (
	"errors"
	"slices"
	"testing"
)

func TestParse_Refuses(t *testing.T) {
	t.Parallel()
	plain := fixture(t, "plain.heic")
	picture := codedIn(t, plain)
	build := func(change func(b *builder)) []byte {
		b := &builder{}
		b.primary = picture.add(b)
		change(b)
		return b.bytes()
	}
	for name, tc := range map[string]struct {
		data []byte
		want error
	}{
		"empty":             {nil, ErrTruncated},
		"no items":          {box("ftyp", []byte("heic\x00\x00\x00\x00")), ErrTruncated},
		"cut in the header": {plain[:200], ErrTruncated},
		"cut in the data":   {plain[:len(plain)-1], ErrTruncated},
		"a video":           {slices.Concat(box("ftyp", []byte("msf1\x00\x00\x00\x00")), box("moov")), ErrAnimated},
		"no primary item":   {build(func(b *builder) { b.primary = 9 }), ErrDamaged},
		"no size":           {build(func(b *builder) { b.items[0].properties = []int{2} }), ErrDamaged},
		"no configuration":  {build(func(b *builder) { b.items[0].properties = []int{1} }), ErrDamaged},
		"another codec":     {build(func(b *builder) { b.items[0].kind = "j2k1" }), ErrUnsupported},
		"overlay":           {build(func(b *builder) { b.items[0].kind = "iovl" }), ErrUnsupported},
		"size of nothing": {build(func(b *builder) {
			b.properties[0] = box("ispe", be32(0), be32(0), be32(300))
		}), ErrDamaged},
		"huge tile": {build(func(b *builder) {
			b.properties[0] = box("ispe", be32(0), be32(1<<31), be32(1<<31))
		}), ErrDamaged},
		"crop larger than the picture": {build(func(b *builder) {
			crop := b.property("clap", be32(401), be32(1), be32(300), be32(1), be32(0), be32(1), be32(0), be32(1))
			b.items[0].properties = append(b.items[0].properties, crop)
		}), ErrDamaged},
		"crop of a part of nothing": {build(func(b *builder) {
			crop := b.property("clap", be32(40), be32(0), be32(300), be32(1), be32(0), be32(1), be32(0), be32(1))
			b.items[0].properties = append(b.items[0].properties, crop)
		}), ErrDamaged},
		"grid without tiles": {build(func(b *builder) {
			b.primary = b.item("grid", []byte{0, 0, 1, 1, 3, 0, 2, 0}, b.size(768, 512))
		}), ErrDamaged},
		"grid of one tile for all": {build(func(b *builder) {
			b.primary = b.item("grid", []byte{0, 0, 15, 15, 0x19, 0, 0x12, 0xC0}, b.size(6400, 4800))
			b.refer("dimg", b.primary, slices.Repeat([]int{1}, 256)...)
		}), ErrDamaged},
		"grid that contains itself": {build(func(b *builder) {
			b.primary = b.item("grid", []byte{0, 0, 0, 0, 3, 0, 2, 0}, b.size(768, 512))
			b.refer("dimg", b.primary, b.primary)
		}), ErrUnsupported},
		"grid larger than its tiles": {build(func(b *builder) {
			b.primary = picture.grid(b, 2, 2, 5000, 5000)
		}), ErrDamaged},
		"many tiles": {build(func(b *builder) {
			tiles := slices.Repeat([]int{1}, 256*5)
			b.primary = b.item("grid", []byte{0, 1, 4, 255, 0, 0, 40, 0, 0, 0, 4, 0}, b.size(10240, 1024))
			b.refer("dimg", b.primary, tiles...)
		}), ErrTooBusy},
		"many references": {build(func(b *builder) {
			b.refer("thmb", 1, slices.Repeat([]int{1}, maxEntries)...)
		}), ErrTooBusy},
		"opacity of another size": {build(func(b *builder) {
			small := picture
			small.width = 300
			b.refer("auxl", small.add(b, b.property("auxC", be32(0), []byte(alphaTypes[1]+"\x00"))), b.primary)
		}), ErrDamaged},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := Parse(tc.data); !errors.Is(err, tc.want) {
				t.Errorf("Parse = %v, want %v", err, tc.want)
			}
		})
	}
}

// A file whose structure is right but whose pixels are not is refused by the decoder.
func TestDecode_Refuses(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"plain.heic", "plain.avif"} {
		whole := codedIn(t, fixture(t, file))
		for name, change := range map[string]func(c *coded){
			"half of the pixels": func(c *coded) { c.data = c.data[:len(c.data)/2] },
			"no pixels":          func(c *coded) { c.data = []byte{0, 0, 0, 1, 0} },
			"zeros":              func(c *coded) { c.data = make([]byte, len(c.data)) },
			"a larger size":      func(c *coded) { c.width += 2 },
		} {
			t.Run(file+", "+name, func(t *testing.T) {
				t.Parallel()
				broken := whole
				change(&broken)
				b := &builder{}
				b.primary = broken.add(b)
				_, err := parsed(t, b.bytes()).Decode(t.Context())
				if !errors.Is(err, ErrDamaged) {
					t.Errorf("Decode = %v, want ErrDamaged", err)
				}
			})
		}
	}
}

// FuzzParse decodes small pictures, too, because the decoders run in a sandbox that must contain them.
func FuzzParse(f *testing.F) {
	for _, name := range []string{
		"plain.heic", "grid.heic", "alpha.heic", "rotated.heic", "profile.heic", "plain.avif", "grid.avif",
	} {
		f.Add(fixture(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Parse(data)
		if err != nil {
			for _, known := range []error{ErrTruncated, ErrDamaged, ErrTooBusy, ErrAnimated, ErrUnsupported} {
				if errors.Is(err, known) {
					return
				}
			}
			if _, several := errors.AsType[*FramesError](err); several {
				return
			}
			t.Fatalf("Parse = %v, want an error of this package", err)
		}
		if file.Width <= 0 || file.Height <= 0 || file.Memory() <= 0 {
			t.Fatalf("Parse = %d × %d pixels, %d bytes", file.Width, file.Height, file.Memory())
		}
		if file.Memory() > 16<<20 {
			return
		}
		_, err = file.Decode(t.Context())
		if err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrTooSlow) {
			t.Fatalf("Decode = %v, want ErrDamaged or ErrTooSlow", err)
		}
	})
}
