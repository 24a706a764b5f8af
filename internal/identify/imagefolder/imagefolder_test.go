package imagefolder

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/identify/vision"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// filled returns a catalogue with cards of these identifiers.
func filled(t *testing.T, db *postgres.DB, ids ...string) *catalog.Service {
	t.Helper()
	path := filepath.Join(t.TempDir(), "catalogue.csv")
	rows := "id,name,set,number\n"
	for i, id := range ids {
		rows += fmt.Sprintf("%s,Card %d,Dawn of Cinders,%d\n", id, i, i+1)
	}
	if err := os.WriteFile(path, []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	s := catalog.New(db)
	report, err := s.Import(t.Context(), catalog.CSV, path, nil)
	if err != nil || report.Inserted != len(ids) {
		t.Fatalf("import: %+v, %v", report, err)
	}
	return s
}

// picture returns a picture that differs for each seed, of w × h squares of 4 pixels.
func picture(seed uint64, w, h int) *image.RGBA {
	random := rand.New(rand.NewPCG(seed, 1))
	squares := make([]uint8, w*h)
	for i := range squares {
		squares[i] = uint8(random.Uint32())
	}
	img := image.NewRGBA(image.Rect(0, 0, 4*w, 4*h))
	for y := range 4 * h {
		for x := range 4 * w {
			v := squares[y/4*w+x/4]
			img.Set(x, y, color.RGBA{v, v, v, 255})
		}
	}
	return img
}

// write writes a picture as the file at a path in the folder.
func write(t *testing.T, folder, path string, img image.Image) {
	t.Helper()
	path = filepath.Join(folder, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Ext(path) == ".png" {
		err = png.Encode(f, img)
	} else {
		err = jpeg.Encode(f, img, &jpeg.Options{Quality: 95})
	}
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

// nearest returns the card with the nearest fingerprint, and its distance.
func nearest(t *testing.T, s *catalog.Service, img *image.RGBA) (id string, distance int) {
	t.Helper()
	found, err := s.ByFingerprint(t.Context(), catalog.Hints{}, vision.Fingerprint(img), 1)
	if err != nil || len(found) != 1 {
		t.Fatalf("ByFingerprint: %v, %v, want one card", found, err)
	}
	return found[0].Card.ID, found[0].Distance
}

func run(t *testing.T, s *catalog.Service, folder string, want Report) Report {
	t.Helper()
	got, err := Fingerprint(t.Context(), s, folder, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Report{}, "Problems")); diff != "" {
		t.Errorf("report (-want +got):\n%s\nproblems: %v", diff, got.Problems)
	}
	return got
}

func TestFingerprint_Layouts(t *testing.T) {
	t.Parallel()
	s := filled(t, pgtest.New(t), "ember-1", "ember-2", "ember-3", "6da045f8", "ember-5")
	dir := t.TempDir()
	write(t, dir, "ember-1.png", picture(1, 18, 25))
	write(t, dir, "ember/2.JPG", picture(2, 18, 25))
	write(t, dir, "ember/3.png", picture(30, 18, 25))
	write(t, dir, "ember/3_hires.png", picture(3, 36, 50)) // the larger file counts
	write(t, dir, "normal/front/6/d/6da045f8.jpg", picture(4, 18, 25))
	write(t, dir, "normal/back/6/d/6da045f8.jpg", picture(40, 36, 50))
	write(t, dir, "ember/5.png", vision.QuarterTurn(picture(5, 18, 25)))
	write(t, dir, "ember/999.png", picture(6, 18, 25))
	write(t, dir, ".hidden/ember-1.png", picture(7, 36, 50))
	write(t, dir, "ember-1.txt.png", picture(8, 18, 25))
	want := Report{Images: 8, Saved: 5, Unmatched: 2, Repeated: 1}
	run(t, s, dir, want)
	for id, img := range map[string]*image.RGBA{
		"ember-1": picture(1, 18, 25), "ember-2": picture(2, 18, 25), "ember-3": picture(3, 36, 50),
		"6da045f8": picture(4, 18, 25), "ember-5": vision.HalfTurn(picture(5, 18, 25)),
	} {
		if got, distance := nearest(t, s, img); got != id || distance > 10 {
			t.Errorf("nearest to the picture of %s: %s at %d bits, want %[1]s at most at 10", id, got, distance)
		}
	}
	within := filepath.Join(dir, "ember") // the folder of one set
	run(t, s, within, Report{Images: 5, Unchanged: 3, Unmatched: 1, Repeated: 1})
}

func TestFingerprint_Repeated(t *testing.T) {
	t.Parallel()
	s := filled(t, pgtest.New(t), "ember-1", "ember-2")
	dir := t.TempDir()
	write(t, dir, "ember-1.png", picture(1, 18, 25))
	write(t, dir, "ember-2.png", picture(2, 18, 25))
	run(t, s, dir, Report{Images: 2, Saved: 2})
	run(t, s, dir, Report{Images: 2, Unchanged: 2})
	write(t, dir, "ember-2.png", picture(3, 18, 25))
	later := time.Now().Add(time.Minute)
	if err := os.Chtimes(filepath.Join(dir, "ember-2.png"), later, later); err != nil {
		t.Fatal(err)
	}
	run(t, s, dir, Report{Images: 2, Saved: 1, Unchanged: 1})
	if id, distance := nearest(t, s, picture(3, 18, 25)); id != "ember-2" || distance > 10 {
		t.Errorf("nearest to the new picture: %s at %d bits, want ember-2", id, distance)
	}

	// An imported fingerprint replaces a computed one until the next run.
	hashes := filepath.Join(t.TempDir(), "hashes.json")
	entry := `{"ember-1": {"hash": "` + strings.Repeat("0f", 64) + `"}}`
	if err := os.WriteFile(hashes, []byte(entry), 0o600); err != nil {
		t.Fatal(err)
	}
	if report, err := s.Import(t.Context(), catalog.Fingerprints, hashes, nil); err != nil || report.Updated != 1 {
		t.Fatalf("import: %+v, %v", report, err)
	}
	run(t, s, dir, Report{Images: 2, Saved: 1, Unchanged: 1})
}

func TestFingerprint_BadFiles(t *testing.T) {
	t.Parallel()
	ids := []string{"cut", "empty", "good", "large", "secret", "square", "text", "white"}
	s := filled(t, pgtest.New(t), ids...)
	dir := t.TempDir()
	for _, name := range []string{"cut", "good", "large"} {
		write(t, dir, name+".png", picture(1, 18, 25))
	}
	write(t, dir, "square.png", picture(2, 20, 20))
	write(t, dir, "white.png", image.NewRGBA(image.Rect(0, 0, 72, 100)))
	for name, content := range map[string]string{"empty.png": "", "text.webp": "not a picture"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, size := range map[string]int64{"cut.png": 200, "large.png": maxFile + 1} {
		if err := os.Truncate(filepath.Join(dir, name), size); err != nil {
			t.Fatal(err)
		}
	}
	report := run(t, s, dir, Report{Images: 7, Saved: 1, Skipped: 6})
	var got []string
	for _, p := range report.Problems {
		got = append(got, p.File)
		if p.Message == "" {
			t.Errorf("%s has no reason", p.File)
		}
	}
	want := []string{"cut.png", "empty.png", "large.png", "square.png", "text.webp", "white.png"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("refused files (-want +got):\n%s", diff)
	}
}

// A run that ends in the middle has stored the batches that it reported. The next run computes the others only.
func TestFingerprint_ContinuesAfterInterruption(t *testing.T) {
	t.Parallel()
	var ids []string
	dir := t.TempDir()
	for i := range 2*batchSize + 10 {
		id := fmt.Sprintf("ember-%03d", i)
		ids = append(ids, id)
		write(t, dir, id+".png", picture(uint64(i), 18, 25))
	}
	s := filled(t, pgtest.New(t), ids...)
	ctx, cancel := context.WithCancel(t.Context())
	report, err := Fingerprint(ctx, s, dir, func(done, _ int) {
		if done == batchSize {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || report.Saved != batchSize {
		t.Fatalf("interrupted run: %+v, %v, want %d saved and context.Canceled", report, err, batchSize)
	}
	var steps []int
	report, err = Fingerprint(t.Context(), s, dir, func(done, total int) {
		if steps = append(steps, done); total != len(ids) {
			t.Errorf("total: %d, want %d", total, len(ids))
		}
	})
	if err != nil || report.Unchanged != batchSize || report.Saved != len(ids)-batchSize {
		t.Errorf("second run: %+v, %v, want %d unchanged", report, err, batchSize)
	}
	if want := []int{batchSize, 2 * batchSize, len(ids)}; !slices.Equal(steps, want) {
		t.Errorf("progress: %v, want %v", steps, want)
	}
}

func TestFingerprint_NoCard(t *testing.T) {
	t.Parallel()
	s := filled(t, pgtest.New(t), "ember-1")
	dir := t.TempDir()
	for range 2 { // an empty folder, then one with another file
		if _, err := Fingerprint(t.Context(), s, dir, nil); !fault.Is(err, fault.InvalidRequest) {
			t.Errorf("Fingerprint: %v, want invalid_request", err)
		}
		write(t, dir, "holiday.png", picture(1, 18, 25))
	}
}
