package catalog

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// hintedCards are printings of one card in several sets, languages and games, with the same number and text.
const hintedCards = `id,game,name,set,set_code,number,printed_total,year,language,text
p1,pokemon,Ember Fox,First Light,FLT,8,193,2022,en,Blazing tail burns
p2,pokemon,Ember Fox,Second Dawn,SDN,8,193,2021,en-US,Blazing tail burns
p3,pokemon,Ember Fox,Second Dawn,SDN,8,193,2020,ja,Blazing tail burns
p4,pokemon,Ember Fox,Third Age,TRD,8,193,2019,,Blazing tail burns
m1,magic,Ember Fox,First Light,FLT,8,193,2018,en,Blazing tail burns
`

func hinted(t *testing.T) *Service {
	t.Helper()
	s := New(pgtest.New(t))
	mustImport(t, s, CSV, write(t, "cards.csv", hintedCards), "5/5/0/0/0")
	// The fingerprint of each card has more bits than that of the card before.
	prints := make([]string, 0, 5)
	for i, id := range []string{"p1", "p2", "p3", "p4", "m1"} {
		hash := strings.Repeat("f", i+1) + strings.Repeat("0", 127-i)
		prints = append(prints, fmt.Sprintf(`%q: {"name": "Ember Fox", "hash": %q}`, id, hash))
	}
	mustImport(t, s, Fingerprints, write(t, "prints.json", "{"+strings.Join(prints, ",")+"}"), "5/5/0/0/0")
	return s
}

// Each search returns only the cards of the game, and those of the set and in the language before others that match
// equally well.
func TestHints_Searches(t *testing.T) {
	t.Parallel()
	s := hinted(t)
	matching := func(found []Match) (list []Card) {
		for _, m := range found {
			list = append(list, m.Card)
		}
		return list
	}
	for _, tc := range []struct {
		hints Hints
		want  string
	}{
		{Hints{}, "p1 p2 p3 p4 m1 "},
		{Hints{Game: "pokemon"}, "p1 p2 p3 p4 "},
		{Hints{Game: "magic"}, "m1 "},
		{Hints{Game: "yugioh"}, ""},
		{Hints{Set: "second dawn"}, "p2 p3 p1 p4 m1 "},
		{Hints{Set: "TRD"}, "p4 p1 p2 p3 m1 "},
		{Hints{Game: "magic", Set: "TRD"}, "m1 "},
		{Hints{Set: "No such set"}, "p1 p2 p3 p4 m1 "},
		{Hints{Set: "★"}, "p1 p2 p3 p4 m1 "},
		{Hints{Language: "ja"}, "p3 p1 p2 p4 m1 "},
		{Hints{Language: "EN"}, "p1 p2 m1 p3 p4 "},
		{Hints{Language: "e"}, "p1 p2 p3 p4 m1 "},
		{Hints{Set: "SDN", Language: "ja"}, "p3 p2 p1 p4 m1 "},
	} {
		t.Run(fmt.Sprintf("%+v", tc.hints), func(t *testing.T) {
			ctx := context.Background()
			if got, err := s.ByNumber(ctx, tc.hints, "008/193", 0, 10); err != nil || ids(got) != tc.want {
				t.Errorf("ByNumber: got %q, %v, want %q", ids(got), err, tc.want)
			}
			byName, err := s.ByName(ctx, tc.hints, "ember fox", 10)
			if got := ids(matching(byName)); err != nil || got != tc.want {
				t.Errorf("ByName: got %q, %v, want %q", got, err, tc.want)
			}
			if got, err := s.Printings(ctx, tc.hints, "Ember Fox", 10); err != nil || ids(got) != tc.want {
				t.Errorf("Printings: got %q, %v, want %q", ids(got), err, tc.want)
			}
			byText, err := s.ByText(ctx, tc.hints, []string{"blazing", "burns"}, 10)
			got := matching(byText)
			slices.SortStableFunc(got, func(a, b Card) int { return tc.hints.Agreement(b) - tc.hints.Agreement(a) })
			if err != nil || len(got) != len(strings.Fields(tc.want)) || ids(got) != ids(matching(byText)) {
				t.Errorf("ByText: got %q, %v, want the cards of %q", ids(matching(byText)), err, tc.want)
			}
		})
	}
}

func TestHints_LimitKeepsCardsOfSet(t *testing.T) {
	t.Parallel()
	s := hinted(t)
	for _, tc := range []struct {
		hints Hints
		want  string
	}{
		{Hints{}, "p1 p2 "},
		{Hints{Game: "magic"}, "m1 "},
		{Hints{Game: "yugioh"}, ""},
		{Hints{Set: "third age"}, "p1 p2 p4 "},
		{Hints{Set: "first light"}, "p1 p2 m1 "},
		{Hints{Game: "pokemon", Set: "first light"}, "p1 p2 "},
		{Hints{Game: "magic", Set: "third age"}, "m1 "},
		{Hints{Language: "ja"}, "p1 p2 "},
	} {
		found, err := s.ByFingerprint(context.Background(), tc.hints, [64]byte{}, 2)
		var got []Card
		for _, m := range found {
			got = append(got, m.Card)
		}
		if err != nil || ids(got) != tc.want {
			t.Errorf("ByFingerprint(%+v): got %q, %v, want %q", tc.hints, ids(got), err, tc.want)
		}
	}
	byName, err := s.ByName(context.Background(), Hints{Set: "third age"}, "ember fox", 1)
	if err != nil || len(byName) != 1 || byName[0].Card.ID != "p4" {
		t.Errorf("ByName with a limit of 1: got %+v, %v, want the card of the set", byName, err)
	}
}

// The SQL of agreement and Agreement say the same.
func TestHints_AgreementEqualsSQL(t *testing.T) {
	t.Parallel()
	s := hinted(t)
	all, err := s.Get(context.Background(), "p1", "p2", "p3", "p4", "m1")
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range []string{"", "FLT", "second  DAWN!", "none", "★"} {
		for _, language := range []string{"", "en", "EN-us", "ja", "en-GB", "j", "ja-JP"} {
			h := Hints{Set: set, Language: language}
			var rows []struct {
				ID        string `db:"id"`
				Agreement int    `db:"agreement"`
			}
			query := `SELECT c.id, ` + agreement + ` AS agreement FROM catalog_cards c WHERE ` + allowed
			if err := s.db.Select(context.Background(), &rows, query, h.params()...); err != nil {
				t.Fatal(err)
			}
			want, got := map[string]int{}, map[string]int{}
			for _, card := range all {
				want[card.ID] = h.Agreement(card)
			}
			for _, row := range rows {
				got[row.ID] = row.Agreement
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%+v (-Go +SQL):\n%s", h, diff)
			}
		}
	}
}

func TestHints_Allows(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		hint, game string
		want       bool
	}{{"", "magic", true}, {"magic", "magic", true}, {"magic", "", true}, {"magic", "pokemon", false}} {
		if got := (Hints{Game: tc.hint}).Allows(tc.game); got != tc.want {
			t.Errorf("Hints of %q: Allows(%q) = %v, want %v", tc.hint, tc.game, got, tc.want)
		}
	}
}
