package catalog

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cardvault/cardvault/internal/catalog/folding"
)

const (
	// minWord and maxWord are the least and the greatest length of a word that is indexed, in letters. Shorter words
	// are too frequent.
	minWord = 3
	maxWord = 40
	// maxRun is the greatest length of a run of Chinese or Japanese letters that is indexed as a word. Names are not
	// longer. In a longer run, which is a sentence, only the pairs of letters are indexed.
	maxRun = 12
	// minTypo is the least length of a word that may have a typo, in letters. Too many shorter words differ by one
	// letter. minRunTypo applies to Chinese and Japanese words, whose scripts have thousands of letters.
	minTypo    = 5
	minRunTypo = 3
)

// Words returns the distinct words of a text, sorted, in the form in which the catalogue indexes them: letters in lower
// case without accents and apostrophes ("Pokémon's" is "pokemons"). It omits words of fewer than three letters. Of
// Chinese and Japanese, which have no spaces, it also returns each pair of letters.
func Words(text string) []string {
	words := []string{}
	for _, run := range folding.Words(onlyLetters(folding.Fold(text))) {
		letters, longest := []rune(run), maxWord
		if folding.IsUnspaced(letters[0]) {
			longest = maxRun
			for i := range len(letters) - 1 {
				words = append(words, string(letters[i:i+2]))
			}
		}
		if minWord <= len(letters) && len(letters) <= longest {
			words = append(words, run)
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// onlyLetters replaces all other characters than letters by spaces.
func onlyLetters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return ' '
	}, text)
}

// textKey returns the key by which searches compare a name: its words in lower case, without accents and apostrophes,
// with one space between them. Full-width and half-width letters are the same, and so are hiragana and katakana.
func textKey(text string) string { return strings.Join(folding.Words(folding.Fold(text)), " ") }

// minTypoLetters returns the least length of a word like this one in which a typo is allowed.
func minTypoLetters(letters []rune) int {
	if len(letters) > 0 && folding.IsUnspaced(letters[0]) {
		return minRunTypo
	}
	return minTypo
}

// spellings returns the word and, if a typo is allowed in it, the word without each one of its letters. Two words that
// differ by one letter (added, removed or replaced) share a spelling.
func spellings(word string) []string {
	list := []string{word}
	letters := []rune(word)
	if len(letters) < minTypoLetters(letters) {
		return list
	}
	for i := range letters {
		list = append(list, string(letters[:i])+string(letters[i+1:]))
	}
	return list
}

// isTypo reports whether a word that was typed or read may be a known word with one typo. Pairs of letters are no
// words: too many differ from another by one letter.
func isTypo(word, term string) bool {
	shortest := min(utf8.RuneCountInString(word), utf8.RuneCountInString(term))
	return shortest >= minWord && oneTypoApart(word, term)
}

// oneTypoApart reports whether a and b differ by exactly one letter that is added, removed or replaced.
func oneTypoApart(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(y)-len(x) > 1 || a == b {
		return false
	}
	i := 0
	for i < len(x) && x[i] == y[i] {
		i++
	}
	if len(x) == len(y) {
		return slices.Equal(x[i+1:], y[i+1:])
	}
	return slices.Equal(x[i:], y[i+1:])
}
