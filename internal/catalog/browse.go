package catalog

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/lib/pq"
)

// Filter selects the cards of the catalogue that meet all of its conditions. Empty conditions are not compared.
type Filter struct {
	// Name has words of the card's name. A word may be part of a longer word or have a typo. Name may also be the set
	// code of a card, such as LOB-EN045.
	Name string
	// Set is the set's name or its code.
	Set string
	// Number is a collector number, with the printed total ("025/185") or without.
	Number string
	// Game is one of the contract's games.
	Game string
}

// isSetCode reports whether a text looks like a set code that identifies a card, such as LOB-EN045 or OP01-001.
func isSetCode(text string) bool {
	set, number, found := strings.Cut(text, "-")
	return found && len(text) <= maxNumber && strings.ContainsFunc(set, unicode.IsLetter) &&
		strings.ContainsFunc(number, isDigit) && !strings.ContainsFunc(text, unicode.IsSpace)
}

const (
	// maxNameWords is the maximum number of words of a name that are compared.
	maxNameWords = 8
	// maxCorrections is the maximum number of words that a word with a typo may stand for.
	maxCorrections = 6
	// maxRanked limits the cost of a search whose few letters match many names: it ranks no more cards than this.
	maxRanked = 5000
)

// Browse returns the first limit cards that match f, and whether there are more. The same name comes first, then names
// by similarity, then newer cards; without a name, cards are in the order of their numbers.
func (s *Service) Browse(ctx context.Context, f Filter, limit int) (cards []Card, more bool, err error) {
	input, code := f, clean(f.Name)
	f = Filter{Name: textKey(clean(f.Name)), Set: textKey(clean(f.Set)), Number: clean(f.Number), Game: f.Game}
	if f.Name == "" && input.Name != "" || f.Set == "" && input.Set != "" || f.Number == "" && input.Number != "" {
		return nil, false, nil // a condition without a letter or a digit matches no card
	}
	if isSetCode(code) && f.Number == "" {
		byCode := Filter{Number: code, Set: f.Set, Game: f.Game}
		if cards, err = s.browse(ctx, byCode, nil, limit+1); err != nil {
			return nil, false, fmt.Errorf("search catalogue: %w", err)
		}
		if len(cards) > 0 {
			return cards[:min(limit, len(cards))], len(cards) > limit, nil
		}
	}
	names, err := s.namePatterns(ctx, f.Name)
	if err == nil {
		cards, err = s.browse(ctx, f, names, limit+1)
	}
	if err == nil && len(cards) == 0 && f.Name != "" { // more than one typo in a word
		cards, err = s.browse(ctx, f, nil, limit+1)
	}
	if err != nil {
		return nil, false, fmt.Errorf("search catalogue: %w", err)
	}
	return cards[:min(limit, len(cards))], len(cards) > limit, nil
}

// namePatterns returns LIKE patterns for each word of a name. A matching name has at least one pattern of every word.
func (s *Service) namePatterns(ctx context.Context, name string) ([][]string, error) {
	words := strings.Fields(name)
	if len(words) == 0 {
		return nil, nil
	}
	words = words[:min(len(words), maxNameWords)]
	if !slices.ContainsFunc(words, func(w string) bool { return len([]rune(w)) >= minWord }) {
		return [][]string{{name + "%"}}, nil // words of one or two letters have no index
	}
	terms, err := s.knownWords(ctx, words)
	if err != nil {
		return nil, err
	}
	patterns := make([][]string, len(words))
	for i, word := range words {
		patterns[i] = wordPatterns(word, terms)
	}
	return patterns, nil
}

// wordPatterns returns the LIKE patterns of names that contain a word or, if no card has it, a known word that differs
// from it by one typo.
func wordPatterns(word string, terms map[string]term) []string {
	patterns := []string{"%" + word + "%"}
	if _, ok := terms[word]; ok {
		return patterns
	}
	var corrections []term
	for _, t := range terms {
		if isTypo(word, t.word) {
			corrections = append(corrections, t)
		}
	}
	slices.SortFunc(corrections, func(a, b term) int {
		if a.cards != b.cards {
			return b.cards - a.cards
		}
		return strings.Compare(a.word, b.word)
	})
	for _, t := range corrections[:min(maxCorrections, len(corrections))] {
		patterns = append(patterns, "%"+t.word+"%")
	}
	return patterns
}

// browse returns the cards that match f, whose name and set are keys. names has a group of patterns per word. A card
// matches if its name has a pattern of every group. Without groups, its name must be similar to f.Name.
func (s *Service) browse(ctx context.Context, f Filter, names [][]string, limit int) ([]Card, error) {
	query, args := browseQuery(f, names, limit)
	var rows []cardRow
	err := s.db.Select(ctx, &rows, query, args...)
	return cards(rows), err
}

// browseQuery returns the statement of browse. It compares a group of one pattern by LIKE. The index has no word of two
// letters, such as "of". For LIKE ANY with such a pattern, PostgreSQL reads all cards; for LIKE it finds the cards by
// the other groups.
func browseQuery(f Filter, names [][]string, limit int) (query string, args []any) {
	where := []string{"true"}
	args = []any{f.Name}
	add := func(condition string, values ...any) {
		for _, value := range values {
			args = append(args, value)
			condition = strings.Replace(condition, "?", fmt.Sprintf("$%d", len(args)), 1)
		}
		where = append(where, condition)
	}
	for _, group := range names {
		if len(group) == 1 {
			add("name_key LIKE ?", group[0])
		} else {
			add("name_key LIKE ANY (?)", pq.Array(group))
		}
	}
	if f.Name != "" && len(names) == 0 {
		where = append(where, "name_key % $1")
	}
	if f.Set != "" {
		add("(set_key = ? OR set_code_key = ?)", f.Set, f.Set)
	}
	if f.Number != "" {
		number, total := ParseNumber(f.Number)
		add("number_key = ?", numberKey(number))
		if total != 0 {
			add("printed_total IN (?, 0)", total)
		}
	}
	if f.Game != "" {
		add("game = ?", f.Game)
	}
	args = append(args, maxRanked, limit)
	return fmt.Sprintf(`
		SELECT `+cardColumns+` FROM (
			SELECT id, name_key = $1 AS same, CASE WHEN $1 = '' THEN 0 ELSE similarity(name_key, $1) END AS score,
				CASE WHEN $1 = '' THEN length(number_key) ELSE 0 END AS digits,
				CASE WHEN $1 = '' THEN number_key ELSE '' END AS number, year
			FROM (SELECT id, name_key, number_key, year FROM catalog_cards WHERE %s LIMIT $%d) AS matching
			ORDER BY same DESC, score DESC, digits, number, year DESC, id LIMIT $%d
		) AS m JOIN catalog_cards c ON c.id = m.id
		ORDER BY same DESC, score DESC, digits, m.number, m.year DESC, m.id`,
		strings.Join(where, " AND "), len(args)-1, len(args)), args
}
