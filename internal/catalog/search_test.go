package catalog

import (
	"context"
	"testing"

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
		t.Fatalf("got %q, %v", ids(list), err)
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
		list, err := s.ByNumber(context.Background(), test.number, test.total, 10)
		if err != nil || ids(list) != test.want {
			t.Errorf("%q of %d: got %q, %v; want %q", test.number, test.total, ids(list), err, test.want)
		}
	}
}

func TestByName(t *testing.T) {
	t.Parallel()
	s := searchable(t)
	found, err := s.ByName(context.Background(), "EMBER F0X", 10)
	if err != nil || len(found) != 4 || found[0].Card.Name != "Ember Fox" {
		t.Fatalf("got %+v, %v", found, err)
	}
	found, err = s.ByName(context.Background(), "flabebe", 10)
	if err != nil || len(found) != 1 || found[0].Score != 1 {
		t.Fatalf("accents must not matter: %+v, %v", found, err)
	}
	if found, err := s.ByName(context.Background(), " \x00★", 10); err != nil || len(found) != 0 {
		t.Fatalf("got %+v, %v", found, err)
	}
}

func TestByText(t *testing.T) {
	t.Parallel()
	s := searchable(t)
	// One word with a typo, one unknown, the rest common to several cards.
	found, err := s.ByText(context.Background(), []string{"Volcamic", "discards", "opponent", "qqqqqq"}, 10)
	if err != nil || len(found) == 0 || found[0].Card.ID != "p3" {
		t.Fatalf("got %+v, %v", found, err)
	}
	if score := found[0].Score; score <= 0.5 || score >= 1 {
		t.Errorf("the score is %v: most but not all of the words are on the card", score)
	}
	found, err = s.ByText(context.Background(), []string{"gentle petals heal damage"}, 1)
	if err != nil || len(found) != 1 || found[0].Card.ID != "p4" || found[0].Score != 1 {
		t.Fatalf("got %+v, %v", found, err)
	}
	for _, words := range [][]string{nil, {"of"}, {"zzzzzz"}, {"\x00\xff"}} {
		if found, err := s.ByText(context.Background(), words, 10); err != nil || len(found) != 0 {
			t.Errorf("%q: got %+v, %v", words, found, err)
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
		{Query{Title: "ember fox"}, "p2 p1 "}, // the one with a price first; no "Ember Fox V"
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
		list, err := s.Find(context.Background(), test.query, 10)
		if err != nil || ids(list) != test.want {
			t.Errorf("%+v: got %q, %v; want %q", test.query, ids(list), err, test.want)
		}
	}
	list, err := s.Find(context.Background(), Query{Title: "ember fox"}, 1)
	if err != nil || len(list) != 1 || list[0].Price == nil || *list[0].Price != (money.Money{Amount: 300, Currency: "USD"}) {
		t.Fatalf("got %+v, %v", list, err)
	}
}
