package remote

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/match"
)

const (
	// perSearch is the number of cards of one search. A name with a number has a few reprints.
	perSearch     = 20
	maxCandidates = 5
)

// Catalogue is the part of the reference catalogue that the providers use.
type Catalogue interface {
	Find(ctx context.Context, q catalog.Query, limit int) ([]catalog.Card, error)
}

// checker looks answers up in the catalogue.
type checker struct {
	catalogue Catalogue
	threshold float64 // minimum confidence of an accepted candidate, above 0
}

// candidates returns the candidates for what a provider answered, best first.
func (c checker) candidates(ctx context.Context, answers []Answer, h catalog.Hints) ([]identify.Candidate, error) {
	var all []identify.Candidate
	for _, a := range answers {
		if a.Title == "" {
			continue
		}
		matches, err := c.lookUp(ctx, a, h)
		if err != nil {
			return nil, err
		}
		all = append(all, matches...)
	}
	slices.SortStableFunc(all, func(a, b identify.Candidate) int { return cmp.Compare(b.Confidence, a.Confidence) })
	return all[:min(maxCandidates, len(all))], nil
}

// lookUp returns the candidates for one answer. The card with the answer's name and number has the confidence of the
// answer if the set or the printed total tells which printing it is. Other cards, and an answer that is not in the
// catalogue, are unconfirmed.
func (c checker) lookUp(ctx context.Context, a Answer, h catalog.Hints) ([]identify.Candidate, error) {
	query := catalog.Query{Title: a.Title, Number: a.fullNumber(), Game: a.Game}
	if query.Game == "other" {
		query.Game = ""
	}
	if h.Game != "" {
		a.Doubtful = a.Doubtful || query.Game != "" && query.Game != h.Game
		query.Game = h.Game
	}
	matches, err := c.catalogue.Find(ctx, query, perSearch)
	if err != nil {
		return nil, err
	}
	if len(matches) == 0 && query.Number != "" {
		a.Doubtful, query.Number = true, ""
		if matches, err = c.catalogue.Find(ctx, query, perSearch); err != nil {
			return nil, err
		}
	}
	if len(matches) == 0 {
		return []identify.Candidate{c.unknown(a)}, nil
	}
	slices.SortStableFunc(matches, func(x, y catalog.Card) int {
		return cmp.Compare(agreement(a, h, y), agreement(a, h, x))
	})
	confirmed := a.confirmed(matches, h)
	out := make([]identify.Candidate, 0, maxCandidates)
	for i, card := range matches[:min(maxCandidates, len(matches))] {
		candidate := a.candidate(card, query.Number != "")
		if i > 0 || !confirmed {
			candidate.Unconfirm(c.threshold)
		}
		out = append(out, candidate)
	}
	return out, nil
}

// fullNumber returns the collector number with the printed total if there is one.
func (a Answer) fullNumber() string {
	number, total := catalog.ParseNumber(a.Number)
	if total = cmp.Or(total, a.PrintedTotal); number == "" || total == 0 {
		return number
	}
	return number + "/" + strconv.Itoa(total)
}

// agreement returns how many of set, language and hints a card has in common with an answer. Of the set, the name and
// the code count once.
func agreement(a Answer, h catalog.Hints, card catalog.Card) int {
	n := catalog.Hints{Language: a.Language}.Agreement(card) + h.Agreement(card)
	if a.sameSet(card) {
		n += 2
	}
	return n
}

// sameSet reports whether the answer names the set of a card.
func (a Answer) sameSet(card catalog.Card) bool {
	for _, name := range []string{a.Set, a.SetCode, a.Release} {
		if (catalog.Hints{Set: name}).Agreement(card) > 0 {
			return true
		}
	}
	return false
}

// otherLanguage reports whether a card is in another language than the answer says.
func (a Answer) otherLanguage(card catalog.Card) bool {
	return a.Language != "" && card.Language != "" && catalog.Hints{Language: a.Language}.Agreement(card) == 0
}

// confirmed reports whether the first of the cards found by name and number, sorted by agreement, is the one that the
// answer describes.
func (a Answer) confirmed(matches []catalog.Card, h catalog.Hints) bool {
	first := matches[0]
	if a.Doubtful || a.fullNumber() == "" || match.Fold(first.Name) != match.Fold(a.Title) || a.otherLanguage(first) {
		return false
	}
	if len(matches) > 1 && agreement(a, h, matches[1]) == agreement(a, h, first) {
		return false // reprints that nothing distinguishes
	}
	_, total := catalog.ParseNumber(a.fullNumber())
	namesNoSet := a.Set == "" && a.SetCode == "" && a.Release == ""
	return a.sameSet(first) || total != 0 && total == first.PrintedTotal || namesNoSet && len(matches) == 1
}

// candidate returns the candidate for a card of the catalogue. It has the language of the answer, which may differ from
// the language of the catalogue's printing.
func (a Answer) candidate(card catalog.Card, numbered bool) identify.Candidate {
	signals := []identify.Signal{{Kind: identify.NameSignal, Score: match.Similarity(
		match.Fold(card.Name), match.Fold(a.Title))}}
	if numbered {
		signals = append(signals, identify.Signal{Kind: identify.NumberSignal, Score: 1})
	}
	c := identify.FromCard(card, a.Confidence, signals...)
	if a.otherLanguage(card) || card.Language == "" {
		c.Language = optional(a.Language)
	}
	if c.Variant == nil {
		c.Variant = optional(a.Variant)
	}
	return c
}

// unknown returns the candidate for an answer that is not in the catalogue.
func (c checker) unknown(a Answer) identify.Candidate {
	candidate := identify.Candidate{
		Title: a.Title, Set: a.Set, Number: a.fullNumber(), Game: a.Game, Variant: optional(a.Variant),
		Language: optional(a.Language), Confidence: a.Confidence,
	}
	candidate.Unconfirm(c.threshold)
	if a.Year != 0 {
		candidate.Year = &a.Year
	}
	return candidate
}

// optional returns nil for "".
func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
