package catalog

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

const (
	// minWord and maxWord are the least and the greatest length of a word that is indexed, in letters. Shorter words
	// are too frequent. Texts without spaces, such as Japanese ones, have long words.
	minWord = 3
	maxWord = 40
	// minTypo is the least length of a word in which a typo is allowed, in letters. Too many shorter words differ by
	// one letter.
	minTypo = 5
)

// Words returns the distinct words of a text, sorted, in the form in which the catalogue indexes them: letters in lower
// case without accents and apostrophes ("Pokémon's" is "pokemons"). It omits words of fewer than three letters.
func Words(text string) []string {
	words := strings.FieldsFunc(fold(text), func(r rune) bool { return !unicode.IsLetter(r) })
	words = slices.DeleteFunc(words, func(w string) bool {
		n := len([]rune(w))
		return n < minWord || n > maxWord
	})
	slices.Sort(words)
	return slices.Compact(words)
}

// textKey returns the key by which searches compare a name: in lower case, without accents and apostrophes, with one
// space for each run of characters other than letters and digits.
func textKey(text string) string {
	words := strings.FieldsFunc(fold(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.Join(words, " ")
}

// fold returns text in lower case without accents and apostrophes.
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\'' || r == '’' || unicode.Is(unicode.Mn, r):
			return -1
		default:
			return unicode.ToLower(r)
		}
	}, norm.NFKD.String(text))
}

// spellings returns the word and, if it has at least minTypo letters, the word without each one of its letters. Two
// words that differ by one letter (added, removed or replaced) share a spelling.
func spellings(word string) []string {
	list := []string{word}
	letters := []rune(word)
	if len(letters) < minTypo {
		return list
	}
	for i := range letters {
		list = append(list, string(letters[:i])+string(letters[i+1:]))
	}
	return list
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
