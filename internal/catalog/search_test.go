package catalog

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

const searchCards = `id,game,name,set,set_code,number,printed_total,year,price,text
p1,pokemon,Ember Fox,First Light,FLT,008,193,2020,,Blazing tail burns the opponent's bench
p2,pokemon,Ember Fox,Second Dawn,SDN,8,120,2022,3.00,Blazing tail burns the opponent's bench
p3,pokemon,Ember Fox V,First Light,FLT,TG05,30,2020,,Volcanic uproar discards energy
p4,pokemon,Flabébé,First Light,FLT,SWSH012,0,2020,,Gentle petals heal damage
m1,magic,Ember Foxes,Third Age,TRD,8,193,1999,,Gentle creatures trample the opponent
`

func searchable(t *testing.T) *Service {
	t.Helper()
	s := New(pgtest.New(t))
	mustImport(t, s, CSV, write(t, "cards.csv", searchCards), "5/5/0/0/0")
	return s
}

func ids(list []Card) (joined string) {
	for _, card := range list {
		joined += card.ID + " "
	}
	return joined
}

func TestGet_KeepsOrder(t *testing.T) {
	t.Parallel()
	list, err := searchable(t).Get(context.Background(), "m1", "none", "p1", "m1")
	if err != nil || ids(list) != "m1 p1 " {
		t.Fatalf("Get: got %q, %v, want m1 and p1", ids(list), err)
	}
}

func TestByNumber(t *testing.T) {
	t.Parallel()
	s := searchable(t)
	for _, test := range []struct {
		number string
		total  int
		want   string
	}{
		{"8", 0, "p2 p1 m1 "}, {"008", 193, "p1 m1 "}, {"8/120", 0, "p2 "}, {"tg5", 30, "p3 "}, {"TG05/TG30", 0, "p3 "},
		{"SWSH12", 0, "p4 "}, {"9", 0, ""}, {"", 193, ""}, {"\x00", 0, ""},
	} {
		t.Run(fmt.Sprintf("%s of %d", test.number, test.total), func(t *testing.T) {
			list, err := s.ByNumber(context.Background(), Hints{}, test.number, test.total, 10)
			if err != nil || ids(list) != test.want {
				t.Errorf("ByNumber: got %q, %v, want %q", ids(list), err, test.want)
			}
		})
	}
}

func TestByName(t *testing.T) {
	t.Parallel()
	s := searchable(t)
	found, err := s.ByName(context.Background(), Hints{}, "EMBER F0X", 10)
	if err != nil || len(found) != 4 || found[0].Card.Name != "Ember Fox" {
		t.Fatalf("misspelled name: got %+v, %v, want 4 cards, Ember Fox first", found, err)
	}
	found, err = s.ByName(context.Background(), Hints{}, "flabebe", 10)
	if err != nil || len(found) != 1 || found[0].Score != 1 {
		t.Fatalf("name without accents: got %+v, %v, want one card with the score 1", found, err)
	}
	if found, err := s.ByName(context.Background(), Hints{}, " \x00★", 10); err != nil || len(found) != 0 {
		t.Fatalf("name without letters: got %+v, %v, want none", found, err)
	}
}

func TestPrintings(t *testing.T) {
	t.Parallel()
	s := searchable(t)
	for _, test := range []struct {
		name  string
		limit int
		want  string
	}{
		{"Ember Fox", 10, "p2 p1 "}, {"Ember Fox", 1, "p2 "}, {"Flabébé", 10, "p4 "}, {"Flabebe", 10, ""},
		{"★", 10, ""},
	} {
		list, err := s.Printings(t.Context(), Hints{}, test.name, test.limit)
		if err != nil || ids(list) != test.want {
			t.Errorf("Printings(%q, %d): got %q, %v, want %q", test.name, test.limit, ids(list), err, test.want)
		}
	}
}

func TestByText(t *testing.T) {
	t.Parallel()
	s := searchable(t)
	// The first word has a typo, the last one is unknown, and several cards have the others.
	found, err := s.ByText(context.Background(), Hints{}, []string{"Volcamic", "discards", "opponent", "qqqqqq"}, 10)
	if err != nil || len(found) == 0 || found[0].Card.ID != "p3" {
		t.Fatalf("ByText: got %+v, %v, want p3 first", found, err)
	}
	if score := found[0].Score; score <= 0.5 || score >= 1 {
		t.Errorf("score: got %v, want one between 0.5 and 1 for a card with most of the words", score)
	}
	found, err = s.ByText(context.Background(), Hints{}, []string{"gentle petals heal damage"}, 1)
	if err != nil || len(found) != 1 || found[0].Card.ID != "p4" || found[0].Score != 1 {
		t.Fatalf("ByText: got %+v, %v, want p4 with the score 1", found, err)
	}
	for _, words := range [][]string{nil, {"of"}, {"zzzzzz"}, {"\x00\xff"}} {
		if found, err := s.ByText(context.Background(), Hints{}, words, 10); err != nil || len(found) != 0 {
			t.Errorf("ByText(%q): got %+v, %v, want none", words, found, err)
		}
	}
}

// A search finds the cards of a game behind however many of another one.
func TestByText_OtherGames(t *testing.T) {
	t.Parallel()
	const others, limit = 50, 2
	s := New(pgtest.New(t))
	cards := "id,game,name,text\n"
	for i := range others {
		cards += fmt.Sprintf("m%d,magic,Fox,Blazing tail burns\n", i)
	}
	cards += "p1,pokemon,Owl,Blazing wing\np2,pokemon,Owl,Blazing feather\np3,pokemon,Owl,Feather\n"
	mustImport(t, s, CSV, write(t, "cards.csv", cards), "53/53/0/0/0")
	for _, test := range []struct {
		hints Hints
		want  string
	}{
		{Hints{Game: "pokemon"}, "p1 p2 "}, {Hints{Game: "yugioh"}, ""}, {Hints{Games: []string{"magic"}}, "m0 m1 "},
		{Hints{Games: []string{"magic", "pokemon"}}, "m0 m1 "}, {Hints{}, "m0 m1 "},
	} {
		found, err := s.ByText(t.Context(), test.hints, []string{"blazing tail burns"}, limit)
		got := ""
		for _, m := range found {
			got += m.Card.ID + " "
		}
		if err != nil || got != test.want {
			t.Errorf("ByText(%+v): got %q, %v, want %q", test.hints, got, err, test.want)
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	s := searchable(t)
	for _, test := range []struct {
		query Query
		want  string
	}{
		{Query{Title: "ember fox"}, "p2 p1 "}, // the one with a price comes first; "Ember Fox V" has another name
		{Query{Title: "Ember Fox", Set: "first light"}, "p1 "},
		{Query{Title: "Ember Fox", Set: "sdn"}, "p2 "},
		{Query{Title: "Ember Fox", Number: "8/193"}, "p1 "},
		{Query{Title: "Flabebe", Number: "SWSH012"}, "p4 "},
		{Query{Title: "Ember Foxs", Game: "magic"}, "m1 "}, // mistyped
		{Query{Set: "FLT", Number: "TG5/TG30"}, "p3 "},
		{Query{Title: "Ember Fox", Set: "Third Age", Game: "pokemon"}, ""},
		{Query{Set: "First Light"}, ""},
		{Query{Title: "\x00"}, ""},
	} {
		t.Run(fmt.Sprintf("%+v", test.query), func(t *testing.T) {
			list, err := s.Find(context.Background(), test.query, 10)
			if err != nil || ids(list) != test.want {
				t.Errorf("Find: got %q, %v, want %q", ids(list), err, test.want)
			}
		})
	}
	list, err := s.Find(context.Background(), Query{Title: "ember fox"}, 1)
	if err != nil || len(list) != 1 {
		t.Fatalf("Find with a limit of 1: got %+v, %v", list, err)
	}
	if diff := cmp.Diff(&money.Money{Amount: 300, Currency: "USD"}, list[0].Price); diff != "" {
		t.Errorf("price (-want +got):\n%s", diff)
	}
}

func TestBrowse(t *testing.T) {
	t.Parallel()
	s := searchable(t)
	for _, test := range []struct {
		filter Filter
		limit  int
		want   string
		more   bool
	}{
		{Filter{Name: "ember fox"}, 10, "p2 p1 p3 m1 ", false}, // the same name first, newer ones before older ones
		{Filter{Name: "FOX"}, 10, "p2 p1 p3 m1 ", false},
		{Filter{Name: "embre fox"}, 10, "p2 p1 p3 m1 ", false}, // two typos in a word
		{Filter{Name: "emberr"}, 10, "p2 p1 p3 m1 ", false},
		{Filter{Name: "flabeb"}, 10, "p4 ", false},
		{Filter{Name: "flabxbe"}, 10, "p4 ", false},
		{Filter{Name: "fox", Game: "magic"}, 10, "m1 ", false},
		{Filter{Name: "fox", Set: "first light"}, 10, "p1 p3 ", false},
		{Filter{Set: "flt"}, 10, "p1 p3 p4 ", false},
		{Filter{Set: "FLT"}, 2, "p1 p3 ", true},
		{Filter{Number: "8/193"}, 10, "p1 m1 ", false},
		{Filter{Name: "fo"}, 10, "", false},
		{Filter{Name: "em"}, 10, "p2 p1 p3 m1 ", false}, // the beginning of the name
		{Filter{Name: "%"}, 10, "", false},
		{Filter{}, 2, "p2 p1 ", true},
		{Filter{Name: "dragon"}, 10, "", false},
	} {
		found, more, err := s.Browse(context.Background(), test.filter, test.limit)
		if err != nil || ids(found) != test.want || more != test.more {
			t.Errorf("Browse(%+v) = %q, %v, %v, want %q, %v", test.filter, ids(found), more, err, test.want, test.more)
		}
	}
}

// A word of two letters, which the index does not have, must not make the search read all cards.
func TestBrowse_ShortWord(t *testing.T) {
	t.Parallel()
	const number = 5000
	random := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		letters := make([]byte, 7)
		for i := range letters {
			letters[i] = 'a' + byte(random.IntN(26))
		}
		return string(letters)
	}
	cards := "id,game,name,number\n"
	var name string
	for i := range number {
		name = word() + " of " + word()
		cards += fmt.Sprintf("%d,pokemon,%s,1\n", i, name)
	}
	db := pgtest.New(t)
	s := New(db)
	mustImport(t, s, CSV, write(t, "cards.csv", cards), fmt.Sprintf("%d/%[1]d/0/0/0", number))
	patterns, err := s.namePatterns(t.Context(), name[:3]+name[4:])
	if err != nil {
		t.Fatal(err)
	}
	query, args := browseQuery(Filter{Name: name}, patterns, 10)
	if pages := pgtest.PagesRead(t, db, query, args...); pages > 50 {
		t.Errorf("a search by %v read %d pages, want at most 50", patterns, pages)
	}
}
