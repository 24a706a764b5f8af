package catalog

import (
	"context"
	"slices"
	"testing"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/sharedtest"
)

// The test imports the cards of TCGdex in Japanese and German, and the printings of Yu-Gi-Oh.
func TestService_RealCatalogueOfOtherGamesAndLanguages(t *testing.T) {
	t.Parallel()
	japanese := sharedtest.Path(t, "data/catalog/tcgdex-ja.jsonl.gz")
	s := New(pgtest.New(t))
	mustImport(t, s, TCGdex, japanese, "13223/13223/0/0/0")
	names := sharedtest.Path(t, "data/catalog/tcgdex-intl-names.jsonl.gz")
	german, err := s.Import(t.Context(), TCGdex, names, nil, InLanguage("de"))
	if err != nil || german.Inserted < 10_000 || german.Skipped > 0 {
		t.Fatalf("Import of German names: got %+v, %v, want 10,000 cards or more", german, err)
	}
	printings := sharedtest.Path(t, "data/catalog/yugioh.json.gz")
	report, err := s.Import(t.Context(), YGOPRODeck, printings, nil)
	if err != nil || report.Read != 39_164 || report.Inserted < 39_100 {
		t.Fatalf("Import of Yu-Gi-Oh: got %+v, %v, want 39,100 of 39,164 printings or more", report, err)
	}
	for _, problem := range report.Problems { // the file has a few printings twice
		if len(problem.Message) < 20 || problem.Message[:3] != "id " {
			t.Errorf("problem: got %+v, want only repeated printings", problem)
		}
	}
	for query, want := range map[string]string{
		"ピカチュウ": "ピカチュウ", "リザードンex": "リザードンex", "リザートンex": "リザードンex", "ﾋﾟｶﾁｭｳ": "ピカチュウ", "Glurak": "Glurak",
		"LOB-EN001": "Blue-Eyes White Dragon", "Blue Eyes White Dragn": "Blue-Eyes White Dragon",
	} {
		found, _, err := s.Browse(context.Background(), Filter{Name: query}, 200)
		if err != nil || !slices.ContainsFunc(found, func(c Card) bool { return c.Name == want }) {
			t.Errorf("Browse(%q): got %d cards, %v, want %q among them", query, len(found), err, want)
		}
	}
	for name, want := range map[string]string{"ピカテュウ": "ピカチュウ", "Dark Magican": "Dark Magician"} {
		found, err := s.ByName(context.Background(), Hints{}, name, 30)
		if err != nil || !slices.ContainsFunc(found, func(m Match) bool { return m.Card.Name == want }) {
			t.Errorf("ByName(%q): got %d cards, %v, want %q among them", name, len(found), err, want)
		}
	}
	found, err := s.ByNumber(context.Background(), Hints{Game: "yugioh"}, "lob-en001", 0, 20)
	if err != nil || len(found) == 0 {
		t.Errorf("ByNumber: got %v, %v, want cards", ids(found), err)
	}
}
