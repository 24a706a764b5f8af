package providers_test

import (
	"os"
	"path/filepath"
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

func importFile(t *testing.T, catalogue *catalog.Service, format catalog.Format, file string) {
	t.Helper()
	if _, err := catalogue.Import(t.Context(), format, sharedtest.Path(t, file), nil); err != nil {
		t.Fatal(err)
	}
}
