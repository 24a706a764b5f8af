package demo

import (
	"context"
	"crypto/sha512"
	"image"
	"sync"
	"testing"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify/vision"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// exact is a hash without any likeness: equal for the same picture alone.
func exact(picture image.Image) [64]byte { return sha512.Sum512(picture.(*image.RGBA).Pix) }

func TestInstall(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := catalog.New(pgtest.New(t))
	for range 2 {
		if err := Install(ctx, s, exact); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range Drawings()[15:25] { // of both sets
		found, err := s.ByFingerprint(ctx, exact(d.Image()), 2)
		if err != nil || len(found) != 2 || found[0].Card.ID != d.ID || found[0].Distance != 0 {
			t.Fatalf("%s: got %+v, %v", d.ID, found, err)
		}
		if found[0].Card.CollectorNumber() == "" || found[0].Card.Price == nil {
			t.Errorf("%s lacks a number or a price: %+v", d.ID, found[0].Card)
		}
	}
}

// prints are the fingerprints of the forty pictures, which take a while to compute.
var prints = sync.OnceValue(func() [][64]byte {
	var hashes [][64]byte
	for _, d := range Drawings() {
		hashes = append(hashes, vision.Fingerprint(d.Image()))
	}
	return hashes
})

// The pictures must differ by far more than a photo of one differs from it, or no demo could identify them.
func TestPicturesAreFarApart(t *testing.T) {
	t.Parallel()
	hashes := prints()
	if len(hashes) != 40 {
		t.Fatalf("%d cards, want 40", len(hashes))
	}
	const enough = 80 // bits of 512
	for i, a := range hashes {
		for j, b := range hashes[:i] {
			if d := vision.Distance(a, b); d < enough {
				t.Errorf("%s and %s are %d bits apart, want %d", Drawings()[i].ID, Drawings()[j].ID, d, enough)
			}
		}
	}
}

func TestPhotosAreStillNearestToTheirCard(t *testing.T) {
	t.Parallel()
	hashes := prints()
	for i, d := range Drawings()[:2] {
		jpeg, err := d.Photo(int64(i))
		if err != nil {
			t.Fatal(err)
		}
		photo, err := vision.Decode(jpeg)
		if err != nil {
			t.Fatal(err)
		}
		nearest, distance := -1, 512
		for _, guess := range vision.Locate(photo) {
			hash := vision.Fingerprint(vision.Straighten(photo, guess))
			for k, known := range hashes {
				if apart := vision.Distance(hash, known); apart < distance {
					nearest, distance = k, apart
				}
			}
		}
		if nearest != i {
			t.Errorf("the photo of %s is nearest to card %d, %d bits away", d.ID, nearest, distance)
		}
	}
}
