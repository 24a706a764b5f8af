package catalog

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

const (
	// minWord is the length in letters from which a word is indexed: shorter ones are everywhere.
	minWord = 3
	// maxWord bounds a word; text without spaces, as in Japanese, makes long ones.
	maxWord = 40
	// minTypo is the length in letters from which one typo is allowed: below, too many words are
	// one letter apart.
	minTypo = 5
)

// Words returns the distinct words of a text as the catalogue indexes them, sorted: lower case, accents
// and apostrophes dropped ("Pokémon's" is "pokemons"), letters alone, three letters or more.
func Words(text string) []string {
	words := strings.FieldsFunc(fold(text), func(r rune) bool { return !unicode.IsLetter(r) })
	words = slices.DeleteFunc(words, func(w string) bool {
		n := len([]rune(w))
		return n < minWord || n > maxWord
	})
	slices.Sort(words)
	return slices.Compact(words)
}

// textKey is a name as searches compare it: lower case without accents, everything but letters and
// digits one space.
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

// spellings returns word and, if it is long enough for a typo, word with any one letter left out. Two
// words at most one letter apart (one more, one less, one other) always share a spelling.
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

// oneTypoApart reports whether a becomes b by adding, dropping or replacing exactly one letter.
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
