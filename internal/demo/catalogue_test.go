package demo

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify/vision"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

var update = flag.Bool("update", false, "write the fingerprints of the pictures as they are drawn now")

// entry is a card in fingerprints.json.
type entry struct {
	Name string `json:"name"`
	Hash string `json:"hash"`
}

// kept returns the fingerprints that Install imports, in the order of the drawings.
func kept(t *testing.T) [][64]byte {
	t.Helper()
	entries := map[string]entry{}
	if err := json.Unmarshal(fingerprintsJSON, &entries); err != nil {
		t.Fatal(err)
	}
	hashes := make([][64]byte, len(Drawings()))
	for i, d := range Drawings() {
		if n, err := hex.Decode(hashes[i][:], []byte(entries[d.ID].Hash)); err != nil || n != len(hashes[i]) || entries[d.ID].Name != d.Art.Name {
			t.Fatalf("%s: %+v, %v", d.ID, entries[d.ID], err)
		}
	}
	if len(entries) != len(hashes) {
		t.Fatalf("%d fingerprints of %d drawings", len(entries), len(hashes))
	}
	return hashes
}

// A processor that rounds otherwise may turn a bit or two.
func TestFingerprints_MatchDrawings(t *testing.T) {
	t.Parallel()
	const rounding = 4 // bits of 512
	drawn := map[string]entry{}
	for _, d := range Drawings() {
		hash := vision.Fingerprint(d.Image())
		drawn[d.ID] = entry{d.Art.Name, hex.EncodeToString(hash[:])}
	}
	if *update {
		text, err := json.MarshalIndent(drawn, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("fingerprints.json", append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for i, hash := range kept(t) {
		var now [64]byte
		if _, err := hex.Decode(now[:], []byte(drawn[Drawings()[i].ID].Hash)); err != nil {
			t.Fatal(err)
		}
		if apart := vision.Distance(hash, now); apart > rounding {
			t.Errorf("%s: the picture is %d bits from its fingerprint; run this test with -update", Drawings()[i].ID, apart)
		}
	}
}

func TestInstall(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := catalog.New(pgtest.New(t))
	for range 2 {
		if err := Install(ctx, s); err != nil {
			t.Fatal(err)
		}
	}
	hashes := kept(t)
	for i, d := range Drawings() {
		found, err := s.ByFingerprint(ctx, hashes[i], 2)
		if err != nil || len(found) != 2 || found[0].Card.ID != d.ID || found[0].Distance != 0 {
			t.Fatalf("%s: got %+v, %v", d.ID, found, err)
		}
		if found[0].Card.CollectorNumber() == "" || found[0].Card.Price == nil {
			t.Errorf("%s lacks a number or a price: %+v", d.ID, found[0].Card)
		}
	}
}

// The pictures must differ by far more than a photo of one differs from it, or no demo could identify them.
func TestDrawings_DifferInFingerprint(t *testing.T) {
	t.Parallel()
	hashes := kept(t)
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

func TestPhotos_AreNearestToTheirCard(t *testing.T) {
	t.Parallel()
	hashes := kept(t)
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
