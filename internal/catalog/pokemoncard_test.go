package catalog

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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
		{"secret rares above the total", pokemonSet{PrintedTotal: 3, Total: 5},
			"1:Common 2:Uncommon 3:Rare 4:SecretRare 5:SecretRare", map[string]int{"1": 3, "5": 3}},
		{"recorded before the release", pokemonSet{PrintedTotal: 2, Total: 5},
			"1:Common 2:Uncommon 3:Common 4:Uncommon 5:SecretRare", map[string]int{"1": 4, "5": 4}},
		{"one mislabelled secret rare", pokemonSet{PrintedTotal: 2, Total: 4},
			"1:Common 2:Common 3:SecretRare 4:Uncommon", map[string]int{"4": 2}},
		{"promos", pokemonSet{Name: "SV Black Star Promos", PrintedTotal: 9, Total: 9},
			"1:Promo 2:Promo", map[string]int{"1": 0}},
		{"numbers of other sets", pokemonSet{PrintedTotal: 3, Total: 3},
			"2:Rare 15:Rare 145:Rare", map[string]int{"2": 0}},
		{"gallery", pokemonSet{PrintedTotal: 83, Total: 117},
			"1:Common RC1:Rare RC32:Rare", map[string]int{"1": 83, "RC1": 32}},
		{"other letters", pokemonSet{PrintedTotal: 95, Total: 106},
			"1:Common SL1:Rare ONE:Rare A:Rare 28a:Rare", map[string]int{"SL1": 0, "ONE": 0, "A": 95, "28a": 95}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var list []pokemonCard
			for entry := range strings.FieldsSeq(test.list) {
				number, rarity, _ := strings.Cut(entry, ":")
				list = append(list, pokemonCard{Number: number, Rarity: rarity})
			}
			totals := printedTotals(test.set, list)
			for number, want := range test.want {
				if got := totals(number); got != want {
					t.Errorf("printed total of %s: got %d, want %d", number, got, want)
				}
			}
		})
	}
}

func TestPokemonCard_Text(t *testing.T) {
	t.Parallel()
	card := decode[pokemonCard](t, `{"id":"x-1","name":"Testling","hp":60,"evolvesFrom":"Egg",
		"abilities":[{"name":"Calm","text":"Rest."}],"attacks":[{"name":"Peck"}],"rules":["One only."],
		"flavorText":"Small."}`)
	want := Card{
		ID: "x-1", Game: "pokemon", Name: "Testling", Set: "Test", SetCode: "TST", PrintedTotal: 12, Year: 2019, HP: 60,
		Language: "en", Text: "Evolves from Egg\nCalm Rest.\nPeck\nOne only.\nSmall.",
	}
	got := card.card(pokemonSet{ID: "tst", Name: "Test", ReleaseDate: "2019/05/03"}, 12)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("card (-want +got):\n%s", diff)
	}
}

func TestPokemonCard_Prices(t *testing.T) {
	t.Parallel()
	const usd = `"tcgplayer":{"updatedAt":"2026/01/30",
		"prices":{"holofoil":{"market":9.5,"low":null},"normal":{"market":%s}}}`
	const eur = `"cardmarket":{"updatedAt":"2026/01/29","prices":{"trendPrice":0.125}}`
	day := func(day int) *time.Time {
		d := time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC)
		return &d
	}
	for name, test := range map[string]struct {
		block string
		want  *money.Money
		asOf  *time.Time
	}{
		"first finish":  {fmt.Sprintf(usd, "1.25"), &money.Money{Amount: 125, Currency: "USD"}, day(30)},
		"other finish":  {fmt.Sprintf(usd, "null"), &money.Money{Amount: 950, Currency: "USD"}, day(30)},
		"Cardmarket":    {eur, &money.Money{Amount: 13, Currency: "EUR"}, day(29)},
		"no prices":     {`"tcgplayer":{}`, nil, nil},
		"null as price": {`"tcgplayer":{"prices":null}`, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			price, asOf := decode[pokemonCard](t, "{"+test.block+"}").price()
			if diff := cmp.Diff(test.want, price); diff != "" {
				t.Errorf("price (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.asOf, asOf); diff != "" {
				t.Errorf("time of the price (-want +got):\n%s", diff)
			}
		})
	}
}

func decode[T any](t *testing.T, text string) (value T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return value
}
