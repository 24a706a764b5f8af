package remote

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

const matchedCards = `id,game,name,set,set_code,number,printed_total,year,language,variant
p1,pokemon,Ember Fox,First Light,FLT,8,193,2022,en,
p2,pokemon,Ember Fox,Second Dawn,SDN,8,180,2021,en,
p3,pokemon,Ember Fox,Third Age,TRD,9,193,2019,,
p4,pokemon,Glass Heron,Promos,PRM,SWSH179,,2020,en,
r1,pokemon,Twin Otter,Old Set,OLD,4,50,2001,en,
r2,pokemon,Twin Otter,New Set,NEW,4,50,2011,en,
v1,magic,Iron Moth,Duel Night,DLN,12,,2018,en,
v2,magic,Iron Moth,Duel Night,DLN,12,,2018,ja,
`

// TestChecker_Candidates checks which answers the catalogue confirms. An answer is sure of itself: 0.95.
func TestChecker_Candidates(t *testing.T) {
	t.Parallel()
	catalogue := catalog.New(pgtest.New(t))
	path := filepath.Join(t.TempDir(), "cards.csv")
	if err := os.WriteFile(path, []byte(matchedCards), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := catalogue.Import(t.Context(), catalog.CSV, path, nil); err != nil {
		t.Fatal(err)
	}
	check := checker{catalogue, identify.DefaultThreshold}
	for name, tc := range map[string]struct {
		answer Answer
		hints  catalog.Hints
		first  string // the identifier of the best candidate; "-" for one that is not in the catalogue, "" for none
		sure   bool   // whether it keeps its confidence
	}{
		"name, number and set": {
			Answer{Title: "Ember Fox", Number: "8", Set: "First Light"}, catalog.Hints{}, "p1", true,
		},
		"code of the set": {
			Answer{Title: "ember fox", Number: "8", SetCode: "sdn"}, catalog.Hints{}, "p2", true,
		},
		"release as the set": {
			Answer{Title: "Ember Fox", Number: "8", Set: "Base", Release: "First Light"}, catalog.Hints{}, "p1", true,
		},
		"printed total": {
			Answer{Title: "Ember Fox", Number: "008", PrintedTotal: 193}, catalog.Hints{}, "p1", true,
		},
		"total in the number": {
			Answer{Title: "Ember Fox", Number: "008/180", Set: "Other"}, catalog.Hints{}, "p2", true,
		},
		"only one without set": {Answer{Title: "Glass Heron", Number: "SWSH179"}, catalog.Hints{}, "p4", true},
		"other set": {
			Answer{Title: "Glass Heron", Number: "SWSH179", Set: "Other"}, catalog.Hints{}, "p4", false,
		},
		"number of two sets": {Answer{Title: "Ember Fox", Number: "8"}, catalog.Hints{}, "p1", false},
		"total of two sets": {
			Answer{Title: "Twin Otter", Number: "4", PrintedTotal: 50}, catalog.Hints{}, "r2", false,
		},
		"set of one of them": {
			Answer{Title: "Twin Otter", Number: "4", PrintedTotal: 50, SetCode: "OLD"}, catalog.Hints{}, "r1", true,
		},
		"set of the owner": {
			Answer{Title: "Twin Otter", Number: "4", PrintedTotal: 50}, catalog.Hints{Set: "OLD"}, "r1", true,
		},
		"no number": {Answer{Title: "Glass Heron", Set: "Promos"}, catalog.Hints{}, "p4", false},
		"other number": {
			Answer{Title: "Glass Heron", Number: "SWSH180", Set: "Promos"}, catalog.Hints{}, "p4", false,
		},
		"other total": {
			Answer{Title: "Ember Fox", Number: "8/25", Set: "First Light"}, catalog.Hints{}, "p1", false,
		},
		"misspelled": {
			Answer{Title: "Glas Heron", Number: "SWSH179", Set: "Promos"}, catalog.Hints{}, "p4", false,
		},
		"other language": {
			Answer{Title: "Ember Fox", Number: "8/193", Language: "ja"}, catalog.Hints{}, "p1", false,
		},
		"same language": {
			Answer{Title: "Ember Fox", Number: "8/193", Language: "en-US"}, catalog.Hints{}, "p1", true,
		},
		"printing in Japanese": {
			Answer{Title: "Iron Moth", Number: "12", SetCode: "DLN", Language: "ja"}, catalog.Hints{}, "v2", true,
		},
		"language of the owner": {
			Answer{Title: "Iron Moth", Number: "12", SetCode: "DLN"}, catalog.Hints{Language: "ja"}, "v2", true,
		},
		"language not known": {
			Answer{Title: "Iron Moth", Number: "12", SetCode: "DLN"}, catalog.Hints{}, "v1", false,
		},
		"game of the answer": {
			Answer{Title: "Iron Moth", Number: "12", Game: "pokemon"}, catalog.Hints{}, "-", false,
		},
		"game of the owner": {
			Answer{Title: "Glass Heron", Number: "SWSH179", Game: "magic"}, catalog.Hints{Game: "pokemon"}, "p4", false,
		},
		"doubtful": {
			Answer{Title: "Glass Heron", Number: "SWSH179", Doubtful: true}, catalog.Hints{}, "p4", false,
		},
		"not in the catalogue": {
			Answer{Title: "Golden Dragon", Number: "1/2", Set: "First Light"}, catalog.Hints{}, "-", false,
		},
		"no card": {Answer{}, catalog.Hints{}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tc.answer.Confidence = 0.95; tc.answer.Game == "" {
				tc.answer.Game = "other"
			}
			got, err := check.candidates(t.Context(), []Answer{tc.answer}, tc.hints)
			if err != nil {
				t.Fatal(err)
			}
			first, sure := "", false
			for i, c := range got {
				if i == 0 {
					if first, sure = c.CatalogID, c.Confidence == 0.95; first == "" {
						first = "-"
					}
				}
				if wantUnconfirmed := i > 0 || !sure; c.Unconfirmed != wantUnconfirmed ||
					wantUnconfirmed && c.Confidence > identify.DefaultThreshold/2 {
					t.Errorf("candidate %d: got %+v, want unconfirmed %t", i, c, wantUnconfirmed)
				}
			}
			if first != tc.first || sure != tc.sure {
				t.Errorf("got %q, sure %t, want %q, %t: %+v", first, sure, tc.first, tc.sure, got)
			}
		})
	}
}

// A card in another language than the catalogue knows is offered in its own language.
func TestAnswer_CandidateInOtherLanguage(t *testing.T) {
	t.Parallel()
	english := catalog.Card{ID: "p1", Name: "Ember Fox", Language: "en"}
	got := Answer{Title: "Ember Fox", Language: "ja"}.candidate(english, true)
	if got.Language == nil || *got.Language != "ja" {
		t.Errorf("language: got %v, want ja", got.Language)
	}
}
