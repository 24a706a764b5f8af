package match

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// typoWord is the minimum length of a word, in letters, that may have one typo.
const typoWord = 5

// Read returns how certainly a word was read, given all read words, sorted: 1 if the word is in the list, 0.7 if a word
// in the list differs by a typo, else 0.
func Read(word string, read []string) float64 {
	if _, ok := slices.BinarySearch(read, word); ok {
		return 1
	}
	letter := 1 // the maximum number of bytes of one
	if !isASCII(word) {
		letter = utf8.UTFMax
	}
	if utf8.RuneCountInString(word) >= typoWord && slices.ContainsFunc(read, func(other string) bool {
		return len(other) >= len(word)-letter && len(other) <= len(word)+letter && isTypo(other, word)
	}) {
		return 0.7
	}
	return 0
}

// Body returns the share of a card's words that was read. read and weight return the certainty and the weight of a
// word. The share is reduced for cards with little text, because a few words agree by chance.
func Body(words []string, read, weight func(word string) float64) float64 {
	const dampingWords = 3
	var sum, all, hits float64
	for _, word := range words {
		w, r := weight(word), read(word)
		all, sum, hits = all+w, sum+w*r, hits+r
	}
	if all == 0 {
		return 0
	}
	return sum / all * hits / (hits + dampingWords)
}

// Phrase returns how well a short text, such as an illustrator's name, matches a part of the
// lines: 0 below 70 % agreement.
func Phrase(phrase string, lines []string) float64 {
	pattern := strings.ReplaceAll(Fold(phrase), " ", "")
	if len(pattern) < 5 {
		return 0
	}
	best := 0.0
	for _, line := range lines {
		text := strings.ReplaceAll(Fold(line), " ", "")
		edits := within(pattern, text, len(pattern)/3)
		best = max(best, 1-float64(edits)/float64(len(pattern)))
	}
	if best < 0.7 {
		return 0
	}
	return best
}
