package judge

import (
	"cmp"
	"slices"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify/cardtext"
	"github.com/cardvault/cardvault/internal/identify/language"
	"github.com/cardvault/cardvault/internal/identify/match"
)

// Round is the evidence of one decision.
type Round struct {
	Pool     []Candidate
	Evidence []Evidence // by the index of the card in Pool
	// Language is the language of the text.
	Language language.Guess
	// words is the number of words that were read, or 0 if the text is partial, so that words may be missing.
	words int
	// partial is whether lines of the card were not read.
	partial bool
}

// Verdict is a card with its probability.
type Verdict struct {
	Candidate
	Evidence    Evidence
	Probability float64 // also with a veto
	Veto        Veto    // why the card must not be accepted, or ""
}

// Weigh gathers the evidence of the cards of a pool.
func Weigh(pool []Candidate, text cardtext.Text, hints catalog.Hints) Round {
	w := newWeigher(text, hints)
	r := Round{Pool: pool, Language: w.language, partial: text.Partial}
	if !text.Partial {
		r.words = len(text.Body)
	}
	for _, c := range pool {
		r.Evidence = append(r.Evidence, w.evidence(c))
	}
	return r
}

// Without returns the round without some cards.
func (r Round) Without(gone func(catalog.Card) bool) Round {
	less := r
	less.Pool, less.Evidence = nil, nil
	for i, c := range r.Pool {
		if !gone(c.Card) {
			less.Pool, less.Evidence = append(less.Pool, c), append(less.Evidence, r.Evidence[i])
		}
	}
	return less
}

// WithoutPicture returns the round without the pictures of some cards.
func (r Round) WithoutPicture(of func(catalog.Card) bool) Round {
	r.Pool, r.Evidence = slices.Clone(r.Pool), slices.Clone(r.Evidence)
	for i, c := range r.Pool {
		if of(c.Card) {
			r.Pool[i].Distance, r.Evidence[i].Distance = NoPicture, NoPicture
		}
	}
	return r
}

// Decide returns the verdicts on the cards of a round, best first.
func Decide(r Round) []Verdict { return DecideWith(fitted, r) }

// DecideWith is Decide with other weights.
func DecideWith(w Weights, r Round) []Verdict {
	names := r.names()
	utilities := make([]float64, len(r.Pool))
	for i, f := range r.features(names) {
		utilities[i] = w.Utility(f) + hintWeight*float64(r.Evidence[i].Hints)
		if r.Evidence[i].Language == Differs {
			utilities[i] += languageWeight
		}
		if r.otherPrinting(i, names) {
			utilities[i] += otherPrintingWeight
		}
	}
	probabilities := Probabilities(utilities)
	verdicts := make([]Verdict, len(r.Pool))
	for i, c := range r.Pool {
		verdicts[i] = Verdict{c, r.Evidence[i], probabilities[i], r.veto(i, names, utilities)}
	}
	// Of cards that agree equally, one whose own picture was compared goes first.
	slices.SortStableFunc(verdicts, func(a, b Verdict) int {
		return cmp.Or(
			cmp.Compare(b.Probability, a.Probability),
			cmp.Compare(a.Evidence.Distance, b.Evidence.Distance),
			cmp.Compare(a.Card.ID, b.Card.ID))
	})
	return verdicts
}

// otherPrinting reports whether the set or the number of another printing of the card was read, and not this card's.
func (r Round) otherPrinting(at int, names []string) bool {
	own := r.Evidence[at]
	for i, e := range r.Evidence {
		isOther := e.PrintedSet && !own.PrintedSet || e.Number >= match.WithoutSlash && own.Number == 0
		if isOther && names[i] == names[at] {
			return true
		}
	}
	return false
}

// names returns the base names of the cards. Cards with the same are probably printings of one card.
func (r Round) names() []string {
	names := make([]string, len(r.Pool))
	for i, c := range r.Pool {
		names[i] = match.BaseName(c.Card.Name)
	}
	return names
}
