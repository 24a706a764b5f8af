package catalog

import (
	"context"
	"strings"
	"testing"
	"unicode"

	"github.com/cardvault/cardvault/internal/catalog/folding"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

const asianCards = `id,game,name,language,number,text
j1,pokemon,ピカチュウ,ja,1,10まんボルト このポケモンにも30ダメージ。
j2,pokemon,リザードンex,ja,2,かえんほうしゃ
j3,pokemon,ロケット団のニャース,ja,3,
k1,pokemon,피카츄 ex,ko,1,
c1,pokemon,皮卡丘,zh-Hans,1,
c2,pokemon,喷火龙,zh-Hans,2,
e1,pokemon,Pikachu,en,1,
`

func TestSearch_UnspacedNames(t *testing.T) {
	t.Parallel()
	s := New(pgtest.New(t))
	mustImport(t, s, CSV, write(t, "cards.csv", asianCards), "7/7/0/0/0")
	for query, want := range map[string]string{
		"ピカチュウ": "j1 ", "ピカ": "j1 ", "ﾋﾟｶﾁｭｳ": "j1 ", "ぴかちゅう": "j1 ", "ピカテュウ": "j1 ", "ヒカチュウ": "j1 ", "ピカチュ": "j1 ",
		"リザードンex": "j2 ", "リザードン ＥＸ": "j2 ", "リザード": "j2 ", "リザートンex": "j2 ",
		"ロケット団のニャース": "j3 ", "ニャース": "j3 ", "ロケット団のニャーヌ": "j3 ",
		"피카츄": "k1 ", "피카": "k1 ", "피카추": "k1 ", "皮卡丘": "c1 ", "皮卡": "c1 ", "皮半丘": "c1 ", "噴火龙": "c2 ", "水": "",
	} {
		t.Run(query, func(t *testing.T) {
			found, _, err := s.Browse(context.Background(), Filter{Name: query}, 10)
			if err != nil || ids(found) != want {
				t.Errorf("Browse: got %q, %v, want %q", ids(found), err, want)
			}
			if len([]rune(query)) < 3 { // a name of two letters is similar to none
				return
			}
			matches, err := s.ByName(context.Background(), Hints{}, query, 10)
			if err != nil || len(matches) == 0 || matches[0].Card.ID+" " != want {
				t.Errorf("ByName: got %+v, %v, want %q first", matches, err, want)
			}
		})
	}
}

// Text recognition joins and splits words and misses letters: pairs of letters find the card.
func TestByText_Unspaced(t *testing.T) {
	t.Parallel()
	s := New(pgtest.New(t))
	mustImport(t, s, CSV, write(t, "cards.csv", asianCards), "7/7/0/0/0")
	found, err := s.ByText(context.Background(), Hints{}, []string{"IOまん ボルト", "のポケモソにも3Oダメージ"}, 5)
	if err != nil || len(found) == 0 || found[0].Card.ID != "j1" {
		t.Errorf("ByText: got %+v, %v, want j1 first", found, err)
	}
}

// The words in which the database allows typos are those in which Go does.
func TestUnspacedPattern(t *testing.T) {
	t.Parallel()
	var letters strings.Builder
	for r := rune(1); r <= unicode.MaxRune; r++ {
		if unicode.IsLetter(r) && string(folding.Fold(string(r))) == string(r) {
			letters.WriteRune(r)
		}
	}
	var matched []string
	err := pgtest.New(t).Select(context.Background(), &matched,
		`SELECT letter FROM regexp_split_to_table($1, '') AS letter WHERE letter ~ $2`,
		letters.String(), folding.UnspacedPattern)
	if err != nil {
		t.Fatal(err)
	}
	inSQL := map[rune]bool{}
	for _, letter := range matched {
		inSQL[[]rune(letter)[0]] = true
	}
	for _, r := range letters.String() {
		if inSQL[r] != folding.IsUnspaced(r) {
			t.Fatalf("%q (%U): got %v in the database, want %v as in Go", r, r, inSQL[r], folding.IsUnspaced(r))
		}
	}
}
