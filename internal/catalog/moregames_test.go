package catalog

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

const lorcanaFile = `{"metadata":{"formatVersion":"2.1.5","language":"de"},
 "sets":{"7":{"name":"Die Insel","releaseDate":"2025-03-14","number":7,"type":"expansion"}},
 "cards":[
  {"id":1,"name":"Mina","version":"Auf Reisen","fullName":"Mina - Auf Reisen",
   "fullIdentifier":"1/204 • DE • 7","number":1,"setCode":"7",
   "rarity":"Selten","artistsText":"Ann Bee","fullText":"Zieh eine Karte.","type":"Charakter"},
  {"id":2,"fullName":"Tor","fullIdentifier":"12/P1 • DE • 7","number":12,"setCode":"7"},
  {"id":3,"fullName":""}]}`

func TestImport_LorcanaJSON(t *testing.T) {
	t.Parallel()
	s := New(pgtest.New(t))
	path := write(t, "allCards.json", lorcanaFile)
	report := mustImport(t, s, LorcanaJSON, path, "3/2/0/0/1")
	if report.Problems[0].Line != 8 {
		t.Errorf("problems: got %+v, want the card without a name on line 8", report.Problems)
	}
	want := Card{
		ID: "lorcana:de:1", Game: lorcanaGame, Name: "Mina - Auf Reisen", Set: "Die Insel", SetCode: "7", Number: "1",
		PrintedTotal: 204, Year: 2025, Illustrator: "Ann Bee", Language: "de", Rarity: "Selten",
		Text: "Charakter\nZieh eine Karte.",
	}
	if diff := cmp.Diff(want, mustGet(t, s, want.ID)); diff != "" {
		t.Errorf("card (-want +got):\n%s", diff)
	}
	promo := mustGet(t, s, "lorcana:de:2")
	if promo.Number != "12" || promo.PrintedTotal != 0 || promo.Variant != "promo P1" {
		t.Errorf("promotional card: got %+v", promo)
	}
	for number, want := range map[string]string{"1/204 • DE • 7": "lorcana:de:1 ", "12/P1": "lorcana:de:2 "} {
		found, _, err := s.Browse(context.Background(), Filter{Number: number}, 10)
		if err != nil || ids(found) != want {
			t.Errorf("Browse by the number %q: got %v, %v, want %v", number, ids(found), err, want)
		}
	}
	mustImport(t, s, LorcanaJSON, path, "3/0/0/2/1")
	set := `{"code":"7","name":"Die Insel","releaseDate":"2025-03-14","metadata":{"language":"de"},
		"cards":[{"id":4,"fullName":"Bach","number":4,"setCode":"7"}]}`
	mustImport(t, s, LorcanaJSON, write(t, "setdata.7.json", set), "1/1/0/0/0")
	if card := mustGet(t, s, "lorcana:de:4"); card.Set != "Die Insel" || card.Year != 2025 {
		t.Errorf("card of the file of a set: got %+v", card)
	}
}

var punkRecords = map[string]string{
	"punk/english/packs.json": `{"1":{"id":"1","raw_title":"BOOSTER -Dawn &amp; Dusk- [OP-01]",
		"title_parts":{"title":"Dawn &amp; Dusk"}}}`,
	"punk/english/cards/1/OP01-001.json": `{"id":"OP01-001","pack_id":"1","name":"Captain","rarity":"Leader",
		"category":"Leader","types":["Crew"],"effect":"Draw 1.<br>Then rest.","trigger":null}`,
	"punk/english/data/1.json": `[{"id":"OP01-001","pack_id":"1","name":"Captain","rarity":"Leader","category":"Leader",
		"types":["Crew"],"effect":"Draw 1.<br>Then rest.","trigger":null},
		{"id":"OP01-001_p1","pack_id":"1","name":"Captain"}]`,
	"punk/japanese/cards/1/OP01-001.json": `{"id":"OP01-001","pack_id":"1","name":"せんちょう","category":"Leader"}`,
	"punk/english/index/by_name.json":     `{"captain":["OP01-001"]}`,
}

func TestImport_OnePiece(t *testing.T) {
	t.Parallel()
	s := New(pgtest.New(t))
	path := write(t, "punk.zip", zipped(t, punkRecords))
	// The cards of a pack are in one file, and again in one file each.
	mustImport(t, s, OnePiece, path, "4/3/0/0/1")
	want := Card{
		ID: "onepiece:en:OP01-001", Game: onePieceGame, Name: "Captain", Set: "Dawn & Dusk", SetCode: "OP01",
		Number: "OP01-001", Language: "en", Rarity: "Leader", Text: "Leader\nCrew\nDraw 1.\nThen rest.",
	}
	if diff := cmp.Diff(want, mustGet(t, s, want.ID)); diff != "" {
		t.Errorf("card (-want +got):\n%s", diff)
	}
	if card := mustGet(t, s, "onepiece:en:OP01-001_p1"); card.Variant != "parallel 1" || card.Number != "OP01-001" {
		t.Errorf("another picture: got %+v", card)
	}
	mustGet(t, s, "onepiece:ja:OP01-001")
	found, err := s.ByNumber(context.Background(), Hints{Language: "ja"}, "OP01-001", 0, 1)
	if err != nil || ids(found) != "onepiece:ja:OP01-001 " {
		t.Errorf("ByNumber with a hint: got %v, %v, want the Japanese card first", ids(found), err)
	}
}

func TestImport_OnePieceOfOPTCGAPI(t *testing.T) {
	t.Parallel()
	s := New(pgtest.New(t))
	path := write(t, "cards.json", `[{"card_set_id":"OP02-013","card_image_id":"OP02-013_p1",
		"card_name":"Mate (Parallel)","set_name":"Paramount",
		"rarity":"SR","card_type":"Character","market_price":12.5,"date_scraped":"2026-01-02"},
		{"card_name":"No number"}]`)
	mustImport(t, s, OnePiece, path, "2/1/0/0/1")
	card := mustGet(t, s, "onepiece:en:OP02-013_p1")
	if card.Number != "OP02-013" || card.Set != "Paramount" || card.Price == nil || card.Price.String() != "12.50 USD" {
		t.Errorf("card: got %+v", card)
	}
}

const sportsRows = "Player;Team;Year;Brand;Set;Card Number;Parallel;Numbered To;RC;Auto\n" +
	"Ana Example;Springfield Owls;2018;Topps;Topps Chrome;150;Gold Refractor;/50;x;yes\n" +
	"Bo Sample;Shelby Elks;1989;Upper Deck;;1;;;;\n" +
	"Cy Test;;1990;Fleer;;2;;many;;\n"

func TestImport_SportsCards(t *testing.T) {
	t.Parallel()
	s := New(pgtest.New(t))
	path := write(t, "sports.csv", sportsRows)
	report := mustImport(t, s, CSV, path, "3/2/0/0/1")
	if report.Problems[0].Line != 4 {
		t.Errorf("problems: got %+v, want the number of copies on line 4", report.Problems)
	}
	found, err := s.ByNumber(context.Background(), Hints{Game: "sports"}, "150", 0, 5)
	if err != nil || len(found) != 1 {
		t.Fatalf("ByNumber: got %v, %v, want one card", found, err)
	}
	want := Card{
		ID: found[0].ID, Game: "sports", Name: "2018 Topps Chrome Ana Example #150 Gold Refractor /50 RC Auto",
		Set: "Topps Chrome", Number: "150", Year: 2018, Variant: "Gold Refractor /50",
		Text: "Ana Example\nSpringfield Owls\nTopps",
	}
	if diff := cmp.Diff(want, found[0]); diff != "" {
		t.Errorf("card (-want +got):\n%s", diff)
	}
	for _, q := range []string{"ana example", "topps chrome 2018", "ana exmple refractor"} {
		found, _, err := s.Browse(context.Background(), Filter{Name: q}, 5)
		if err != nil || ids(found) != want.ID+" " {
			t.Errorf("Browse(%q): got %v, %v, want the card", q, ids(found), err)
		}
	}
	found, _, err = s.Browse(context.Background(), Filter{Set: "Upper Deck"}, 5)
	if err != nil || len(found) != 1 || found[0].Name != "1989 Upper Deck Bo Sample #1" {
		t.Errorf("card without a set: got %v, %v", found, err)
	}
	mustImport(t, s, CSV, path, "3/0/0/2/1")
}

func TestDerivedID(t *testing.T) {
	t.Parallel()
	const want = "other-series-one-7-toms-test-gold"
	if got := derivedID("other", "Series One", "7", "Tom's Test", "", "Gold"); got != want {
		t.Errorf("derivedID: got %q, want %q", got, want)
	}
	long := "a name that is much longer than the identifiers of the contract may be, with the end "
	one, two := derivedID("sports", long+"one"), derivedID("sports", long+"two")
	if len(one) != maxID || one == two {
		t.Errorf("derivedID of long names: got %q and %q, want two of %d characters", one, two, maxID)
	}
}
