package ocr

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify/match"
)

// The maximum number of cards that each kind of evidence can add.
const (
	maxNumbers, perNumber = 6, 12
	maxNames, perName     = 6, 15
	perText               = 25
	maxPrintings          = 80 // of the names that agree best
	maxReprintNames       = 3
	maxCandidates         = 5
)

// search is the state of one identification: the text read so far, the cards found and their ranking.
// Cards stay in the pool, so that a later, worse pass does not displace them.
type search struct {
	catalogue Catalogue
	hints     catalog.Hints
	text      text
	pool      []catalog.Card
	asked     map[string]bool // look-ups done
	ranked    []verdict       // best first
}

// decided reports whether further passes would not change the result.
func (q *search) decided() bool {
	return len(q.ranked) > 0 && q.ranked[0].confidence >= decidedConfidence
}

// add adds the text of a pass and ranks again.
func (q *search) add(ctx context.Context, fresh text) error {
	q.text = q.text.with(fresh)
	if err := q.lookUp(ctx, fresh); err != nil {
		return err
	}
	q.ranked = judge(q.pool, q.text, q.hints)
	known := len(q.pool)
	if err := q.lookUpPrintings(ctx); err != nil {
		return err
	}
	if len(q.pool) > known {
		q.ranked = judge(q.pool, q.text, q.hints)
	}
	withConfidence(q.ranked)
	return nil
}

// lookUp adds the cards that match the numbers, names and words of a pass.
func (q *search) lookUp(ctx context.Context, fresh text) error {
	numbers := match.Collectors(fresh.foot)
	for _, n := range numbers[:min(maxNumbers, len(numbers))] {
		if !q.markAsked(fmt.Sprintf("number %s/%d", n.Number, n.Total)) {
			continue
		}
		found, err := q.catalogue.ByNumber(ctx, q.hints, n.Number, n.Total, perNumber)
		if err != nil {
			return err
		}
		q.extend(found)
	}
	for _, name := range match.NameQueries(fresh.head, maxNames) {
		if !q.markAsked("name " + name) {
			continue
		}
		found, err := q.catalogue.ByName(ctx, q.hints, name, perName)
		if err != nil {
			return err
		}
		q.extend(cardsOf(found))
	}
	if len(fresh.body) == 0 {
		return nil
	}
	found, err := q.catalogue.ByText(ctx, q.hints, q.text.body, perText)
	if err != nil {
		return err
	}
	q.extend(cardsOf(found))
	return nil
}

// lookUpPrintings adds the other printings of the best matching names, because the words of the right
// printing often do not find it.
func (q *search) lookUpPrintings(ctx context.Context) error {
	names := map[string]bool{}
	for _, v := range q.ranked {
		if len(names) == maxReprintNames || v.score < weightName/2 {
			return nil
		}
		names[v.card.Name] = true
		if !q.markAsked("printings " + v.card.Name) {
			continue
		}
		found, err := q.catalogue.ByName(ctx, q.hints, v.card.Name, maxPrintings)
		if err != nil {
			return err
		}
		q.extend(cardsOf(slices.DeleteFunc(found, func(m catalog.Match) bool { return m.Card.Name != v.card.Name })))
	}
	return nil
}

// markAsked marks a lookup as done and reports whether it was not done before.
func (q *search) markAsked(lookUp string) bool {
	known := q.asked[lookUp]
	q.asked[lookUp] = true
	return !known
}

// extend adds cards to the pool, each once.
func (q *search) extend(cards []catalog.Card) {
	for _, c := range cards {
		if q.markAsked("card " + c.ID) {
			q.pool = append(q.pool, c)
		}
	}
}

// judge returns the scores of the pool's cards, best first.
func judge(pool []catalog.Card, t text, hints catalog.Hints) []verdict {
	words := make([][]string, len(pool))
	occurs, read := map[string]int{}, map[string]float64{}
	for i, card := range pool {
		words[i] = catalog.Words(card.Name + " " + card.Text)
		for _, w := range words[i] {
			if occurs[w]++; occurs[w] == 1 {
				read[w] = match.Read(w, t.body)
			}
		}
	}
	// A word that half of the pool has distinguishes little.
	rarity := func(word string) float64 { return 0.2 + math.Log(1+float64(len(pool))/float64(occurs[word])) }
	readAs := func(word string) float64 { return read[word] }
	ranked := make([]verdict, len(pool))
	for i, card := range pool {
		ranked[i] = score(card, match.Body(words[i], readAs, rarity), t, hints)
	}
	slices.SortStableFunc(ranked, func(a, b verdict) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.card.ID, b.card.ID))
	})
	return ranked
}

func cardsOf(matches []catalog.Match) []catalog.Card {
	cards := make([]catalog.Card, len(matches))
	for i, m := range matches {
		cards[i] = m.Card
	}
	return cards
}
