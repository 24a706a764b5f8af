package match

import (
	"slices"
	"strings"
)

// typoWord is the length in letters from which a word may have one typo.
const typoWord = 5

// Read tells how surely a word was read, given all words read, sorted: 1 where it
// is among them, 0.7 where one of them is a typo away, else 0.
func Read(word string, read []string) float64 {
	if _, ok := slices.BinarySearch(read, word); ok {
		return 1
	}
	if len(word) >= typoWord && slices.ContainsFunc(read, func(other string) bool {
		return len(other) >= len(word)-1 && len(other) <= len(word)+1 && Distance(other, word) == 1
	}) {
		return 0.7
	}
	return 0
}

// Body tells which share of a card's words was read, given how surely each was and
// what it weighs. Cards with little text are damped: a few words agree by chance.
func Body(words []string, read, weight func(word string) float64) float64 {
	const dampingWords = 3
	var found, all, hits float64
	for _, word := range words {
		w, r := weight(word), read(word)
		all, found, hits = all+w, found+w*r, hits+r
	}
	if all == 0 {
		return 0
	}
	return found / all * hits / (hits + dampingWords)
}

// Phrase tells how well a short text, such as an illustrator's name, fits a stretch
// of the lines: 0 below 70 % agreement.
func Phrase(phrase string, lines []string) float64 {
	pattern := strings.ReplaceAll(Fold(phrase), " ", "")
	if len(pattern) < 5 {
		return 0
	}
	best := 0.0
	for _, line := range lines {
		text := strings.ReplaceAll(Fold(line), " ", "")
		best = max(best, 1-float64(within(pattern, text))/float64(len(pattern)))
	}
	if best < 0.7 {
		return 0
	}
	return best
}
