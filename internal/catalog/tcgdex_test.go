package catalog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// kitsuneLines are cards as TCGdex writes them, one per line. The second line is cut.
const kitsuneLines = `{"id":"TS1-006","localId":"006","name":"ヒノコギツネex","language":"ja","illustrator":"Ann","hp":120,` +
	`"rarity":"None","set":{"id":"TS1","name":"はじめの炎","cardCount":{"official":60},"releaseDate":"2024-05-01"},` +
	`"text":["ほのおのキバ","30ダメージを追加する。"]}
{"id":"TS1-007","localId":"007","na
{"id":"TS1-GG02","localId":"GG02","name":"ミズガメ","language":"ja","set":{"id":"TS1"}}
`

func TestImport_TCGdexLines(t *testing.T) {
	t.Parallel()
	s := New(pgtest.New(t))
	path := write(t, "cards.jsonl.gz", gzipped(t, kitsuneLines))
	report := mustImport(t, s, TCGdex, path, "3/2/0/0/1")
	if report.Problems[0].Line != 2 {
		t.Errorf("problems: got %+v, want the cut card on line 2", report.Problems)
	}
	want := Card{
		ID: "tcgdex:ja:TS1-006", Game: "pokemon", Name: "ヒノコギツネex", Set: "はじめの炎", SetCode: "TS1", Number: "006",
		PrintedTotal: 60, Year: 2024, Illustrator: "Ann", HP: 120, Language: "ja",
		Text: "ほのおのキバ\n30ダメージを追加する。",
	}
	if diff := cmp.Diff(want, mustGet(t, s, want.ID)); diff != "" {
		t.Errorf("card (-want +got):\n%s", diff)
	}
	if number := mustGet(t, s, "tcgdex:ja:TS1-GG02").CollectorNumber(); number != "GG02/GG2" {
		t.Errorf("number of a gallery: got %q, want GG02/GG2", number)
	}
	mustImport(t, s, TCGdex, path, "3/0/0/2/1")
}

const manyNames = `[{"id":"tst1-4","localId":4,"name":{"en":"Cinder Fox","de":"Glutfuchs","pt-br":"Raposa"},"hp":80,
  "set":{"id":"tst1","name":{"en":"First Fire","de":"Erstes Feuer"},"cardCount":{"official":102}}}]`

func TestImport_TCGdexInManyLanguages(t *testing.T) {
	t.Parallel()
	s := New(pgtest.New(t))
	path := write(t, "names.json", manyNames)
	mustImport(t, s, TCGdex, path, "3/3/0/0/0")
	want := Card{
		ID: "tcgdex:de:tst1-4", Game: "pokemon", Name: "Glutfuchs", Set: "Erstes Feuer", SetCode: "tst1", Number: "4",
		PrintedTotal: 102, HP: 80, Language: "de",
	}
	if diff := cmp.Diff(want, mustGet(t, s, want.ID)); diff != "" {
		t.Errorf("German card (-want +got):\n%s", diff)
	}
	if card := mustGet(t, s, "tcgdex:pt-BR:tst1-4"); card.Language != "pt-BR" || card.Name != "Raposa" {
		t.Errorf("Portuguese card: got %+v", card)
	}
	mustImport(t, s, TCGdex, path, "3/0/0/3/0")
}

func TestImport_OnlyOneLanguage(t *testing.T) {
	t.Parallel()
	s := New(pgtest.New(t))
	path := write(t, "names.json", manyNames)
	report, err := s.Import(t.Context(), TCGdex, path, nil, InLanguage("pt"))
	if err != nil || report.Read != 1 || report.Inserted != 1 {
		t.Fatalf("Import of pt: got %+v, %v, want the card in pt-BR", report, err)
	}
	mustGet(t, s, "tcgdex:pt-BR:tst1-4")
	for tag, message := range map[string]string{"ja": "has no card in the language ja", "?": "is not a language"} {
		_, err = s.Import(t.Context(), TCGdex, path, nil, InLanguage(tag))
		if f, ok := fault.As(err); !ok || !strings.Contains(f.Message, message) {
			t.Errorf("Import of %s: got %v, want %q", tag, err, message)
		}
	}
}

// tcgdexFiles are the files that a build of TCGdex's repository and copies of its API contain.
var tcgdexFiles = map[string]string{
	"generated/de/series.json": `[{"id":"t"}]`,
	"generated/de/sets.json":   `[{"id":"tst1","name":"Erstes Feuer","releaseDate":"2023-03-31"}]`,
	"generated/de/cards.json": `[{"id":"tst1-4","localId":"4","name":"Glutfuchs","category":"Pokémon","hp":80,
		"evolveFrom":"Welpe",
		"attacks":[{"name":"Biss","effect":"Wirf eine Münze.","damage":30}],"description":"Schläft gern.",
		"set":{"id":"tst1","name":"Erstes Feuer","cardCount":{"official":102,"total":110}},
		"pricing":{"tcgplayer":null,"cardmarket":{"updated":"2025-08-05T00:42:15.000Z","unit":"EUR","trend":1.25}}}]`,
	"generated/fr/cards/tst1-4/index.json": `{"id":"tst1-4","localId":4,"name":"Renard Braise",
		"illustrator":{"id":2,"name":"Ann"},"set":{"name":"Premier Feu","code":"tst1"}}`,
	"generated/ja/cards/TS1.json": `{"id":"TS1","name":"はじめの炎","cardCount":{"official":60},"releaseDate":"2024-05-01",
		"abbreviation":{"official":"ts"},"cards":[{"id":"TS1-006","localId":"006","name":"ヒノコギツネex"}]}`,
}

func TestImport_TCGdexFolders(t *testing.T) {
	t.Parallel()
	s := New(pgtest.New(t))
	dir := t.TempDir()
	for name, content := range tcgdexFiles {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	mustImport(t, s, TCGdex, filepath.Join(dir, "generated"), "3/3/0/0/0")
	german := mustGet(t, s, "tcgdex:de:tst1-4")
	want := Card{
		ID: "tcgdex:de:tst1-4", Game: "pokemon", Name: "Glutfuchs", Set: "Erstes Feuer", SetCode: "tst1", Number: "4",
		PrintedTotal: 102, Year: 2023, HP: 80, Language: "de",
		Text:  "Welpe\nBiss Wirf eine Münze.\nSchläft gern.",
		Price: &money.Money{Amount: 125, Currency: "EUR"}, PriceAsOf: german.PriceAsOf,
	}
	if diff := cmp.Diff(want, german); diff != "" {
		t.Errorf("card (-want +got):\n%s", diff)
	}
	french := mustGet(t, s, "tcgdex:fr:tst1-4")
	if french.Number != "4" || french.Illustrator != "Ann" || french.SetCode != "tst1" {
		t.Errorf("card of the first version of the API: got %+v", french)
	}
	if card := mustGet(t, s, "tcgdex:ja:TS1-006"); card.Set != "はじめの炎" || card.SetCode != "ts" || card.Year != 2024 {
		t.Errorf("card of a set: got %+v", card)
	}
	mustImport(t, s, TCGdex, write(t, "tcgdex.zip", zipped(t, tcgdexFiles)), "3/0/0/3/0")
	mustImport(t, s, TCGdex, filepath.Join(dir, "generated", "de"), "1/0/0/1/0")
}

// A card that pokemon-tcg-data has is not repeated under TCGdex's identifier, and the other way round.
func TestImport_SamePrintingOfTwoSources(t *testing.T) {
	t.Parallel()
	tcgdex := write(t, "en.json", `[{"id":"tst-1","localId":"001","name":"One","set":{"id":"tst","name":"Testing"}},
		{"id":"tst-9","localId":"9","name":"Nine","set":{"id":"tst","name":"Testing"}}]`)
	archive := zipped(t, map[string]string{
		"sets/en.json":      `[{"id":"tst","name":"Testing","printedTotal":2,"total":2}]`,
		"cards/en/tst.json": `[{"id":"tst-1","name":"One","number":"1"},{"id":"tst-2","name":"Two","number":"2"}]`,
	})
	pokemon := write(t, "data.zip", archive)
	t.Run("TCGdex later", func(t *testing.T) {
		t.Parallel()
		s := New(pgtest.New(t))
		mustImport(t, s, PokemonTCGData, pokemon, "2/2/0/0/0")
		mustImport(t, s, TCGdex, tcgdex, "2/1/0/1/0")
		mustGet(t, s, "tcgdex:en:tst-9")
		mustImport(t, s, TCGdex, tcgdex, "2/0/0/2/0")
	})
	t.Run("TCGdex earlier", func(t *testing.T) {
		t.Parallel()
		s := New(pgtest.New(t))
		mustImport(t, s, TCGdex, tcgdex, "2/2/0/0/0")
		mustImport(t, s, PokemonTCGData, pokemon, "2/1/0/1/0")
		mustGet(t, s, "tst-2")
	})
}
