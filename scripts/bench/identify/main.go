// Command identify measures how well the built-in providers identify photos of known cards, with the catalogue of a
// database that is only read:
//
//	go run ./scripts/bench/identify -database URL -photos DIR [-provider ocr|fingerprint|both] [-v]
//
// DIR holds the photos and a manifest.csv with the columns file, name, set, number and
// catalog_id. With both, the fingerprint is tried first and the text is read if it is not
// confident, as in the service.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/providers/fingerprint"
	"github.com/cardvault/cardvault/internal/identify/providers/ocr"
	"github.com/cardvault/cardvault/internal/identify/tesseract"
	"github.com/cardvault/cardvault/internal/postgres"
)

func main() {
	database := flag.String("database", os.Getenv("CARDVAULT_DATABASE_URL"), "database with an imported catalogue")
	photos := flag.String("photos", "", "folder of photos with manifest.csv")
	provider := flag.String("provider", "both", "ocr, fingerprint or both")
	verbose := flag.Bool("v", false, "print every photo")
	flag.Parse()
	if err := evaluate(context.Background(), *database, *photos, *provider, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "identify:", err)
		os.Exit(1)
	}
}

func evaluate(ctx context.Context, database, photos, provider string, verbose bool) error {
	db, err := postgres.Open(postgres.Config{URL: database})
	if err != nil {
		return err
	}
	defer db.Close()
	asked, err := providers(catalog.New(db), provider)
	if err != nil {
		return err
	}
	chain := identify.Chain{Providers: asked, Threshold: identify.DefaultThreshold, Timeout: time.Minute}
	truths, err := readManifest(photos)
	if err != nil {
		return err
	}
	var all tally
	for _, truth := range truths {
		photo, err := os.ReadFile(truth.path)
		if err != nil {
			return err
		}
		started := time.Now()
		outcome, err := chain.Run(ctx, identify.Photo{Bytes: photo})
		if err != nil {
			return err
		}
		result := truth.judge(outcome, time.Since(started))
		all.add(result)
		if verbose {
			fmt.Println(result)
		}
	}
	fmt.Println(all)
	return nil
}

// providers makes the chain that a flag names.
func providers(catalogue *catalog.Service, name string) ([]identify.Provider, error) {
	read := ocr.New(catalogue, tesseract.New(tesseract.Config{}))
	picture := fingerprint.New(catalogue, read)
	switch name {
	case ocr.Name:
		return []identify.Provider{read}, nil
	case fingerprint.Name:
		return []identify.Provider{picture}, nil
	case "both":
		return []identify.Provider{picture, read}, nil
	}
	return nil, fmt.Errorf("unknown provider %q", name)
}
