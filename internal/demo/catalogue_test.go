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

var update = flag.Bool("update", false, "write fingerprints.json")

// entry is a card in fingerprints.json.
type entry struct {
	Name string `json:"name"`
	Hash string `json:"hash"`
}

// storedHashes returns the fingerprints that Install imports, in the order of the drawings.
func storedHashes(t *testing.T) [][64]byte {
	t.Helper()
	entries := map[string]entry{}
	if err := json.Unmarshal(fingerprintsJSON, &entries); err != nil {
		t.Fatal(err)
	}
	hashes := make([][64]byte, len(Drawings()))
	for i, d := range Drawings() {
		e := entries[d.ID]
		n, err := hex.Decode(hashes[i][:], []byte(e.Hash))
		if err != nil || n != len(hashes[i]) || e.Name != d.Art.Name {
			t.Fatalf("fingerprint of %s (%s): got %+v, %v", d.ID, d.Art.Name, e, err)
		}
	}
	if len(entries) != len(hashes) {
		t.Fatalf("got %d fingerprints, want one for each of %d drawings", len(entries), len(hashes))
	}
	return hashes
}

// On a processor that rounds differently, one or two bits may differ.
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
	for i, hash := range storedHashes(t) {
		var current [64]byte
		cardID := Drawings()[i].ID
		if _, err := hex.Decode(current[:], []byte(drawn[cardID].Hash)); err != nil {
			t.Fatal(err)
		}
		if distance := vision.Distance(hash, current); distance > rounding {
			t.Errorf("%s: the picture differs from its fingerprint in %d bits; run this test with -update",
				cardID, distance)
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
	hashes := storedHashes(t)
	for i, d := range Drawings() {
		found, err := s.ByFingerprint(ctx, catalog.Hints{}, hashes[i], 2)
		if err != nil || len(found) != 2 || found[0].Card.ID != d.ID || found[0].Distance != 0 {
			t.Fatalf("ByFingerprint of %s: got %+v, %v, want the card first", d.ID, found, err)
		}
		if found[0].Card.CollectorNumber() == "" || found[0].Card.Price == nil {
			t.Errorf("%s lacks a number or a price: %+v", d.ID, found[0].Card)
		}
	}
}

// Two pictures must differ far more than a photo differs from its card, so that photos can be identified.
func TestDrawings_DifferInFingerprint(t *testing.T) {
	t.Parallel()
	hashes := storedHashes(t)
	if len(hashes) != 40 {
		t.Fatalf("got %d cards, want 40", len(hashes))
	}
	const minDistance = 80 // bits of 512
	for i, a := range hashes {
		for j, b := range hashes[:i] {
			if d := vision.Distance(a, b); d < minDistance {
				t.Errorf("distance of %s and %s: got %d, want at least %d",
					Drawings()[i].ID, Drawings()[j].ID, d, minDistance)
			}
		}
	}
}

func TestDrawing_PhotoIsNearestToCard(t *testing.T) {
	t.Parallel()
	hashes := storedHashes(t)
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
				if d := vision.Distance(hash, known); d < distance {
					nearest, distance = k, d
				}
			}
		}
		if nearest != i {
			t.Errorf("card nearest to the photo of %s: got card %d at a distance of %d, want card %d",
				d.ID, nearest, distance, i)
		}
	}
}
