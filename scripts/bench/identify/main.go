// Command identify measures how well the built-in providers identify photos of known cards, with the catalogue of a
// database that is only read:
//
//	go run ./scripts/bench/identify -database URL -photos DIR [-readers tesseract,neural] [-provider ocr]
//
// DIR holds the photos and a manifest.csv with the columns file, name, set, number, catalog_id and, optionally, game
// and language. With -without, a photo's card is taken out of the catalogue: any accepted card is wrong then.
package main

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/modelfiles"
	"github.com/cardvault/cardvault/internal/identify/photoreader"
	"github.com/cardvault/cardvault/internal/identify/ppocr"
	"github.com/cardvault/cardvault/internal/identify/providers/fingerprint"
	"github.com/cardvault/cardvault/internal/identify/providers/ocr"
	"github.com/cardvault/cardvault/internal/identify/tesseract"
	"github.com/cardvault/cardvault/internal/postgres"
)

// settings are the flags.
type settings struct {
	database, photos, readers, provider, folder, calibration, lines string
	without, verbose                                                bool
	memory                                                          *memory
}

func main() {
	var s settings
	flag.StringVar(&s.database, "database", os.Getenv("CARDVAULT_DATABASE_URL"), "database with an imported catalogue")
	flag.StringVar(&s.photos, "photos", "", "folder of photos with manifest.csv")
	flag.StringVar(&s.readers, "readers", "tesseract,neural", "what reads text: tesseract, neural or both")
	flag.StringVar(&s.provider, "provider", "both", "ocr, fingerprint or both")
	flag.StringVar(&s.folder, "models", ".data/models", "folder of the models")
	flag.BoolVar(&s.without, "without", false, "take the card of each photo out of the catalogue")
	flag.StringVar(&s.calibration, "calibrate", "", "fit the weights of the evidence, and write them to this file")
	flag.StringVar(&s.lines, "lines", "", "keep the lines that the networks read in this file, to read them once only")
	flag.BoolVar(&s.verbose, "v", false, "print every photo")
	flag.Parse()
	if err := evaluate(context.Background(), s); err != nil {
		fmt.Fprintln(os.Stderr, "identify:", err)
		os.Exit(1)
	}
}

func evaluate(ctx context.Context, s settings) error {
	db, err := postgres.Open(postgres.Config{URL: s.database})
	if err != nil {
		return err
	}
	defer db.Close()
	truths, err := readManifest(s.photos)
	if err != nil {
		return err
	}
	if s.memory, err = openMemory(s.lines); err != nil {
		return err
	}
	for reader := range strings.SplitSeq(s.readers, ",") {
		shelf := &catalogue{Service: catalog.New(db)}
		providers, err := s.providers(shelf)
		if err != nil {
			return err
		}
		networks, err := s.models(reader)
		if err != nil {
			return err
		}
		if s.calibration != "" {
			if err := s.calibrate(ctx, providers, networks, truths); err != nil {
				return err
			}
			continue
		}
		chain := identify.Chain{
			Providers: providers, Threshold: identify.DefaultThreshold, Timeout: 2 * time.Minute,
			Requests: identify.Resources{Reader: networks},
		}
		if err := s.measure(ctx, reader, chain, shelf, truths); err != nil {
			return err
		}
	}
	return s.memory.save()
}

// measure identifies all photos and prints a summary per game and language, and a summary of all.
func (s settings) measure(
	ctx context.Context, reader string, chain identify.Chain, shelf *catalogue, truths []truth,
) error {
	resetPeakMemory()
	var all tally
	groups := map[string]*tally{}
	for _, truth := range truths {
		photo, err := os.ReadFile(truth.path)
		if err != nil {
			return err
		}
		s.memory.photo = filepath.Base(truth.path)
		if shelf.hidden = nil; s.without {
			shelf.hidden = truth.isShown
		}
		cpu, start := processorTime(), time.Now()
		outcome, err := chain.Run(ctx, identify.Photo{Bytes: photo})
		if err != nil {
			return err
		}
		result := truth.judge(outcome, time.Since(start), processorTime()-cpu)
		group := strings.TrimSpace(truth.game + " " + truth.language)
		if groups[group] == nil {
			groups[group] = &tally{}
		}
		groups[group].add(result)
		all.add(result)
		if s.verbose {
			fmt.Println(result)
		}
	}
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		fmt.Printf("%s, %s: %s\n", reader, group, groups[group])
	}
	fmt.Printf("%s: %s, at most %d MB\n", reader, all, peakMemory()>>20)
	return nil
}

// models returns the Reader that uses the models, or nil if the reader has none.
func (s settings) models(reader string) (identify.Reader, error) {
	if reader != "neural" {
		return nil, nil
	}
	if err := modelfiles.Find(s.folder); err != nil {
		return nil, err
	}
	path := func(name string) string { return filepath.Join(s.folder, name) }
	networks, err := ppocr.Load(ppocr.Files{
		Library: path(modelfiles.Library), Detection: path(modelfiles.Detection),
		Recognition: path(modelfiles.Recognition),
	})
	if err != nil {
		return nil, err
	}
	return photoreader.NewLocal(remembering{networks, s.memory}), nil
}

// providers returns the providers that the flags name.
func (s settings) providers(shelf *catalogue) ([]identify.Provider, error) {
	read := ocr.New(shelf, tesseract.New(tesseract.Config{Timeout: time.Minute}))
	picture := fingerprint.New(shelf, read)
	switch s.provider {
	case ocr.Name:
		return []identify.Provider{read}, nil
	case fingerprint.Name:
		return []identify.Provider{picture}, nil
	case "both":
		return []identify.Provider{picture, read}, nil
	}
	return nil, fmt.Errorf("unknown provider %q", s.provider)
}
