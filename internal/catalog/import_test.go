package catalog

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

const twoCards = "\ufeffID;Game;Card Name;Set Name;Code;Card Number;Artist;Price;Body\n" +
	"a-1;MTG;First Card;Testing;TST;001/020;Ann;1.50;Some text\n" +
	"a-2;MTG;Second Card;Testing;TST;2/20;Ann;;Other text\n"

func TestImport_CSV(t *testing.T) {
	t.Parallel()
	s := New(pgtest.New(t))
	path := write(t, "cards.csv", twoCards)
	mustImport(t, s, CSV, path, "2/2/0/0/0")
	card := mustGet(t, s, "a-1")
	want := Card{
		ID: "a-1", Game: "magic", Name: "First Card", Set: "Testing", SetCode: "TST", Number: "001", PrintedTotal: 20,
		Illustrator: "Ann", Text: "Some text", Price: &money.Money{Amount: 150, Currency: "USD"},
		PriceAsOf: card.PriceAsOf,
	}
	if diff := cmp.Diff(want, card); diff != "" || card.PriceAsOf == nil {
		t.Fatalf("card with a price as of %v (-want +got):\n%s", card.PriceAsOf, diff)
	}
	mustImport(t, s, CSV, path, "2/0/0/2/0")

	changes := strings.NewReplacer("Second Card", "Second Card!", "1.50", "")
	mustImport(t, s, CSV, write(t, "changed.csv.gz", gzipped(t, changes.Replace(twoCards))), "2/0/1/1/0")
	if card := mustGet(t, s, "a-1"); card.Price == nil || card.Price.Amount != 150 {
		t.Fatalf("price after an import without prices: got %v, want the earlier one", card.Price)
	}
	if card := mustGet(t, s, "a-2"); card.Name != "Second Card!" {
		t.Fatalf("changed card: got %+v, want the new name", card)
	}
}

func TestImport_ReportsInvalidRows(t *testing.T) {
	t.Parallel()
	s := New(pgtest.New(t))
	path := write(t, "cards.csv", "id,name,hp,year,price,text\n"+
		"1,Good\x00 \xffName,60,1999,,\"two\nlines\"\n"+ // lines 2 and 3
		"2,,60,1999,,\n"+ // 4
		"3,"+strings.Repeat("x", maxName+1)+",60,1999,,\n"+ // 5
		"4,Name,sixty,1999,,\n"+ // 6
		"5,Name,60,1234,,\n"+ // 7
		"6,Name,60,1999,cheap,\n"+ // 8
		"7,Name,-1,1999,,\n"+ // 9
		"1,Again,60,1999,,\n"+ // 10
		"8,Long,60,1999,,"+strings.Repeat("y ", maxText)+"\n")
	report := mustImport(t, s, CSV, path, "9/2/0/0/7")
	want := []string{
		"4: name is missing", "5: name has 201 characters", `6: hp "sixty"`, "7: year 1234", `8: price "cheap"`,
		"9: hp -1", `10: id "1" was already used`,
	}
	for i, problem := range report.Problems {
		if got := fmt.Sprintf("%d: %s", problem.Line, problem.Message); !strings.HasPrefix(got, want[i]) {
			t.Errorf("problem %d: got %q, want %q", i, got, want[i])
		}
	}
	if card := mustGet(t, s, "1"); card.Name != "Good �Name" || card.Text != "two\nlines" {
		t.Errorf("card with invalid characters: got %+v", card)
	}
	if card := mustGet(t, s, "8"); len(card.Text) > maxText {
		t.Errorf("length of the text: got %d, want at most %d", len(card.Text), maxText)
	}
}

// Prices with decimal commas are parsed like those of the inventory's CSV files.
func TestImport_CSVWithDecimalCommas(t *testing.T) {
	t.Parallel()
	s := New(pgtest.New(t))
	path := write(t, "cards.csv", "id;name;price;currency\n"+
		"1;One;12,50;EUR\n2;Two;€ 1.234,50;EUR\n3;Three;0,500;EUR\n4;Four;1,234;EUR\n")
	report := mustImport(t, s, CSV, path, "4/3/0/0/1")
	for id, want := range map[string]string{"1": "12.50 EUR", "2": "1234.50 EUR", "3": "0.50 EUR"} {
		if card := mustGet(t, s, id); card.Price == nil || card.Price.String() != want {
			t.Errorf("price of %s: got %v, want %s", id, card.Price, want)
		}
	}
	const want = `price "1,234" could be thousands or decimals: write 1234.00 or 1.2340`
	if got := report.Problems[0].Message; got != want {
		t.Errorf("problem: got %q, want %q", got, want)
	}
}

func TestImport_CSVWithoutIDs(t *testing.T) {
	t.Parallel()
	s := New(pgtest.New(t))
	path := write(t, "cards.csv",
		"name\tset\tnumber\tvariant\nTom Test\tSeries One\t7\t\nTom Test\tSeries One\t7\tGold\n")
	mustImport(t, s, CSV, path, "2/2/0/0/0")
	mustImport(t, s, CSV, path, "2/0/0/2/0")
	mustGet(t, s, "other-series-one-7-tom-test-gold")
}

const scryfallCards = `[
 {"object":"card","id":"u1","name":"Spark","lang":"en","released_at":"2020-04-24","set":"iko","set_name":"Ikoria",
  "collector_number":"12","rarity":"common","artist":"Ann","type_line":"Instant","oracle_text":"Deal 2.",
  "flavor_text":"Ouch.","finishes":["foil"],"prices":{"usd":null,"usd_foil":"0.35"}},
 {"object":"card","id":"u2","name":"Day // Night","lang":"zhs","set":"mid",
  "card_faces":[{"name":"Day","printed_name":"日","oracle_text":"Shine."},
  {"name":"Night","printed_name":"夜","oracle_text":"Hide."}]},
 {"object":"set"}, 7,
 {"object":"card","id":"u3","name":"Online","digital":true}
]`

func TestImport_Scryfall(t *testing.T) {
	t.Parallel()
	s := New(pgtest.New(t))
	path := write(t, "bulk.json.gz", gzipped(t, scryfallCards))
	report := mustImport(t, s, Scryfall, path, "4/2/0/0/2")
	if report.Problems[0].Line != 8 || !strings.Contains(report.Problems[0].Message, `"object" is "set"`) {
		t.Errorf("problems: got %+v, want the set on line 8 first", report.Problems)
	}
	card := mustGet(t, s, "u1")
	want := Card{
		ID: "u1", Game: "magic", Name: "Spark", Set: "Ikoria", SetCode: "IKO", Number: "12", Year: 2020,
		Illustrator: "Ann", Language: "en", Rarity: "common", Variant: "foil", Text: "Instant\nDeal 2.\nOuch.",
		Price: &money.Money{Amount: 35, Currency: "USD"}, PriceAsOf: card.PriceAsOf,
	}
	if diff := cmp.Diff(want, card); diff != "" {
		t.Errorf("card (-want +got):\n%s", diff)
	}
	if card := mustGet(t, s, "u2"); card.Language != "zh-Hans" || !strings.Contains(card.Text, "夜\n\nHide.") ||
		card.Name != "日 // 夜" {
		t.Errorf("card with two faces: got %+v, want zh-Hans, both printed names and both texts", card)
	}
	mustImport(t, s, Scryfall, path, "4/0/0/2/2")
}

var pokemonFiles = map[string]string{
	"data-main/sets/en.json": `[
		{"id":"tst","name":"Testing","printedTotal":2,"total":2,"ptcgoCode":"TS","releaseDate":"2024/02/03"}]`,
	"data-main/cards/en/tst.json": `[{"id":"tst-1","name":"One","number":"1","hp":"60","rarity":"Common"},
  {"id":"tst-2","name":7,"number":"2"}]`,
	"data-main/cards/en/new.json": `[{"id":"new-1","name":"One","number":"1"}]`,
}

func TestImport_PokemonArchiveAndDirectory(t *testing.T) {
	t.Parallel()
	s := New(pgtest.New(t))
	report := mustImport(t, s, PokemonTCGData, write(t, "data.zip", zipped(t, pokemonFiles)), "3/1/0/0/2")
	for i, want := range []string{"cards/en/new.json: the set is not in", "cards/en/tst.json: not a card"} {
		if !strings.HasPrefix(report.Problems[i].Message, want) {
			t.Errorf("problem %d: got %+v, want %q", i, report.Problems[i], want)
		}
	}
	if report.Problems[1].Line != 2 {
		t.Errorf("line of the second problem: got %d, want 2", report.Problems[1].Line)
	}
	dir := t.TempDir()
	for name, content := range pokemonFiles {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	mustImport(t, s, PokemonTCGData, dir, "3/0/0/1/2")
	mustImport(t, s, PokemonTCGData, filepath.Join(dir, "data-main"), "3/0/0/1/2")
}

func TestImport_Fingerprints(t *testing.T) {
	t.Parallel()
	s := New(pgtest.New(t))
	mustImport(t, s, CSV, write(t, "cards.csv", twoCards), "2/2/0/0/0")
	entry := func(id, digit string) string {
		return fmt.Sprintf("%q: {\"name\": \"x\", \"hash\": %q}", id, strings.Repeat(digit, 128))
	}
	path := write(t, "prints.json", "{"+entry("a-1", "0")+","+entry("a-2", "f")+","+entry("gone", "1")+
		",\n\"bad\": {\"hash\":\"00\"}}")
	report := mustImport(t, s, Fingerprints, path, "4/2/0/0/2")
	if report.Unmatched != 1 || len(report.Problems) != 1 || report.Problems[0].Line != 2 {
		t.Fatalf("Import: got %+v, want one unmatched fingerprint and a problem on line 2", report)
	}
	mustImport(t, s, Fingerprints, path, "4/0/0/2/2")
	mustImport(t, s, Fingerprints, write(t, "two.json", "{"+entry("a-1", "8")+"}"), "1/0/1/0/0")

	found, err := s.ByFingerprint(context.Background(), Hints{}, [64]byte{}, 5)
	if err != nil || len(found) != 2 {
		t.Fatalf("ByFingerprint: got %v, %v, want both cards", found, err)
	}
	if found[0].Card.ID != "a-1" || found[0].Distance != 128 || found[1].Distance != 512 {
		t.Fatalf("ByFingerprint: got %+v, want a-1 at a distance of 128, then a-2 at 512", found)
	}
}
