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

// How many cards each kind of evidence may put forward.
const (
	maxNumbers, perNumber = 6, 12
	maxNames, perName     = 6, 15
	perText               = 25
	maxPrintings          = 80 // of the names that agree best
	maxReprintNames       = 3
	maxCandidates         = 5
)

// inquiry is the state of one identification: what was read, which cards it brought
// up, and how they rank. Cards once brought up stay: a later, worse pass must not
// crowd them out.
type inquiry struct {
	catalogue Catalogue
	text      text
	pool      []catalog.Card
	asked     map[string]bool // look-ups done
	ranked    []verdict       // best first
}

// clear tells whether more reading would change nothing.
func (q *inquiry) clear() bool { return len(q.ranked) > 0 && q.ranked[0].confidence >= clearConfidence }

// add takes in what one more pass read and ranks anew.
func (q *inquiry) add(ctx context.Context, fresh text) error {
	q.text = q.text.with(fresh)
	if err := q.lookUp(ctx, fresh); err != nil {
		return err
	}
	q.ranked = judge(q.pool, q.text)
	known := len(q.pool)
	if err := q.lookUpPrintings(ctx); err != nil {
		return err
	}
	if len(q.pool) > known {
		q.ranked = judge(q.pool, q.text)
	}
	withConfidence(q.ranked)
	return nil
}

// lookUp adds the cards that the numbers, the names and the words of a pass suggest.
func (q *inquiry) lookUp(ctx context.Context, fresh text) error {
	numbers := match.Collectors(fresh.foot)
	for _, n := range numbers[:min(maxNumbers, len(numbers))] {
		if !q.first(fmt.Sprintf("number %s/%d", n.Number, n.Total)) {
			continue
		}
		found, err := q.catalogue.ByNumber(ctx, n.Number, n.Total, perNumber)
		if err != nil {
			return err
		}
		q.extend(found)
	}
	for _, name := range match.NameQueries(fresh.head, maxNames) {
		if !q.first("name " + name) {
			continue
		}
		found, err := q.catalogue.ByName(ctx, name, perName)
		if err != nil {
			return err
		}
		q.extend(cardsOf(found))
	}
	if len(fresh.body) == 0 {
		return nil
	}
	found, err := q.catalogue.ByText(ctx, q.text.body, perText)
	if err != nil {
		return err
	}
	q.extend(cardsOf(found))
	return nil
}

// lookUpPrintings adds the other printings of the names that agree best: the right
// one is often one that its own words did not bring up.
func (q *inquiry) lookUpPrintings(ctx context.Context) error {
	names := map[string]bool{}
	for _, v := range q.ranked {
		if len(names) == maxReprintNames || v.score < weightName/2 {
			return nil
		}
		names[v.card.Name] = true
		if !q.first("printings " + v.card.Name) {
			continue
		}
		found, err := q.catalogue.ByName(ctx, v.card.Name, maxPrintings)
		if err != nil {
			return err
		}
		q.extend(cardsOf(slices.DeleteFunc(found, func(m catalog.Match) bool { return m.Card.Name != v.card.Name })))
	}
	return nil
}

// first tells whether a look-up was not done before, and notes it.
func (q *inquiry) first(lookUp string) bool {
	known := q.asked[lookUp]
	q.asked[lookUp] = true
	return !known
}

// extend adds cards to the pool, each once.
func (q *inquiry) extend(cards []catalog.Card) {
	for _, c := range cards {
		if q.first("card " + c.ID) {
			q.pool = append(q.pool, c)
		}
	}
}

// judge scores every card of the pool, best first.
func judge(pool []catalog.Card, t text) []verdict {
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
	// A word that half of the pool has tells little apart.
	rarity := func(word string) float64 { return 0.2 + math.Log(1+float64(len(pool))/float64(occurs[word])) }
	readAs := func(word string) float64 { return read[word] }
	ranked := make([]verdict, len(pool))
	for i, card := range pool {
		ranked[i] = score(card, match.Body(words[i], readAs, rarity), t)
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
