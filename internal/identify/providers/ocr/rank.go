package ocr

import (
	"context"
	"fmt"
	"slices"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/cardtext"
	"github.com/cardvault/cardvault/internal/identify/judge"
	"github.com/cardvault/cardvault/internal/identify/match"
)

// The maximum number of cards that each kind of evidence can add.
const (
	maxNumbers, perNumber = 6, 12
	maxNames, perName     = 6, 15
	perText               = 25
	maxPrintings          = 80 // of the names that agree best
	maxReprintNames       = 3
)

// decidedConfidence is the confidence at which reading stops: further passes would not change the result.
const decidedConfidence = 0.92

// search is the state of one identification. Cards stay in the pool of the view, so that a later, worse pass does not
// displace them.
type search struct {
	catalogue Catalogue
	hints     catalog.Hints
	view      *identify.View
	asked     map[string]bool // look-ups done
	round     judge.Round
	ranked    []judge.Verdict // best first
}

// decided reports whether further passes would not change the result.
func (q *search) decided() bool {
	return len(q.ranked) > 0 && q.ranked[0].Probability >= decidedConfidence && q.ranked[0].Veto == ""
}

// needsLanguage reports whether the best card would be decided if its language were clear.
func (q *search) needsLanguage() bool {
	return len(q.ranked) > 0 && q.ranked[0].Veto == judge.UnknownLanguage
}

// add adds the text of a pass and decides again.
func (q *search) add(ctx context.Context, fresh cardtext.Text) error {
	q.view.Text = q.view.Text.With(fresh)
	return q.lookUpAll(ctx)
}

// lookUpAll adds the cards that the text leads to, and decides.
func (q *search) lookUpAll(ctx context.Context) error {
	if err := q.lookUp(ctx); err != nil {
		return err
	}
	if err := q.decide(ctx); err != nil {
		return err
	}
	before := len(q.view.Pool)
	if err := q.lookUpPrintings(ctx); err != nil || len(q.view.Pool) == before {
		return err
	}
	return q.decide(ctx)
}

// decide decides with the pictures of all cards of the pool, if the photo's was found.
func (q *search) decide(ctx context.Context) error {
	if err := q.view.Compare(ctx, q.catalogue.Distances); err != nil {
		return err
	}
	q.round, q.ranked = q.view.Judge(q.hints)
	return nil
}

// lookUp adds the cards that match the numbers, names and words that were read.
func (q *search) lookUp(ctx context.Context) error {
	numbers := match.Collectors(slices.Concat(q.view.Text.Foot, q.view.Text.Label))
	for _, n := range numbers[:min(maxNumbers, len(numbers))] {
		if !q.markAsked(fmt.Sprintf("number %s/%d", n.Number, n.Total)) {
			continue
		}
		matches, err := q.catalogue.ByNumber(ctx, q.hints, n.Number, n.Total, perNumber)
		if err != nil {
			return err
		}
		q.view.Add(matches...)
	}
	for _, name := range match.NameQueries(slices.Concat(q.view.Text.Head, q.view.Text.Label), maxNames) {
		if !q.markAsked("name " + name) {
			continue
		}
		similar, err := q.catalogue.ByName(ctx, q.hints, name, perName)
		if err != nil {
			return err
		}
		q.view.Add(cardsOf(similar)...)
	}
	// The name and the number lead to most cards. The words of a part of the text would be searched again with the
	// rest.
	text := q.view.Text
	if text.Partial || len(text.Body) == 0 || !q.markAsked(fmt.Sprintf("text %d", len(text.Body))) {
		return nil
	}
	similar, err := q.catalogue.ByText(ctx, q.hints, q.view.Text.Body, perText)
	if err != nil {
		return err
	}
	q.view.Add(cardsOf(similar)...)
	return nil
}

// lookUpPrintings adds the other printings of the best matching names, because the words of the right printing often
// do not find it.
func (q *search) lookUpPrintings(ctx context.Context) error {
	names := map[string]bool{}
	for _, v := range q.ranked {
		if len(names) == maxReprintNames {
			return nil
		}
		names[v.Card.Name] = true
		if !q.markAsked("printings " + v.Card.Name) {
			continue
		}
		matches, err := q.catalogue.Printings(ctx, q.hints, v.Card.Name, maxPrintings)
		if err != nil {
			return err
		}
		q.view.Add(matches...)
	}
	return nil
}

// markAsked marks a lookup as done and reports whether it was not done before.
func (q *search) markAsked(lookUp string) bool {
	known := q.asked[lookUp]
	q.asked[lookUp] = true
	return !known
}

func cardsOf(matches []catalog.Match) []catalog.Card {
	cards := make([]catalog.Card, len(matches))
	for i, m := range matches {
		cards[i] = m.Card
	}
	return cards
}
