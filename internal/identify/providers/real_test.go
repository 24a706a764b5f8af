package providers_test

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

// accepted is the confidence from which the service takes an answer by default.
const accepted = 0.85

func TestProviders_RealPhotos(t *testing.T) {
	t.Parallel()
	photos := sharedtest.Path(t, "data/photos")
	catalogue := catalog.New(pgtest.New(t))
	importFile(t, catalogue, catalog.PokemonTCGData, "data/catalog/pokemon-tcg-data.zip")
	importFile(t, catalogue, catalog.Fingerprints, "data/catalog/pokemon-fingerprints.json.gz")
	read := ocr.New(catalogue, tesseract.New(tesseract.Config{Concurrency: 2, Timeout: time.Minute}))
	picture := fingerprint.New(catalogue, read)

	tests := []struct {
		provider identify.Provider
		file     string
		want     string
	}{
		{picture, "001.jpg", "sv2-160"},
		{picture, "013.jpg", "swsh10-117"}, // 323 × 450 pixels
		{picture, "020.jpg", "swsh4-41"},   // on a table
		{picture, "008.jpg", "sv2-62"},     // another printing has the same art
		{read, "001.jpg", "sv2-160"},
		{read, "003.jpg", "sv2-8"},
		{read, "010.jpg", "sv2-2"},
		{read, "024.jpg", "swsh4-73"}, // busy background
	}
	for _, test := range tests {
		t.Run(test.provider.Name()+" "+test.file, func(t *testing.T) {
			t.Parallel()
			photo, err := os.ReadFile(filepath.Join(photos, test.file))
			if err != nil {
				t.Fatal(err)
			}
			found, err := test.provider.Identify(t.Context(), identify.Photo{Bytes: photo, ContentType: "image/jpeg"})
			if err != nil || len(found) == 0 || len(found) > 5 {
				t.Fatalf("got %v, %v", found, err)
			}
			if best := found[0]; best.CatalogID != test.want || best.Confidence < accepted {
				t.Errorf("got %s %s with %.2f, want %s", best.CatalogID, best.Title, best.Confidence, test.want)
			}
		})
	}
}

// Only Pokémon cards have fingerprints here, so the fingerprint provider finds Pokémon cards for the photo of a Magic
// card. With the game as a hint, no provider returns a card of another game.
func TestProviders_HintOfGame(t *testing.T) {
	t.Parallel()
	path := filepath.Join(sharedtest.Path(t, "data/photos"), "049.jpg") // Tower Geist
	catalogue := catalog.New(pgtest.New(t))
	importFile(t, catalogue, catalog.PokemonTCGData, "data/catalog/pokemon-tcg-data.zip")
	importFile(t, catalogue, catalog.Fingerprints, "data/catalog/pokemon-fingerprints.json.gz")
	importFile(t, catalogue, catalog.CSV, "data/catalog/magic.csv.gz")
	read := ocr.New(catalogue, tesseract.New(tesseract.Config{Concurrency: 2, Timeout: time.Minute}))
	picture := fingerprint.New(catalogue, read)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	photo := identify.Photo{Bytes: data, ContentType: "image/jpeg"}
	without, err := picture.Identify(t.Context(), photo)
	isPokemon := func(c identify.Candidate) bool { return c.Game == "pokemon" }
	if err != nil || !slices.ContainsFunc(without, isPokemon) {
		t.Errorf("without a hint: got %+v, %v, want Pokémon cards", without, err)
	}
	photo.Hints = catalog.Hints{Game: "magic"}
	chain := identify.Chain{
		Providers: []identify.Provider{picture, read}, Threshold: accepted, Timeout: 2 * time.Minute,
	}
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
