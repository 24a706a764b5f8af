// Package demo is the material of `cardvault demo` and of tests: forty fictional cards in two sets, and
// pictures of them. It holds no real card, and nothing that serves requests imports it.
package demo

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/csv"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/demo/art"
)

// cardsCSV is the catalogue of the fictional cards, in the format that `catalog import --format csv` reads.
//
//go:embed cards.csv
var cardsCSV []byte

// fingerprintsJSON are the fingerprints of the cards' pictures, in the format that `catalog import
// --format fingerprints` reads. They are kept because drawing forty pictures takes seconds; what draws
// them anew is go test ./internal/demo -run TestFingerprints -update.
//
//go:embed fingerprints.json
var fingerprintsJSON []byte

// pricedAt is when the fictional prices held. It is fixed, so that a repeated import changes nothing.
var pricedAt = time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC)

// Drawing is a fictional card that can be drawn.
type Drawing struct {
	// ID is the card's identifier in the catalogue.
	ID  string
	Art art.Card
}

// Image returns the card's picture, straight and clean.
func (d Drawing) Image() image.Image { return art.Draw(d.Art) }

// Photo returns a JPEG of the card lying on a table; seed chooses the table, the light and the angle.
func (d Drawing) Photo(seed int64) ([]byte, error) { return art.Photo(d.Image(), seed) }

// Drawings returns the forty cards in the catalogue's order.
var Drawings = sync.OnceValue(func() []Drawing {
	rows, err := csv.NewReader(bytes.NewReader(cardsCSV)).ReadAll()
	if err != nil {
		panic("demo: the embedded catalogue does not parse: " + err.Error())
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	list := make([]Drawing, 0, len(rows)-1)
	for i, row := range rows[1:] {
		get := func(name string) string { return row[column[name]] }
		list = append(list, Drawing{ID: get("id"), Art: art.Card{Name: get("name"), Set: get("set"),
			Number: get("number") + "/" + get("printed_total"), Game: get("game"), HP: get("hp"),
			Text: get("text"), Illustrator: get("illustrator"), Seed: int64(i + 1)}})
	}
	return list
})

// Install imports the fictional cards into the catalogue, with their pictures' fingerprints. Doing it
// again changes nothing.
func Install(ctx context.Context, catalogue *catalog.Service) error {
	dir, err := os.MkdirTemp("", "cardvault-demo-")
	if err != nil {
		return fmt.Errorf("demo.Install: %w", err)
	}
	defer os.RemoveAll(dir)
	for _, file := range []struct {
		format  catalog.Format
		content []byte
	}{{catalog.CSV, cardsCSV}, {catalog.Fingerprints, fingerprintsJSON}} {
		path := filepath.Join(dir, string(file.format))
		if err := os.WriteFile(path, file.content, 0o600); err != nil {
			return fmt.Errorf("demo.Install: %w", err)
		}
		if err := os.Chtimes(path, pricedAt, pricedAt); err != nil {
			return fmt.Errorf("demo.Install: %w", err)
		}
		if _, err := catalogue.Import(ctx, file.format, path, nil); err != nil {
			return fmt.Errorf("demo.Install: %w", err)
		}
	}
	return nil
}
