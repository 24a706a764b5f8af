package ocr_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/providers/fingerprint"
	"github.com/cardvault/cardvault/internal/identify/providers/ocr"
	"github.com/cardvault/cardvault/internal/identify/tesseract"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/sharedtest"
)

// TestProviders_RealPhotos identifies photos with the catalogues of two games, of which only Pokémon has fingerprints.
func TestProviders_RealPhotos(t *testing.T) {
	t.Parallel()
	photos := sharedtest.Path(t, "data/photos")
	catalogue := catalog.New(pgtest.New(t))
	importFile(t, catalogue, catalog.PokemonTCGData, "data/catalog/pokemon-tcg-data.zip")
	importFile(t, catalogue, catalog.Fingerprints, "data/catalog/pokemon-fingerprints.json.gz")
	importFile(t, catalogue, catalog.CSV, "data/catalog/magic.csv.gz")
	read := ocr.New(catalogue, tesseract.New(tesseract.Config{Concurrency: 2, Timeout: time.Minute}))
	chain := identify.Chain{
		Providers: []identify.Provider{fingerprint.New(catalogue, read), read},
		Threshold: identify.DefaultThreshold, Timeout: 2 * time.Minute,
	}
	t.Run("accepts", func(t *testing.T) { acceptsCards(t, chain, photos) })
	t.Run("picture alone", func(t *testing.T) { findsByPicture(t, catalogue, photos) })
	t.Run("hint of the game", func(t *testing.T) { keepsToGame(t, chain, photos) })
}

func acceptsCards(t *testing.T, chain identify.Chain, photos string) {
	for file, want := range map[string]string{
		"001.jpg": "sv2-160",
		"003.jpg": "sv2-8",
		"010.jpg": "sv2-2",
		"008.jpg": "sv2-62",   // another printing has the same art
		"024.jpg": "swsh4-73", // busy background
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			photo, err := os.ReadFile(filepath.Join(photos, file))
			if err != nil {
				t.Fatal(err)
			}
			found, err := chain.Run(t.Context(), identify.Photo{Bytes: photo, ContentType: "image/jpeg"})
			if err != nil || found.Accepted == nil || found.Accepted.CatalogID != want {
				t.Errorf("got %+v, %v, want %s accepted", found, err, want)
			}
		})
	}
}

// findsByPicture checks that the picture alone finds cards whose text is too small for Tesseract.
func findsByPicture(t *testing.T, catalogue *catalog.Service, photos string) {
	picture := fingerprint.New(catalogue, nil)
	for file, want := range map[string]string{
		"013.jpg": "swsh10-117", // 323 × 450 pixels
		"020.jpg": "swsh4-41",   // on a table
	} {
		photo, err := os.ReadFile(filepath.Join(photos, file))
		if err != nil {
			t.Fatal(err)
		}
		found, err := picture.Identify(t.Context(), identify.Photo{Bytes: photo})
		if err != nil || len(found) == 0 || found[0].CatalogID != want {
			t.Fatalf("%s: got %+v, %v, want %s first", file, found, err, want)
		}
		if found[0].Confidence >= identify.DefaultThreshold || found[0].Objection == "" {
			t.Errorf("%s: got %+v, want an objection, because nothing was read", file, found[0])
		}
	}
}

// keepsToGame checks that, with the game as a hint, no provider returns a card of another game.
func keepsToGame(t *testing.T, chain identify.Chain, photos string) {
	data, err := os.ReadFile(filepath.Join(photos, "049.jpg")) // Tower Geist
	if err != nil {
		t.Fatal(err)
	}
	photo := identify.Photo{Bytes: data, ContentType: "image/jpeg"}
	isPokemon := func(c identify.Candidate) bool { return c.Game == "pokemon" }
	photo.Hints = catalog.Hints{Game: "magic"}
	with, err := chain.Run(t.Context(), photo)
	if err != nil || len(with.Candidates) == 0 || with.Candidates[0].Title != "Tower Geist" {
		t.Fatalf("with a hint: got %+v, %v, want Tower Geist first", with.Candidates, err)
	}
	if slices.ContainsFunc(with.Candidates, func(f identify.Found) bool { return isPokemon(f.Candidate) }) {
		t.Errorf("with a hint: got %+v, want no Pokémon card", with.Candidates)
	}
}

func importFile(t *testing.T, catalogue *catalog.Service, format catalog.Format, file string) {
	t.Helper()
	if _, err := catalogue.Import(t.Context(), format, sharedtest.Path(t, file), nil); err != nil {
		t.Fatal(err)
	}
}
