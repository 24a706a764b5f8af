// Package demo provides the data of `cardvault demo`, `cardvault sandbox` and tests: forty fictional cards in two sets,
// and their pictures. It contains no real cards. Packages that serve requests do not import it.
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

// cardsCSV is the catalogue of the fictional cards in the format of `catalog import --format csv`.
//
//go:embed cards.csv
var cardsCSV []byte

// fingerprintsJSON holds the fingerprints of the cards' pictures in the format of `catalog import --format
// fingerprints`. They are stored because drawing forty pictures takes seconds. To regenerate them, run
// go test ./internal/demo -run TestFingerprints -update.
//
//go:embed fingerprints.json
var fingerprintsJSON []byte

// pricedAt is the time of the fictional prices. It is fixed, so that a repeated import changes nothing.
var pricedAt = time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC)

// Drawing is a fictional card that can be drawn.
type Drawing struct {
	ID  string // in the catalogue
	Art art.Card
}

// Image returns the card's picture.
func (d Drawing) Image() image.Image { return art.Draw(d.Art) }

// Photo returns a JPEG of the card on a table. seed determines the table, the light and the angle.
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

// Install imports the fictional cards and the fingerprints of their pictures into the catalogue. Repeating it changes
// nothing.
func Install(ctx context.Context, catalogue *catalog.Service) error {
	dir, err := os.MkdirTemp("", "cardvault-demo-")
	if err != nil {
		return fmt.Errorf("install catalogue: %w", err)
	}
	defer os.RemoveAll(dir)
	for _, file := range []struct {
		format  catalog.Format
		content []byte
	}{{catalog.CSV, cardsCSV}, {catalog.Fingerprints, fingerprintsJSON}} {
		path := filepath.Join(dir, string(file.format))
		if err := os.WriteFile(path, file.content, 0o600); err != nil {
			return fmt.Errorf("install catalogue: %w", err)
		}
		if err := os.Chtimes(path, pricedAt, pricedAt); err != nil {
			return fmt.Errorf("install catalogue: %w", err)
		}
		if _, err := catalogue.Import(ctx, file.format, path, nil); err != nil {
			return fmt.Errorf("install catalogue: %w", err)
		}
	}
	return nil
}
