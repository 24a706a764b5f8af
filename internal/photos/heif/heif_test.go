package heif

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"testing"
	"time"
)

// The quarters of the picture in most fixtures: top left, top right, bottom left, bottom right.
var quarters = [4]color.RGBA{{200, 40, 40, 255}, {40, 160, 70, 255}, {50, 70, 200, 255}, {230, 210, 60, 255}}

var white = color.RGBA{255, 255, 255, 255}

// decoded decodes a file.
func decoded(t testing.TB, data []byte) *image.YCbCr {
	t.Helper()
	return mustDecode(t, parsed(t, data))
}

func mustDecode(t testing.TB, f *File) *image.YCbCr {
	t.Helper()
	picture, err := f.Decode(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if size := picture.Rect.Size(); size.X != f.Width || size.Y != f.Height {
		t.Errorf("the picture has %v pixels, want %d × %d", size, f.Width, f.Height)
	}
	return picture
}

// checkQuarters compares the colours at the centres of the quarters.
func checkQuarters(t *testing.T, picture image.Image, want [4]color.RGBA) {
	t.Helper()
	size := picture.Bounds().Size()
	for i, want := range want {
		x, y := size.X*(1+2*(i%2))/4, size.Y*(1+2*(i/2))/4
		got := color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA)
		if distance(got, want) > 8 {
			t.Errorf("quarter %d is %v, want about %v", i, got, want)
		}
	}
}

// distance returns the largest difference of a channel.
func distance(a, b color.RGBA) int {
	largest := 0
	for _, d := range []int{int(a.R) - int(b.R), int(a.G) - int(b.G), int(a.B) - int(b.B)} {
		largest = max(largest, d, -d)
	}
	return largest
}

func TestContentType(t *testing.T) {
	t.Parallel()
	for want, files := range map[string][]string{
		HEIC: {
			"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic", "\x00\x00\x00\x18ftypmif1\x00\x00\x00\x00mif1heix",
			"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00",
		},
		HEIF: {"\x00\x00\x00\x14ftypmif1\x00\x00\x00\x00mif1heic"},
		AVIF: {"\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1", "\x00\x00\x00\x18ftypmif1\x00\x00\x00\x00miafavif"},
		"": {
			"", "\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isommp41", "\x00\x00\x00\x18ftypheic",
			"RIFF\x00\x00\x00\x00WEBPVP8 ", "\x00\x00\x00\x18moovheic\x00\x00\x00\x00mif1heic",
		},
	} {
		for _, file := range files {
			if got := ContentType([]byte(file)); got != want {
				t.Errorf("%q is %q, want %q", file, got, want)
			}
		}
	}
}

func TestDecode_EncodersOfAllKinds(t *testing.T) {
	t.Parallel()
	grey := [4]color.RGBA{{90, 90, 90, 255}, {90, 90, 90, 255}, {90, 90, 90, 255}, {90, 90, 90, 255}}
	halfBlue := color.RGBA{152, 162, 227, 255} // on white
	clear := [4]color.RGBA{quarters[0], white, halfBlue, quarters[3]}
	// rotated by a quarter clockwise, as Exif orientation 6
	clockwise := [4]color.RGBA{quarters[2], quarters[0], quarters[3], quarters[1]}
	// rotated by a quarter anticlockwise, then left and right exchanged
	transposed := [4]color.RGBA{quarters[3], quarters[1], quarters[2], quarters[0]}
	wide := [4]color.RGBA{{218, 0, 26, 255}, {0, 163, 56, 255}, {44, 71, 208, 255}, {234, 209, 0, 255}}
	for name, tc := range map[string]struct {
		width, height int
		want          [4]color.RGBA
	}{
		"plain.heic":         {400, 300, quarters},
		"odd.heic":           {401, 303, quarters},
		"grey.heic":          {400, 300, grey},
		"chroma444.heic":     {400, 300, quarters},
		"deep.heic":          {400, 300, quarters},
		"alpha.heic":         {400, 300, clear},
		"grid.heic":          {400, 300, quarters},
		"rotated.heic":       {300, 400, clockwise},
		"bt709.heic":         {400, 300, quarters},
		"profile.heic":       {400, 300, wide},
		"plain.avif":         {400, 300, quarters},
		"odd.avif":           {401, 303, quarters},
		"grey.avif":          {400, 300, grey},
		"deep.avif":          {400, 300, quarters},
		"deep422.avif":       {400, 300, quarters},
		"alpha.avif":         {400, 300, clear},
		"premultiplied.avif": {400, 300, clear},
		"grid.avif":          {400, 300, quarters},
		"rotated.avif":       {300, 400, transposed},
		"crop.avif":          {200, 150, [4]color.RGBA{quarters[0], quarters[0], quarters[0], quarters[0]}},
		"lossless.avif":      {400, 300, quarters},
		"p3.avif":            {400, 300, wide},
		"profile.avif":       {400, 300, wide},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			picture := decoded(t, fixture(t, name))
			if size := picture.Rect.Size(); size.X != tc.width || size.Y != tc.height {
				t.Errorf("the picture has %v pixels, want %d × %d", size, tc.width, tc.height)
			}
			checkQuarters(t, picture, tc.want)
		})
	}
}

// turn is a rotation or mirroring and what it makes of the quarters.
type turn struct {
	irot, imir int // imir is −1 for none
	order      [4]int
}

func TestDecode_AllOrientations(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"plain.heic", "odd.heic", "plain.avif", "alpha.avif", "chroma444.heic"} {
		source := fixture(t, file)
		upright := decoded(t, source)
		for _, turn := range []turn{
			{0, -1, [4]int{0, 1, 2, 3}},
			{1, -1, [4]int{1, 3, 0, 2}},
			{2, -1, [4]int{3, 2, 1, 0}},
			{3, -1, [4]int{2, 0, 3, 1}},
			{0, 0, [4]int{2, 3, 0, 1}},
			{0, 1, [4]int{1, 0, 3, 2}},
			{1, 0, [4]int{0, 2, 1, 3}},
			{1, 1, [4]int{3, 1, 2, 0}},
		} {
			t.Run(fmt.Sprintf("%s, irot %d, imir %d", file, turn.irot, turn.imir), func(t *testing.T) {
				t.Parallel()
				var want [4]color.RGBA
				for i, from := range turn.order {
					size := upright.Rect.Size()
					x, y := size.X*(1+2*(from%2))/4, size.Y*(1+2*(from/2))/4
					want[i] = color.RGBAModel.Convert(upright.At(x, y)).(color.RGBA)
				}
				checkQuarters(t, decoded(t, turned(t, source, turn)), want)
			})
		}
	}
}

// turned returns a file with a picture, its opacity if any, and a rotation and mirroring.
func turned(t *testing.T, source []byte, turn turn) []byte {
	t.Helper()
	b := &builder{}
	properties := []int{b.property("irot", []byte{byte(turn.irot)})}
	if turn.imir >= 0 {
		properties = append(properties, b.property("imir", []byte{byte(turn.imir)}))
	}
	f := parsed(t, source)
	picture := codedIn(t, source)
	b.primary = picture.add(b, append(properties, colourOf(b, f.tint))...)
	if f.alpha != nil {
		alpha := coded{picture.kind, f.alpha.config, f.alpha.tiles[0], f.alpha.width, f.alpha.height}
		item := alpha.add(b, b.property("auxC", be32(0), []byte(alphaTypes[0]+"\x00")))
		b.refer("auxl", item, b.primary)
	}
	return b.bytes()
}

// colourOf adds what a file says about its colours.
func colourOf(b *builder, t tint) int {
	fullRange := byte(0)
	if t.fullRange {
		fullRange = 0x80
	}
	return b.property("colr", []byte("nclx"),
		be16(uint16(t.primaries)), be16(uint16(t.transfer)), be16(uint16(t.matrix)), []byte{fullRange})
}

// A grid of copies shows the picture once in each tile, and only a part of it in the last column and row.
func TestDecode_Grid(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"plain.heic", "plain.avif"} {
		b := &builder{}
		b.primary = codedIn(t, fixture(t, file)).grid(b, 3, 2, 1000, 450)
		picture := decoded(t, b.bytes())
		for column := range 3 {
			for row := range 2 {
				at := image.Pt(column*400+100, row*300+75)
				got := color.RGBAModel.Convert(picture.At(at.X, at.Y)).(color.RGBA)
				if distance(got, quarters[0]) > 8 {
					t.Errorf("%s: the pixel at %v is %v, want about %v", file, at, got, quarters[0])
				}
			}
		}
	}
}

// A picture of many pixels in few bytes that states a small size gets no more memory than that size needs.
func TestDecode_BoundsMemory(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"flat.heic", "flat.avif"} {
		bomb := codedIn(t, fixture(t, file))
		bomb.width, bomb.height = 300, 300
		b := &builder{}
		b.primary = bomb.add(b)
		f := parsed(t, b.bytes())
		if limit := f.Memory(); limit > 10<<20 {
			t.Errorf("%s: Memory = %d MiB, want that of 300 × 300 pixels", file, limit>>20)
		}
		if _, err := f.Decode(t.Context()); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: Decode = %v, want ErrDamaged", file, err)
		}
	}
}

// The limit of a decoder's memory is enough for pictures without tiles.
func TestDecode_LargePictures(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"flat.heic", "flat.avif"} {
		checkQuarters(t, decoded(t, fixture(t, file)), quarters)
	}
}

func TestDecode_StopsWithContext(t *testing.T) {
	t.Parallel()
	f := parsed(t, fixture(t, "flat.heic"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Decode(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Decode = %v, want context.Canceled", err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := f.Decode(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Decode = %v, want context.DeadlineExceeded", err)
	}
}

// A photo as phones save it: 48 tiles of 512 × 512 pixels.
func BenchmarkDecode12Megapixels(b *testing.B) {
	for _, name := range []string{"tile.heic"} {
		b.Run(name, func(b *testing.B) {
			var file builder
			file.primary = codedIn(b, fixture(b, name)).grid(&file, 8, 6, 4032, 3024)
			data := file.bytes()
			b.ReportAllocs()
			for b.Loop() {
				decoded(b, data)
			}
		})
	}
}
