package main

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/postgres"
)

// catalogueCards is the least number of cards in the catalogue, and the number of generated cards.
const catalogueCards = 66_000

// sharedCatalogues are the files of the shared catalogues. Together they have 66,360 cards.
var sharedCatalogues = []struct {
	format catalog.Format
	file   string
}{{catalog.PokemonTCGData, "pokemon-tcg-data.zip"}, {catalog.CSV, "magic.csv.gz"}}

// fillCatalogue imports the catalogues in a folder, or a generated one if the folder is incomplete, unless the
// catalogue has enough cards.
func fillCatalogue(ctx context.Context, db *postgres.DB, folder string) error {
	var cards int
	if err := db.Get(ctx, &cards, `SELECT count(*) FROM catalog_cards`); err != nil || cards >= catalogueCards {
		return err
	}
	start, service := time.Now(), catalog.New(db)
	for _, name := range sharedCatalogues {
		path := filepath.Join(folder, name.file)
		if _, err := os.Stat(path); err != nil {
			return generateCatalogue(ctx, service)
		}
		if _, err := service.Import(ctx, name.format, path, nil); err != nil {
			return err
		}
	}
	fmt.Fprintf(os.Stderr, "seed: the shared catalogues in %v\n", time.Since(start).Round(time.Second))
	return nil
}

// generateCatalogue imports a generated catalogue. The same program generates the same cards.
func generateCatalogue(ctx context.Context, service *catalog.Service) error {
	file, err := os.CreateTemp("", "catalogue-*.csv")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	out := bufio.NewWriter(file)
	writeCatalogue(out, rand.New(rand.NewPCG(13, 14)))
	if err := out.Flush(); err != nil {
		return err
	}
	if _, err := service.Import(ctx, catalog.CSV, file.Name(), nil); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "seed: a generated catalogue of %d cards\n", catalogueCards)
	return nil
}

// writeCatalogue writes a CSV file of cards with names of one to three words and texts of 15. As in real catalogues, a
// few words are in many cards.
func writeCatalogue(out *bufio.Writer, random *rand.Rand) {
	vocabulary := words(random)
	frequency := rand.NewZipf(random, 1.1, 20, uint64(len(vocabulary)-1))
	text := func(length int) string {
		drawn := make([]string, length)
		for i := range drawn {
			drawn[i] = vocabulary[frequency.Uint64()]
		}
		return strings.Join(drawn, " ")
	}
	fmt.Fprintln(out, "id,game,name,set,number,year,text")
	for i := range catalogueCards {
		set := i * setCount / catalogueCards
		fmt.Fprintf(out, "generated-%d,%s,%s,%s,%d,%d,%s\n", i, games[i%len(games)], text(1+random.IntN(3)),
			setName(set), 1+i%(catalogueCards/setCount), 1998+set*26/setCount, text(15))
	}
}

// words returns 12,000 different words of five to twelve letters, which are more or less pronounceable.
func words(random *rand.Rand) []string {
	const consonants, vowels = "bcdfghjklmnpqrstvwxz", "aeiouy"
	distinct := map[string]bool{}
	var all []string
	for len(all) < 12_000 {
		var word strings.Builder
		for range 2 + random.IntN(3) {
			word.WriteByte(consonants[random.IntN(len(consonants))])
			word.WriteByte(vowels[random.IntN(len(vowels))])
			if random.IntN(2) == 0 {
				word.WriteByte(consonants[random.IntN(len(consonants))])
			}
		}
		if w := word.String(); len(w) >= 5 && !distinct[w] {
			distinct[w] = true
			all = append(all, w)
		}
	}
	return all
}
