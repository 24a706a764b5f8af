package ebayapi

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/marketplaces"
)

func TestDescription(t *testing.T) {
	t.Parallel()
	card := marketplaces.Offer{
		Title: "2024 Dawn of Cinders Ember Fox", Name: "Ember <Fox>", Set: "Dawn of Cinders", Number: "54/167",
		Year: "2024", Variant: "Holo", Condition: "LP",
	}
	graded := card
	graded.Grade = &marketplaces.Grade{Company: "PSA", Value: "9", CertNumber: "123"}
	for name, tc := range map[string]struct {
		language string
		offer    marketplaces.Offer
		want     string
	}{
		"own text": {"en-US", marketplaces.Offer{Title: "T", Description: "Mint & <b>clean</b>\nShips boxed"},
			"Mint &amp; &lt;b&gt;clean&lt;/b&gt;<br>Ships boxed"},
		"only a title": {"en-US", marketplaces.Offer{Title: " Title <1> "}, "Title &lt;1&gt;"},
		"English": {"en-GB", card, "2024 Dawn of Cinders Ember Fox<br>Card: Ember &lt;Fox&gt;<br>" +
			"Set: Dawn of Cinders<br>Number: 54/167<br>Year: 2024<br>Variant: Holo<br>Condition: lightly played"},
		"German, graded": {"de-DE", graded, "2024 Dawn of Cinders Ember Fox<br>Karte: Ember &lt;Fox&gt;<br>" +
			"Set: Dawn of Cinders<br>Nummer: 54/167<br>Jahr: 2024<br>Variante: Holo<br>Bewertung: PSA 9<br>" +
			"Zertifikatsnummer: 123"},
	} {
		if got := Description(tc.offer, tc.language); got != tc.want {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
}

func TestAspects(t *testing.T) {
	t.Parallel()
	card := marketplaces.Offer{
		Name: "Ember Fox", Game: "pokemon", Set: "Dawn of Cinders", Number: "54/167", Year: "2024", Language: "ja-JP",
	}
	player := marketplaces.Offer{Name: "Ada Byron", Game: "sports", Set: strings.Repeat("Legends ", 8), Language: "xx"}
	for name, tc := range map[string]struct {
		language string
		offer    marketplaces.Offer
		want     map[string][]string
	}{
		"English": {"en-US", card, map[string][]string{
			"Game": {"Pokémon TCG"}, "Set": {"Dawn of Cinders"}, "Card Name": {"Ember Fox"}, "Card Number": {"54/167"},
			"Year Manufactured": {"2024"}, "Language": {"Japanese"},
		}},
		"German": {"de-DE", card, map[string][]string{
			"Spiel": {"Pokémon TCG"}, "Set": {"Dawn of Cinders"}, "Kartenname": {"Ember Fox"},
			"Kartennummer": {"54/167"},
		}},
		"sports": {"en-US", player, map[string][]string{"Set": {strings.TrimSpace(strings.Repeat("Legends ", 6))}}},
	} {
		got := Aspects(tc.offer, tc.language)
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		for aspect := range got {
			if !slices.Contains(AspectNames(tc.language), aspect) {
				t.Errorf("%s: AspectNames has no %q", name, aspect)
			}
		}
	}
}
