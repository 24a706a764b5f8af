package judge

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify/cardtext"
	"github.com/cardvault/cardvault/internal/identify/match"
)

// threshold is the default threshold of the service.
const threshold = 0.85

// strong is the evidence of a card whose picture, name, number and text agree.
func strong() Evidence {
	return Evidence{
		Distance: 40, Name: 1, Number: 1, Body: 0.8, Illustrator: 1, SetCode: 1, HP: 1, Year: 1, Words: 40, Read: 35,
		Language: Agrees,
	}
}

func card(name, number string) catalog.Card {
	return catalog.Card{
		ID: name + "-" + number, Name: name, Number: number, PrintedTotal: 193, Language: "en", Game: "pokemon",
	}
}

// roundOf returns a round with a pool of cards and their evidence.
func roundOf(cards []catalog.Card, evidence ...Evidence) Round {
	r := Round{words: 40}
	for i, e := range evidence {
		r.Pool = append(r.Pool, Candidate{cards[i], e.Distance})
		r.Evidence = append(r.Evidence, e)
	}
	return r
}

func TestDecide_Strong(t *testing.T) {
	t.Parallel()
	weak := Evidence{Distance: 160, Body: 0.1, Words: 40, Read: 8, Language: Agrees}
	got := Decide(roundOf([]catalog.Card{card("Raichu", "2"), card("Slakoth", "160")}, weak, strong()))
	if got[0].Card.Name != "Slakoth" || got[0].Probability < 0.95 || got[0].Veto != "" {
		t.Errorf("Decide: got %+v, want Slakoth with at least 0.95", got[0])
	}
	if got[1].Probability > 0.05 {
		t.Errorf("Decide: got %+v, want at most 0.05 for the other card", got[1])
	}
}

// Each contradiction makes a card that everything else speaks for one that is not accepted.
func TestDecide_Vetoes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Evidence)
		want   Veto
	}{
		"language":   {func(e *Evidence) { e.Language = Differs }, OtherLanguage},
		"number":     {func(e *Evidence) { e.OtherNumber, e.Number = true, 0 }, OtherNumber},
		"name":       {func(e *Evidence) { e.Name = 0 }, OtherName},
		"text":       {func(e *Evidence) { e.Body, e.Read = 0.02, 3 }, OtherText},
		"no kind":    {func(e *Evidence) { e.Name, e.Number, e.Body, e.Words = 0.5, 0, 0, 0 }, OneKind},
		"unreadable": {func(e *Evidence) { e.Language, e.Body, e.Words = Undecided, 0, 0 }, UnknownLanguage},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := strong()
			c.change(&e)
			cards := []catalog.Card{card("Slakoth", "160"), card("Vigoroth", "161")}
			pool := []Evidence{e}
			if c.want == OtherName {
				pool = append(pool, Evidence{Distance: NoPicture, Name: 1, Language: Agrees})
			}
			got := Decide(roundOf(cards, pool...))
			if got[0].Veto != c.want {
				t.Errorf("Decide: got %q with %.2f, want %q", got[0].Veto, got[0].Probability, c.want)
			}
		})
	}
}

// What is not read yet may be in another language than what is, and contradicts no card.
func TestDecide_Partial(t *testing.T) {
	t.Parallel()
	unclear := func(e *Evidence) { e.Language, e.Body = Undecided, 0.2 }
	for name, c := range map[string]struct {
		language string // of the printing
		partial  bool
		change   func(*Evidence)
		want     Veto
	}{
		"whole, unknown language":   {"", false, unclear, ""},
		"partial, unknown language": {"", true, unclear, UnknownLanguage},
		"partial, language agrees":  {"en", true, func(e *Evidence) { e.Body, e.Read = 0.02, 3 }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := strong()
			c.change(&e)
			printing := card("Slakoth", "160")
			printing.Language = c.language
			r := roundOf([]catalog.Card{printing}, e)
			if r.partial = c.partial; c.partial {
				r.words = 0
			}
			if got := Decide(r); got[0].Veto != c.want {
				t.Errorf("Decide: got %q with %.2f, want %q", got[0].Veto, got[0].Probability, c.want)
			}
		})
	}
}

// Printings that look alike need their number, also if the fingerprint of one is not known.
func TestDecide_Twins(t *testing.T) {
	t.Parallel()
	cards := []catalog.Card{card("Pikachu", "62"), card("Pikachu", "18")}
	unread := strong()
	unread.Number, unread.SetCode, unread.Illustrator, unread.Year = 0, 0, 0, 0
	twin := unread
	twin.Distance = unread.Distance + 5
	unprinted := unread
	unprinted.Distance = NoPicture
	for name, other := range map[string]Evidence{"twin": twin, "without a fingerprint": unprinted} {
		got := Decide(roundOf(cards, unread, other))
		if got[0].Veto != Twins {
			t.Errorf("%s: got %q with %.2f, want twins", name, got[0].Veto, got[0].Probability)
		}
		read := unread
		read.Number = 1
		other.OtherNumber = true
		got = Decide(roundOf(cards, read, other))
		if got[0].Card.Number != "62" || got[0].Veto != "" || got[0].Probability < threshold {
			t.Errorf("%s, number read: got %+v, want 62 accepted", name, got[0])
		}
	}
}

// The code of a set that is printed beside the language distinguishes printings that look alike and have one number.
func TestDecide_PrintedSet(t *testing.T) {
	t.Parallel()
	anthology, first := card("Preyseizer Dragon", "50"), card("Preyseizer Dragon", "50")
	anthology.ID, anthology.SetCode, first.SetCode = "pca-50", "PCA", "PC2"
	pool := []Candidate{{anthology, NoPicture}, {first, NoPicture}}
	text := cardtext.Text{
		Head: []string{"Preyseizer Dragon"}, Lines: []string{"Preyseizer Dragon", "The dragon attacks each of them"},
		Foot: []string{"050/193 R", "PCA·ENDAARKEN"}, Printed: []string{"050/193 R", "PCA·ENDAARKEN"},
	}
	got := Decide(Weigh(pool, text, catalog.Hints{}))
	if got[0].Card.SetCode != "PCA" || got[0].Veto != "" || got[0].Probability < threshold {
		t.Errorf("Decide: got %+v, want PCA accepted", got[0])
	}
	text.Printed = text.Printed[:1]
	if got := Decide(Weigh(pool, text, catalog.Hints{})); got[0].Veto != Twins {
		t.Errorf("Decide without certainty: got %q, want twins", got[0].Veto)
	}
}

// A number whose slash was not read distinguishes printings that look alike, also from one with the nearer picture. If
// the card with the number is not in the catalogue, the others remain alike.
func TestDecide_NumberWithoutSlash(t *testing.T) {
	t.Parallel()
	cards := []catalog.Card{card("Charizard", "3"), card("Charizard", "4"), card("Charizard", "6")}
	read, near := strong(), strong()
	read.Distance, read.Number, near.Number = near.Distance+20, match.WithoutSlash, 0
	got := Decide(roundOf(cards, near, read, near))
	if got[0].Card.Number != "4" || got[0].Veto != "" || got[0].Probability < threshold {
		t.Errorf("Decide: got %+v, want 4 accepted", got[0])
	}
	isRead := func(c catalog.Card) bool { return c.Number == "4" }
	if got := Decide(roundOf(cards, near, read, near).Without(isRead)); got[0].Veto != Twins {
		t.Errorf("Decide without the card: got %q, want twins", got[0].Veto)
	}
}

// The hint of the owner distinguishes printings that look alike.
func TestDecide_Hints(t *testing.T) {
	t.Parallel()
	cards := []catalog.Card{card("Pikachu", "62"), card("Pikachu", "18")}
	twin := strong()
	twin.Number = 0
	hinted := twin
	hinted.Hints = 1
	got := Decide(roundOf(cards, twin, hinted))
	if got[0].Card.Number != "18" || got[0].Veto != "" || got[0].Probability < threshold {
		t.Errorf("Decide: got %+v, want 18 accepted", got[0])
	}
}

// More agreement never makes a card less likely, for any other evidence.
func TestDecide_Monotone(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		e, rival := randomEvidence(random), randomEvidence(random)
		cards := []catalog.Card{card("Slakoth", "160"), card("Zubat", "7")}
		before := probability(roundOf(cards, e, rival))
		for name, improve := range improvements {
			better := e
			improve(&better)
			if after := probability(roundOf(cards, better, rival)); after < before-1e-9 {
				t.Fatalf("%s: probability fell from %.4f to %.4f for %+v", name, before, after, e)
			}
		}
	}
}

var improvements = map[string]func(*Evidence){
	"picture":     func(e *Evidence) { e.Distance = min(e.Distance, 40) },
	"name":        func(e *Evidence) { e.Name = 1 },
	"number":      func(e *Evidence) { e.Number, e.OtherNumber = 1, false },
	"body":        func(e *Evidence) { e.Body, e.Read = 1, e.Words },
	"illustrator": func(e *Evidence) { e.Illustrator = 1 },
	"set code":    func(e *Evidence) { e.SetCode = 1 },
	"HP":          func(e *Evidence) { e.HP, e.OtherHP = 1, false },
	"year":        func(e *Evidence) { e.Year, e.OtherYear = 1, false },
	"language":    func(e *Evidence) { e.Language = Agrees },
	"hints":       func(e *Evidence) { e.Hints = 2 },
}

// probability returns the probability of the first card of a round.
func probability(r Round) float64 {
	for _, v := range Decide(r) {
		if v.Card.ID == r.Pool[0].Card.ID {
			return v.Probability
		}
	}
	return -1
}

func randomEvidence(r *rand.Rand) Evidence {
	return Evidence{
		Distance: 30 + r.IntN(300), Name: r.Float64(), Number: r.Float64(), Body: r.Float64(),
		Illustrator: r.Float64(), SetCode: float64(r.IntN(2)), HP: float64(r.IntN(2)), Year: float64(r.IntN(2)),
		Words: 40, Read: r.IntN(41), OtherNumber: r.IntN(4) == 0, OtherHP: r.IntN(4) == 0, OtherYear: r.IntN(4) == 0,
		Language: Agreement(r.IntN(3)), Hints: r.IntN(3),
	}
}

// The probabilities of the cards and of none of them are 1 together.
func TestProbabilities(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		utilities, want []float64
	}{
		{nil, nil},
		{[]float64{0}, []float64{0.5}},
		{[]float64{0, 0}, []float64{1. / 3, 1. / 3}},
		{[]float64{1000, 0}, []float64{1, 0}},
		{[]float64{-1000}, []float64{0}},
	} {
		if got := Probabilities(c.utilities); fmt.Sprintf("%.6f", got) != fmt.Sprintf("%.6f", c.want) {
			t.Errorf("Probabilities(%v): got %v, want %v", c.utilities, got, c.want)
		}
	}
}

func TestWeights_Signs(t *testing.T) {
	t.Parallel()
	for i, weight := range fitted.Features {
		if Positive(i) && weight < 0 || !Positive(i) && weight > 0 {
			t.Errorf("weight of %s: got %.2f, which has the wrong sign", FeatureNames[i], weight)
		}
	}
}

// A text leads to its card, and not to another printing with the same text.
func TestWeigh(t *testing.T) {
	t.Parallel()
	const yawn = "Yawn Your opponent's Active Pokémon is now Asleep. It sleeps for twenty hours every day."
	text := cardtext.Text{
		Head: []string{"Slakoth", "HP 70"}, Foot: []string{"Illus. Shigenori Negishi", "PAL 160/193 ©2023 Pokémon"},
		Printed: []string{"PAL 160/193 ©2023 Pokémon"}, Body: catalog.Words("Slakoth " + yawn),
		Lines: []string{"Slakoth", "HP 70", yawn},
	}
	right := catalog.Card{
		ID: "sv2-160", Name: "Slakoth", Number: "160", PrintedTotal: 193, SetCode: "PAL", HP: 70, Year: 2023,
		Language: "en", Illustrator: "Shigenori Negishi", Text: yawn,
	}
	old := right
	old.ID, old.Number, old.PrintedTotal, old.SetCode, old.HP, old.Year = "x-7", "7", 150, "OLD", 60, 2010
	japanese := right
	japanese.ID, japanese.Language = "ja-160", "ja"
	r := Weigh([]Candidate{{right, NoPicture}, {old, NoPicture}, {japanese, NoPicture}}, text, catalog.Hints{})
	e := r.Evidence[0]
	if e.Name != 1 || e.Number != 1 || e.SetCode != 1 || e.HP != 1 || e.Year != 1 || e.Illustrator != 1 ||
		e.Language != Agrees || e.Body < 0.7 || e.OtherNumber || e.OtherHP || e.OtherYear {
		t.Errorf("evidence of the right card: got %+v", e)
	}
	if e := r.Evidence[1]; !e.OtherNumber || !e.OtherHP || !e.OtherYear || e.SetCode != 0 {
		t.Errorf("evidence of the old printing: got %+v, want contradictions", e)
	}
	if e := r.Evidence[2]; e.Language != Differs {
		t.Errorf("evidence of the Japanese printing: got %+v, want another language", e)
	}
	if got := Decide(r); got[0].Card.ID != "sv2-160" {
		t.Errorf("Decide: got %s, want sv2-160", got[0].Card.ID)
	}
}
