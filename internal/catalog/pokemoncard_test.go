package catalog

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/money"
)

func TestPokemonCard_PrintedTotal(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		set  pokemonSet
		list string // number:rarity, separated by spaces
		want map[string]int
	}{
		{"secret rares stand above the total", pokemonSet{PrintedTotal: 3, Total: 5},
			"1:Common 2:Uncommon 3:Rare 4:SecretRare 5:SecretRare", map[string]int{"1": 3, "5": 3}},
		{"a record from before the release", pokemonSet{PrintedTotal: 2, Total: 5},
			"1:Common 2:Uncommon 3:Common 4:Uncommon 5:SecretRare", map[string]int{"1": 4, "5": 4}},
		{"one mislabelled secret rare proves nothing", pokemonSet{PrintedTotal: 2, Total: 4},
			"1:Common 2:Common 3:SecretRare 4:Uncommon", map[string]int{"4": 2}},
		{"promos print none", pokemonSet{Name: "SV Black Star Promos", PrintedTotal: 9, Total: 9},
			"1:Promo 2:Promo", map[string]int{"1": 0}},
		{"numbers of other sets", pokemonSet{PrintedTotal: 3, Total: 3}, "2:Rare 15:Rare 145:Rare", map[string]int{"2": 0}},
		{"galleries count on their own", pokemonSet{PrintedTotal: 83, Total: 117},
			"1:Common RC1:Rare RC32:Rare", map[string]int{"1": 83, "RC1": 32}},
		{"other letters print none", pokemonSet{PrintedTotal: 95, Total: 106},
			"1:Common SL1:Rare ONE:Rare A:Rare 28a:Rare", map[string]int{"SL1": 0, "ONE": 0, "A": 95, "28a": 95}},
	} {
		var list []pokemonCard
		for entry := range strings.FieldsSeq(test.list) {
			number, rarity, _ := strings.Cut(entry, ":")
			list = append(list, pokemonCard{Number: number, Rarity: rarity})
		}
		totals := printedTotals(test.set, list)
		for number, want := range test.want {
			if got := totals(number); got != want {
				t.Errorf("%s: the total of %s is %d, want %d", test.name, number, got, want)
			}
		}
	}
}

func TestPokemonCard_Text(t *testing.T) {
	t.Parallel()
	card := decode[pokemonCard](t, `{"id":"x-1","name":"Testling","hp":60,"evolvesFrom":"Egg",
		"abilities":[{"name":"Calm","text":"Rest."}],"attacks":[{"name":"Peck"}],"rules":["One only."],"flavorText":"Small."}`)
	got := card.card(pokemonSet{ID: "tst", Name: "Test", ReleaseDate: "2019/05/03"}, 12)
	if want := "Evolves from Egg\nCalm Rest.\nPeck\nOne only.\nSmall."; got.Text != want {
		t.Errorf("text is %q, want %q", got.Text, want)
	}
	if got.HP != 60 || got.Year != 2019 || got.SetCode != "TST" || got.PrintedTotal != 12 || got.Price != nil {
		t.Errorf("got %+v", got)
	}
}

func TestPokemonCard_Prices(t *testing.T) {
	t.Parallel()
	const usd = `"tcgplayer":{"updatedAt":"2026/01/30","prices":{"holofoil":{"market":9.5,"low":null},"normal":{"market":%s}}}`
	const eur = `"cardmarket":{"updatedAt":"2026/01/29","prices":{"trendPrice":0.125}}`
	for block, want := range map[string]*money.Money{
		fmt.Sprintf(usd, "1.25"):      {Amount: 125, Currency: "USD"},
		fmt.Sprintf(usd, "null"):      {Amount: 950, Currency: "USD"},
		eur:                           {Amount: 13, Currency: "EUR"},
		`"tcgplayer":{}`:              nil,
		`"tcgplayer":{"prices":null}`: nil,
	} {
		price, asOf := decode[pokemonCard](t, "{"+block+"}").price()
		if (price == nil) != (want == nil) || price != nil && (*price != *want || asOf.Before(time.Date(2026, 1, 29, 0, 0, 0, 0, time.UTC))) {
			t.Errorf("%s: got %v as of %v, want %v", block, price, asOf, want)
		}
	}
}

func decode[T any](t *testing.T, text string) (value T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return value
}
