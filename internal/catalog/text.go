package catalog

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/lib/pq"
)

const (
	// maxQueryWords is the maximum number of words of a text search. The face of a card has at most about 120.
	maxQueryWords = 300
	// maxPostings limits the cost of a search. It uses words, rarest first, until the numbers of their cards add up to
	// this limit. The omitted words ("your", "card", "damage") distinguish cards the least.
	maxPostings = 30_000
	// rankedTexts is how many cards are ranked per card that a search returns, because cards of other games are dropped
	// after ranking.
	rankedTexts = 20
	// typoWeight is the weight of a word with a typo, relative to an exact one.
	typoWeight = 0.7
)

// ByText returns the cards whose name and body text share the most with words, best match first. Rare words have more
// weight. A word that is not in the catalogue counts as the words that differ from it by one typo, because OCR misreads
// letters. The score is the weight of the shared words divided by the weight of all known words, so 1 means that the
// card has all known words.
func (s *Service) ByText(ctx context.Context, h Hints, words []string, limit int) ([]Match, error) {
	words = queryWords(words)
	if len(words) == 0 {
		return nil, nil
	}
	dictionary, err := s.knownWords(ctx, words)
	if err != nil || len(dictionary) == 0 {
		return nil, err
	}
	terms := weigh(words, dictionary)
	names, weights := make([]string, len(terms)), make([]float64, len(terms))
	total := 0.0
	for i, t := range terms {
		names[i], weights[i] = t.word, t.weight
		total += t.weight
	}
	rows, err := s.withWords(ctx, h, names, weights, limit)
	if err != nil {
		return nil, fmt.Errorf("search by text: %w", err)
	}
	list := matches(rows)
	for i := range list {
		list[i].Score = min(1, list[i].Score/total)
	}
	return list, nil
}

// withWords returns the limit cards with the greatest sums of the weights of their words. It reads the games of the
// cards with the greatest sums only, and then of all others if too few of those are allowed.
func (s *Service) withWords(
	ctx context.Context, h Hints, words []string, weights []float64, limit int,
) (rows []scoredRow, err error) {
	const query = `SELECT ` + cardColumns + `, m.score FROM (
			SELECT card_id, score FROM (
				SELECT card_id, sum(weight) AS score FROM (
					SELECT unnest(w.card_ids) AS card_id, t.weight
					FROM unnest($4::text[], $5::float8[]) AS t (word, weight) JOIN catalog_words w ON w.word = t.word
				) AS postings
				GROUP BY card_id ORDER BY score DESC, card_id LIMIT $7
			) AS ranked
			WHERE cardinality($1::text[]) = 0
				OR EXISTS (SELECT FROM catalog_cards c WHERE c.id = ranked.card_id AND c.game = ANY($1::text[]))
			ORDER BY score DESC, card_id LIMIT $6) m
		JOIN catalog_cards c ON c.id = m.card_id
		ORDER BY m.score DESC, ` + agreement + ` DESC, cardinality(c.words), c.id`
	args := []any{limit}
	if len(h.games()) > 0 {
		args = []any{rankedTexts * limit, nil} // nil is all
	}
	for _, n := range args {
		rows = nil
		err = s.db.Select(ctx, &rows, query, h.params(pq.Array(words), pq.Array(weights), limit, n)...)
		if err != nil || len(rows) == limit {
			break
		}
	}
	return rows, err
}

// term is a word of the catalogue.
type term struct {
	word   string
	weight float64 // in the search
	cards  int     // number of cards that have the word
}

// queryWords returns the distinct words of texts in the form in which the catalogue indexes them.
func queryWords(texts []string) []string {
	var words []string
	for _, text := range texts {
		words = append(words, Words(clean(text))...)
	}
	slices.Sort(words)
	words = slices.Compact(words)
	return words[:min(len(words), maxQueryWords)]
}

// knownWords returns the catalogue's words that share a spelling with one of words.
func (s *Service) knownWords(ctx context.Context, words []string) (map[string]term, error) {
	var keys []string
	for _, word := range words {
		keys = append(keys, spellings(word)...)
	}
	var rows []struct {
		Word      string  `db:"word"`
		Weight    float64 `db:"weight"`
		CardCount int     `db:"card_count"`
	}
	const query = `SELECT word, weight, card_count FROM catalog_words
		WHERE word IN (SELECT word FROM catalog_spellings WHERE spelling = ANY($1))`
	if err := s.db.Select(ctx, &rows, query, pq.Array(keys)); err != nil {
		return nil, fmt.Errorf("search by text: %w", err)
	}
	terms := make(map[string]term, len(rows))
	for _, row := range rows {
		terms[row.Word] = term{row.Word, row.Weight, row.CardCount}
	}
	return terms, nil
}

// weigh returns the terms of a search for words, rarest first, within maxPostings: each word that is known, and the
// known words that differ by one typo from a word that is not.
func weigh(words []string, dictionary map[string]term) []term {
	chosen := map[string]term{}
	for _, word := range words {
		if t, ok := dictionary[word]; ok {
			chosen[word] = t
			continue
		}
		for _, t := range dictionary {
			if isTypo(word, t.word) {
				t.weight *= typoWeight
				if _, better := chosen[t.word]; !better {
					chosen[t.word] = t
				}
			}
		}
	}
	terms := make([]term, 0, len(chosen))
	for _, t := range chosen {
		terms = append(terms, t)
	}
	slices.SortFunc(terms, func(a, b term) int {
		return cmp.Or(cmp.Compare(a.cards, b.cards), cmp.Compare(a.word, b.word))
	})
	postings := 0
	for i, t := range terms {
		if postings += t.cards; postings > maxPostings && i > 0 {
			return terms[:i]
		}
	}
	return terms
}
