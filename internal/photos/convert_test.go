package photos

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
)

// heifFile returns a HEIC or AVIF file of package heif's tests. Its quarters are red, green, blue and yellow.
func heifFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("heif", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestCheck_ConvertsHEICAndAVIF(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]image.Point{
		"plain.heic": {400, 300}, "grid.heic": {400, 300}, "deep.heic": {400, 300}, "alpha.heic": {400, 300},
		"rotated.heic": {300, 400}, "odd.heic": {401, 303}, "flat.heic": {4000, 3000},
		"plain.avif": {400, 300}, "rotated.avif": {300, 400}, "flat.avif": {4000, 3000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			original := heifFile(t, name)
			data, info, err := Check(context.Background(), "acc_1", original)
			if err != nil {
				t.Fatal(err)
			}
			want := Info{ContentType: JPEG, Width: size.X, Height: size.Y, Size: int64(len(data)), Orientation: upright}
			if diff := cmp.Diff(want, info); diff != "" {
				t.Errorf("Info (-want +got):\n%s", diff)
			}
			if decoded, err := jpeg.Decode(bytes.NewReader(data)); err != nil || decoded.Bounds().Size() != size {
				t.Errorf("the photo to store is not a JPEG of %v: %v", size, err)
			}
			again, secondInfo, err := Check(context.Background(), "acc_1", data)
			if err != nil || secondInfo != info || !bytes.Equal(again, data) {
				t.Errorf("Check of the converted photo = %+v, %v, want the same photo with %+v", secondInfo, err, info)
			}
		})
	}
}

// The orientation is in the pixels, and neither it nor the place is in the metadata.
func TestCheck_ConvertsRotation(t *testing.T) {
	t.Parallel()
	original := heifFile(t, "rotated.heic")
	if !bytes.Contains(original, []byte("SECRET-GPS")) {
		t.Fatal("the photo of the test does not contain the secret")
	}
	data, _, err := Check(context.Background(), "acc_1", original)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(data, []byte("SECRET")) || bytes.Contains(data, []byte("Exif")) {
		t.Error("the converted photo contains metadata")
	}
	picture, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	r, g, b, _ := picture.At(75, 100).RGBA() // top left: blue, by a quarter clockwise
	if b < 2*r || b < 2*g {
		t.Errorf("the top left is %v, want blue", color.RGBA64{uint16(r), uint16(g), uint16(b), 0xFFFF})
	}
}

func TestCheck_RefusesHEIC(t *testing.T) {
	t.Parallel()
	plain := heifFile(t, "plain.heic")
	resized := func(width, height string) []byte {
		return bytes.Replace(plain, []byte("ispe\x00\x00\x00\x00\x00\x00\x01\x90\x00\x00\x01\x2C"),
			[]byte("ispe\x00\x00\x00\x00\x00\x00"+width+"\x00\x00"+height), 1)
	}
	damaged := slices.Clone(plain)
	for i := len(damaged) - 200; i < len(damaged); i++ {
		damaged[i] ^= 0x55
	}
	for name, tc := range map[string]struct {
		data    []byte
		message string // a part of it
	}{
		"cut":             {plain[:len(plain)-100], "not a complete image/heic image: the file ends too early"},
		"cut to the head": {plain[:30], "too early"},
		"damaged":         {damaged, "damaged"},
		"too low":         {resized("\x01\x90", "\x01\x2B"), "400 × 299 pixels"},
		"too wide":        {resized("\x2E\xE1", "\x01\x2C"), "12001 × 300"},
		"huge":            {resized("\xFF\xFF", "\xFF\xFF"), "65535 × 65535 pixels"},
		"too much memory": {resized("\x2E\xE0", "\x2E\xE0"), "12000 × 12000 pixels takes too much memory"},
		"a larger size":   {resized("\x02\x90", "\x02\x2C"), "damaged"},
		"small avif":      {heifFile(t, "crop.avif"), "200 × 150 pixels"},
		"cut avif":        {heifFile(t, "plain.avif")[:300], "image/avif image: the file ends too early"},
		"another codec":   {bytes.Replace(plain, []byte("hvc1"), []byte("j2k1"), 1), "its codec is not supported"},
		"sequence":        {[]byte("\x00\x00\x00\x10ftyphevc\x00\x00\x00\x00\x00\x00\x00\x08moov"), "animation"},
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

func TestCheck_HEICStopsWithContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := Check(ctx, "acc_1", heifFile(t, "plain.heic")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

// A picture that does not fit at the best quality is encoded at a lower one.
func TestEncodeJPEG_LowersQuality(t *testing.T) {
	t.Parallel()
	best, err := encodeJPEG(picture(600, 600), MaxBytes)
	if err != nil {
		t.Fatal(err)
	}
	lower, err := encodeJPEG(picture(600, 600), len(best)-1)
	if err != nil || len(lower) >= len(best) {
		t.Errorf("encodeJPEG = %d bytes, %v, want fewer than %d", len(lower), err, len(best))
	}
	if _, err := jpeg.Decode(bytes.NewReader(lower)); err != nil {
		t.Error(err)
	}
	if _, err := encodeJPEG(picture(600, 600), len(lower)/10); !fault.Is(err, fault.PhotoInvalid) {
		t.Errorf("encodeJPEG into %d bytes = %v, want photo_invalid", len(lower)/10, err)
	}
}

// Identification and marketplaces get the converted photo, from wherever it comes.
func TestService_StoresConvertedHEIC(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		accept := r.Header.Get("Accept")
		if !strings.Contains(accept, "image/heic") || strings.Contains(accept, "avif") {
			t.Errorf("Accept is %q, want HEIC, but not AVIF", accept)
		}
		_, _ = w.Write(heifFile(t, "plain.heic"))
	}))
	t.Cleanup(server.Close)
	s, store := newTestService(t, &records{})
	photo, err := s.Keep(t.Context(), "acc_x", cards.RoleFront, bytes.NewReader(heifFile(t, "plain.heic")))
	if err != nil || photo.ContentType != JPEG || !stored(t, store, photo) {
		t.Fatalf("Keep = %+v, %v, want a stored JPEG", photo, err)
	}
	loaded, err := s.Load(t.Context(), "acc_x", photo)
	if err != nil || http.DetectContentType(loaded) != JPEG {
		t.Errorf("Load = %s, %v, want a JPEG", http.DetectContentType(loaded), err)
	}
	fetched, contentType, err := s.Fetch(t.Context(), "acc_1", server.URL)
	if err != nil || contentType != JPEG || http.DetectContentType(fetched) != JPEG {
		t.Errorf("Fetch = %s, %v, want a JPEG", contentType, err)
	}
}

func TestCheck_ConvertsConcurrently(t *testing.T) {
	t.Parallel()
	var converting sync.WaitGroup
	for range 4 {
		for _, name := range []string{"plain.heic", "grid.heic", "plain.avif", "alpha.heic"} {
			converting.Go(func() {
				if _, _, err := Check(context.Background(), "acc_1", heifFile(t, name)); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			})
		}
	}
	converting.Wait()
}
