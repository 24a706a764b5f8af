package catalog

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

const ygoAnswer = `{"data":[
 {"id":1001,"name":"Ash Drake","type":"Effect Monster","desc":"Burns once.","names":{"de":"Aschendrache"},"card_sets":[
  {"set_name":"Legend of Ash","set_code":"LOA-EN045","set_rarity":"Common","set_price":"1.20"},
  {"set_name":"Legend of Ash","set_code":"LOA-EN045","set_rarity":"Ultra Rare","set_price":"0"},
  {"set_name":"Legend of Ash","set_code":"LOA-045","set_rarity":"Common"},
  {"set_name":"Legend of Ash","set_code":"LOA-G045","set_rarity":"Common"},
  {"set_name":"Coming Soon","set_code":"SOON-EN???","set_rarity":"Common"}]},
 {"id":1002,"name":"Promise","type":"Spell Card"},
 {"id":1003,"name":7},
 {"id":1004,"name":"Long Code","card_sets":[{"set_name":"X","set_code":"ABCDEFGH-EN045","set_rarity":"Common"}]}
],"meta":{"generated":"today"}}`

func TestImport_YGOPRODeck(t *testing.T) {
	t.Parallel()
	s := New(pgtest.New(t))
	path := write(t, "cardinfo.json.gz", gzipped(t, ygoAnswer))
	report := mustImport(t, s, YGOPRODeck, path, "7/5/0/0/2")
	for i, want := range []string{"not a card", "number has 14 characters"} {
		if got := report.Problems[i]; got.Line != 9+i || !strings.HasPrefix(got.Message, want) {
			t.Errorf("problem %d: got %+v, want %q on line %d", i, got, want, 9+i)
		}
	}
	mustImport(t, s, YGOPRODeck, path, "7/0/0/5/2")
	found, err := s.ByNumber(context.Background(), Hints{}, "loa-en045", 0, 10)
	if err != nil || len(found) != 2 || found[0].ID == found[1].ID {
		t.Fatalf("ByNumber: got %+v, %v, want the two rarities", found, err)
	}
	got := found[0]
	if got.Price == nil {
		got = found[1]
	}
	want := Card{
		ID: got.ID, Game: "yugioh", Name: "Ash Drake", Set: "Legend of Ash", SetCode: "LOA", Number: "LOA-EN045",
		Language: "en", Rarity: "Common", Text: "Effect Monster\nBurns once.",
		Price: got.Price, PriceAsOf: got.PriceAsOf,
	}
	if diff := cmp.Diff(want, got); diff != "" || got.Price.String() != "1.20 USD" {
		t.Errorf("card with the price %v (-want +got):\n%s", got.Price, diff)
	}
	for number, name := range map[string]string{"LOA-045": "Ash Drake", "LOA-G045": "Aschendrache"} {
		found, err := s.ByNumber(context.Background(), Hints{}, number, 0, 10)
		if err != nil || len(found) != 1 || found[0].Name != name {
			t.Errorf("ByNumber(%s): got %+v, %v, want %s", number, found, err, name)
		}
	}
	for _, q := range []string{"LOA-045", "ash drkae", "Aschendrach", "drake"} {
		found, _, err := s.Browse(context.Background(), Filter{Name: q}, 10)
		if err != nil || len(found) == 0 {
			t.Errorf("Browse(%q): got no card, %v", q, err)
		}
	}
	if found, _, err := s.Browse(context.Background(), Filter{Name: "LOA-045"}, 10); err != nil || len(found) != 1 {
		t.Errorf("Browse by a set code: got %v, %v, want one card", ids(found), err)
	}
}

func TestImport_YGOPRODeckInGerman(t *testing.T) {
	t.Parallel()
	s := New(pgtest.New(t))
	german := `{"data":[{"id":1001,"name":"Aschendrache","name_en":"Ash Drake","desc":"Brennt.","card_sets":[
		{"set_name":"Legend of Ash","set_code":"LOA-EN045","set_rarity":"Common","set_price":"1.20"}]}]}`
	for _, content := range []string{ygoAnswer, german} {
		path := write(t, "cardinfo.json", content)
		if _, err := s.Import(t.Context(), YGOPRODeck, path, nil, InLanguage("de")); err != nil {
			t.Fatal(err)
		}
	}
	found, err := s.ByNumber(context.Background(), Hints{}, "LOA-DE045", 0, 10)
	if err != nil || len(found) != 2 {
		t.Fatalf("ByNumber: got %+v, %v, want the two rarities", found, err)
	}
	for _, card := range found {
		if card.Name != "Aschendrache" || card.Language != "de" || card.Price != nil {
			t.Errorf("card: got %+v, want German without the price of the English one", card)
		}
	}
	if found, err := s.ByNumber(context.Background(), Hints{}, "LOA-EN045", 0, 10); err != nil || len(found) > 0 {
		t.Errorf("English printings: got %v, %v, want none", ids(found), err)
	}
}
