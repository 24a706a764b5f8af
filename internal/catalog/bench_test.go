package catalog

import (
	"context"
	"testing"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/sharedtest"
)

func BenchmarkImport(b *testing.B) {
	archive := sharedtest.Path(b, "data/catalog/pokemon-tcg-data.zip")
	for b.Loop() {
		b.StopTimer()
		s := New(pgtest.New(b))
		b.StartTimer()
		benchImport(b, s, PokemonTCGData, archive)
	}
}

// The searches run over all 66,360 cards and 17,532 fingerprints of the shared catalogues.
func BenchmarkSearch(b *testing.B) {
	s := New(pgtest.New(b))
	benchImport(b, s, PokemonTCGData, sharedtest.Path(b, "data/catalog/pokemon-tcg-data.zip"))
	benchImport(b, s, Fingerprints, sharedtest.Path(b, "data/catalog/pokemon-fingerprints.json.gz"))
	benchImport(b, s, CSV, sharedtest.Path(b, "data/catalog/magic.csv.gz"))
	ctx := context.Background()
	list, err := s.Get(ctx, "swsh4-25", "10E-249")
	if err != nil || len(list) != 2 {
		b.Fatal(list, err)
	}
	words := Words(list[0].Text + " " + list[1].Text + " unknwn wrds thr are manny inn readd txets")
	for name, search := range map[string]func() error{
		"number":            func() error { _, err := s.ByNumber(ctx, Hints{}, "025", 185, 20); return err },
		"name":              func() error { _, err := s.ByName(ctx, Hints{}, "Charlzard", 20); return err },
		"text":              func() error { _, err := s.ByText(ctx, Hints{}, words, 20); return err },
		"fingerprint":       func() error { _, err := s.ByFingerprint(ctx, Hints{}, [64]byte{}, 20); return err },
		"browse":            func() error { _, _, err := s.Browse(ctx, Filter{Name: "Charlzard"}, 50); return err },
		"browse, two typos": func() error { _, _, err := s.Browse(ctx, Filter{Name: "Charlzrd"}, 50); return err },
		"find": func() error {
			_, err := s.Find(ctx, Query{Title: "Charizard", Number: "25/185"}, 20)
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := search(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func benchImport(b *testing.B, s *Service, format Format, path string) {
	b.Helper()
	if _, err := s.Import(context.Background(), format, path, nil); err != nil {
		b.Fatal(err)
	}
}
