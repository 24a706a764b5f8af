package photos

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/sharedtest"
)

func TestCheck_AcceptsThreeFormats(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		data          []byte
		contentType   string
		width, height int
	}{
		"jpeg":          {jpegOf(t, 400, 300), JPEG, 400, 300},
		"png":           {pngOf(t, picture(300, 420)), PNG, 300, 420},
		"webp":          {plainWebP(640, 480), WebP, 640, 480},
		"extended webp": {extendedWebP(640, 480, 1, webpExif|webpXMP), WebP, 640, 480},
		"largest webp":  {plainWebP(MaxSide, MaxSide), WebP, MaxSide, MaxSide},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, info, err := Check(context.Background(), "acc_1", tc.data)
			if err != nil {
				t.Fatal(err)
			}
			want := Info{
				ContentType: tc.contentType, Width: tc.width, Height: tc.height, Size: int64(len(data)),
				Orientation: upright,
			}
			if diff := cmp.Diff(want, info); diff != "" {
				t.Errorf("Info (-want +got):\n%s", diff)
			}
			if decoded, _, err := image.DecodeConfig(bytes.NewReader(data)); err != nil || decoded.Width != tc.width {
				t.Errorf("the photo to store cannot be decoded: %v", err)
			}
		})
	}
}

// A photo whose decoding needs too much memory is only checked by its structure.
func TestCheck_DoesNotDecodeLargestPNG(t *testing.T) {
	t.Parallel()
	header := binary.BigEndian.AppendUint32(nil, MaxSide)
	header = append(binary.BigEndian.AppendUint32(header, MaxSide), 8, 6, 0, 0, 0) // 8-bit RGBA: 549 MiB
	data := appendChunk([]byte(pngSignature), "IHDR", header)
	data = appendChunk(data, "IDAT", []byte("no pixels: decoding fails"))
	body := len(data)
	data = appendChunk(data, "IEND", nil)
	_, info, err := Check(context.Background(), "acc_1", data)
	if err != nil || info.Width != MaxSide || info.Height != MaxSide {
		t.Errorf("Check = %+v, %v, want %d × %d pixels", info, err, MaxSide, MaxSide)
	}
	if _, _, err := Check(context.Background(), "acc_1", data[:body]); !fault.Is(err, fault.PhotoInvalid) {
		t.Errorf("without its end: %v, want photo_invalid", err)
	}
	data[body-10] ^= 1
	if _, _, err := Check(context.Background(), "acc_1", data); !fault.Is(err, fault.PhotoInvalid) {
		t.Errorf("with a wrong CRC: %v, want photo_invalid", err)
	}
}

func TestCheck_Refuses(t *testing.T) {
	t.Parallel()
	photo, animation := jpegOf(t, 400, 300), extendedWebP(400, 300, 1, webpAnimated)
	manyScans := slices.Clone(photo[:len(photo)-2])
	scan := jpegSegment(mSOS, "\x03\x01\x00\x02\x11\x03\x11\x00\x3f\x00")
	repeated := slices.Concat(manyScans, scan, []byte{0xFF, mEOI}) // after the one of all three components
	manyScans[bytes.Index(manyScans, []byte{0xFF, 0xC0})+1] = mSOF2
	manyScans = append(manyScans, bytes.Repeat(scan, maxScans)...)
	withoutScans := append(bytes.Clone(photo[:bytes.Index(photo, []byte{0xFF, mSOS})]), 0xFF, mEOI)
	for name, tc := range map[string]struct {
		data    []byte
		message string // a part of it
	}{
		"empty":          {nil, "empty"},
		"too large":      {append(slices.Clone(photo), make([]byte, MaxBytes)...), "15 MiB"},
		"text":           {[]byte("<html>not found</html>"), "text/html"},
		"gif":            {[]byte("GIF89a\x90\x01\x90\x01\x00"), "image/gif"},
		"video":          {[]byte("\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isommp41"), "looks like a video"},
		"svg":            {[]byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), "must be a JPEG"},
		"too narrow":     {jpegOf(t, 299, 400), "299 × 400 pixels"},
		"too low":        {pngOf(t, picture(400, 10)), "300 to 12000"},
		"too wide":       {plainWebP(MaxSide+1, 400), "12001 × 400"},
		"cut jpeg":       {photo[:len(photo)/2], "too early"},
		"no end":         {photo[:len(photo)-2], "too early"},
		"head only":      {photo[:20], "too early"},
		"many passes":    {append(manyScans, 0xFF, mEOI), "passes"},
		"repeated pass":  {repeated, "passes"},
		"no passes":      {withoutScans, "damaged"},
		"cut png":        {pngOf(t, picture(400, 300))[:5000], "too early"},
		"cut webp":       {plainWebP(400, 300)[:20], "too early"},
		"animated webp":  {animation, "animation"},
		"webp frames":    {withFrames(animation, 3), "must be one still picture: it has 3 frames"},
		"animated png":   {animatedPNG(t, 4), "must be one still picture: it has 4 frames"},
		"hidden frames":  {repeatedAVIF(t, 5), "must be one still picture: it has 5 frames"},
		"webp of size 0": {append([]byte("RIFF\x00\x00\x00\x00"), plainWebP(400, 300)[8:]...), "damaged"},
		"webp, no image": {riff(appendRIFF(nil, "ICCP", []byte("VP8 "))), "looks like"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, err := Check(context.Background(), "acc_1", tc.data)
			known, _ := fault.As(err)
			if known == nil || known.Code != fault.PhotoInvalid || !strings.Contains(known.Message, tc.message) {
				t.Errorf("got %v, want photo_invalid with %q", err, tc.message)
			}
		})
	}
}

// Flipped bits in the pixels are detected by decoding or by PNG's CRC.
func TestCheck_DetectsDamagedPixels(t *testing.T) {
	t.Parallel()
	png := pngOf(t, picture(400, 300))
	png[len(png)/2] ^= 0x10
	jpeg := jpegOf(t, 400, 300)
	begin := bytes.Index(jpeg, []byte{0xFF, mSOS}) + 400
	cut := append(bytes.Clone(jpeg[:begin]), 0xFF, mEOI) // the markers are complete, the pixels are not
	for name, data := range map[string][]byte{"png": png, "jpeg": cut} {
		if _, _, err := Check(context.Background(), "acc_1", data); !fault.Is(err, fault.PhotoInvalid) {
			t.Errorf("%s: %v, want photo_invalid", name, err)
		}
	}
}

func TestCheck_RemovesMetadataAndKeepsPixels(t *testing.T) {
	t.Parallel()
	plainJPEG, plainPNG := jpegOf(t, 400, 300), pngOf(t, picture(400, 300))
	for name, tc := range map[string]struct {
		photo func(orientation int) []byte
		kept  string // metadata that is not removed
	}{
		"jpeg": {func(o int) []byte { return cameraJPEG(plainJPEG, o) }, "ICC_PROFILE"},
		"png":  {func(o int) []byte { return cameraPNG(plainPNG, o) }, "gAMA"},
		"webp": {func(o int) []byte { return extendedWebP(400, 300, o, webpExif|webpXMP) }, "ICCP"},
	} {
		for orientation := 1; orientation <= 8; orientation++ {
			t.Run(fmt.Sprintf("%s, orientation %d", name, orientation), func(t *testing.T) {
				t.Parallel()
				original := tc.photo(orientation)
				if !bytes.Contains(original, []byte(secret)) {
					t.Fatal("the photo of the test does not contain the secret")
				}
				data, info, err := Check(context.Background(), "acc_1", original)
				if err != nil {
					t.Fatal(err)
				}
				if bytes.Contains(data, []byte(secret)) || !bytes.Contains(data, []byte(tc.kept)) {
					t.Errorf("the photo to store contains the secret or lacks %s", tc.kept)
				}
				if rotated := orientation >= 5; info.Orientation != orientation || rotated != (info.Width == 300) {
					t.Errorf("Info is %+v, want orientation %d", info, orientation)
				}
				if !samePixels(t, data, original) {
					t.Error("the pixels differ from the original")
				}
				again, secondInfo, err := Check(context.Background(), "acc_1", data)
				if err != nil || secondInfo != info || !bytes.Equal(again, data) {
					t.Errorf("second Check = %+v, %v, want the same photo with %+v", secondInfo, err, info)
				}
			})
		}
	}
}

// samePixels decodes two photos and compares their pixels.
func samePixels(t *testing.T, a, b []byte) bool {
	t.Helper()
	x, y := planes(t, a), planes(t, b)
	return slices.EqualFunc(x, y, bytes.Equal)
}

// planes returns the decoded pixels, one slice per plane.
func planes(t *testing.T, data []byte) [][]byte {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	switch img := img.(type) {
	case *image.YCbCr:
		return [][]byte{img.Y, img.Cb, img.Cr}
	case *image.RGBA:
		return [][]byte{img.Pix}
	case *image.NRGBA:
		return [][]byte{img.Pix}
	}
	t.Fatalf("the test cannot compare a %T", img)
	return nil
}

func TestCheck_RealPhotographs(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob(filepath.Join(sharedtest.Path(t, "data/photos"), "*.jpg"))
	if err != nil || len(names) == 0 {
		t.Fatalf("found %d photographs, %v", len(names), err)
	}
	for _, name := range names[:min(len(names), 6)] {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			original, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			data, info, err := Check(context.Background(), "acc_1", original)
			if err != nil || info.ContentType != JPEG || len(data) > len(original) {
				t.Fatalf("Check = %+v, %v, want a JPEG that is not larger", info, err)
			}
			if !samePixels(t, data, original) {
				t.Error("the pixels differ from the original")
			}
		})
	}
}

// For any modification of a file, Check returns a photo that can be decoded, or photo_invalid.
func TestCheck_FailsWithKnownErrorsOnly(t *testing.T) {
	t.Parallel()
	seeds := [][]byte{
		cameraJPEG(jpegOf(t, 300, 300), 6), cameraPNG(pngOf(t, picture(300, 300)), 8),
		extendedWebP(300, 300, 3, webpExif), plainWebP(300, 300), heifFile(t, "alpha.heic"), heifFile(t, "grid.avif"),
	}
	rapid.Check(t, func(t *rapid.T) {
		data := bytes.Clone(seeds[rapid.IntRange(0, len(seeds)-1).Draw(t, "seed")])
		for range rapid.IntRange(1, 8).Draw(t, "changes") {
			// Most of the structure is at the beginning.
			within := min(len(data), rapid.SampledFrom([]int{800, 1 << 20}).Draw(t, "within"))
			at := rapid.IntRange(0, within-1).Draw(t, "at")
			data[at] = rapid.Byte().Draw(t, "byte")
		}
		if rapid.Bool().Draw(t, "cut") {
			data = data[:rapid.IntRange(0, len(data)).Draw(t, "length")]
		}
		clean, _, err := Check(context.Background(), "acc_1", data)
		if err != nil {
			if !fault.Is(err, fault.PhotoInvalid) {
				t.Fatalf("got %v, want photo_invalid", err)
			}
			return
		}
		if _, _, err := image.DecodeConfig(bytes.NewReader(clean)); err != nil {
			t.Fatalf("the photo to store cannot be decoded: %v", err)
		}
	})
}

func TestRead_IsBoundedAndReturnsErrors(t *testing.T) {
	t.Parallel()
	endless := &countingReader{}
	_, _, err := Read(context.Background(), "acc_1", endless)
	if !fault.Is(err, fault.PhotoInvalid) || endless.n > MaxBytes+1 {
		t.Errorf("Read returns %v after %d bytes, want photo_invalid after at most %d", err, endless.n, MaxBytes+1)
	}
	broken := errors.New("connection reset")
	_, _, err = Read(context.Background(), "acc_1", iotest.ErrReader(broken))
	if !errors.Is(err, broken) || fault.Is(err, fault.PhotoInvalid) {
		t.Errorf("Read returns %v, want the error of the reader", err)
	}
}

type countingReader struct{ n int }

func (r *countingReader) Read(p []byte) (int, error) {
	r.n += len(p)
	return len(p), nil
}

func TestCheck_StopsWithContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := Check(ctx, "acc_1", jpegOf(t, 300, 300)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

func BenchmarkCheck12Megapixels(b *testing.B) {
	data := jpegOf(b, 4000, 3000)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Check(context.Background(), "acc_1", data); err != nil {
			b.Fatal(err)
		}
	}
}

// Check never panics. What it accepts has sides within the limits, and is accepted again in the form that is stored.
func FuzzCheck(f *testing.F) {
	f.Add(jpegOf(f, 320, 300))
	f.Add(pngOf(f, picture(320, 300)))
	f.Add(plainWebP(320, 300))
	f.Add(extendedWebP(320, 300, 3, webpExif))
	f.Add([]byte("GIF89a\x90\x01\x90\x01\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		stored, info, err := Check(t.Context(), "acc_1", data)
		if err != nil {
			if !fault.Is(err, fault.PhotoInvalid) {
				t.Errorf("got %v, want photo_invalid", err)
			}
			return
		}
		if outside(info.Width) || outside(info.Height) {
			t.Errorf("accepted %d × %d pixels", info.Width, info.Height)
		}
		if _, again, err := Check(t.Context(), "acc_1", stored); err != nil || again != info {
			t.Errorf("the stored photo: got %+v, %v, want %+v", again, err, info)
		}
	})
}
