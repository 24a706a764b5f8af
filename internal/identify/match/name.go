package match

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cardvault/cardvault/internal/catalog/folding"
)

// suffixes are parts of a Pokémon's printed name that are logos, which text recognition rarely
// reads as letters.
var suffixes = []string{"ex", "gx", "v", "vmax", "vstar", "break", "tag", "team", "legend", "lv", "x"}

// headPhrases are phrases in a card's head that are never part of the name.
var headPhrases = []string{
	"put onto the", "put", "stage 1", "stage 2", "stage", "basic pokemon", "basic", "trainer",
	"supporter", "item", "stadium", "pokemon tool", "energy", "hp", "vmax rule", "length", "weight",
	"rapid strike", "single strike",
}

// Fold reduces a text to lower-case letters, digits and single spaces, without accents and apostrophes, as the
// catalogue does with names.
func Fold(text string) string { return strings.Join(folding.Words(folding.Fold(text)), " ") }

// BaseName returns a folded name without logo suffixes: "umbreon" for "Umbreon VMAX".
func BaseName(name string) string {
	words := strings.Fields(Fold(name))
	for len(words) > 1 && slices.Contains(suffixes, words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	return strings.Join(words, " ")
}

// Name returns how well a card's name matches the lines read from its head: 1 if they contain
// it, 0 if they contain nothing similar. It compares whole words only, because a short name inside a
// longer word is coincidence.
func Name(name string, head []string) float64 {
	base := BaseName(name)
	count := len(strings.Fields(base))
	best := 0.0
	for _, line := range head {
		words := strings.Fields(Fold(line))
		for size := max(1, count-1); size <= count+1; size++ {
			for at := 0; at+size <= len(words); at++ {
				// Without spaces, because recognition splits and joins words.
				window := strings.Join(words[at:at+size], "")
				best = max(best, Similarity(strings.ReplaceAll(base, " ", ""), window))
			}
		}
	}
	if best < 0.6 { // as similar as two different names may be
		return 0
	}
	return (best - 0.5) * 2
}

// titleLength is the least length of a name, in letters, that is known by its line alone.
const titleLength = 8

// Title returns how well a line that is nothing but the card's name matches it, or 0 if more than one letter in eight
// is wrong. Such a line is a name wherever it is: a photo that shows more than the card has other text above it.
func Title(name string, lines []string) float64 {
	text := strings.ReplaceAll(Fold(name), " ", "")
	if utf8.RuneCountInString(text) < titleLength {
		return 0
	}
	best := 0.0
	for _, line := range lines {
		best = max(best, Similarity(text, strings.ReplaceAll(Fold(line), " ", "")))
	}
	if best < 1-1./titleLength {
		return 0
	}
	return (best - 0.5) * 2
}

// WithoutOrigin truncates a line before "Evolves from", also if misread, because the name of another
// card follows.
func WithoutOrigin(line string) string {
	words := strings.Fields(line)
	for i := range len(words) - 1 {
		verb, from := Fold(words[i]), Fold(words[i+1])
		if Distance(from, "from") <= 1 && (Distance(verb, "evolves") <= 3 || strings.HasSuffix(verb, "olves")) {
			return strings.Join(words[:i], " ")
		}
	}
	return line
}

// NameQueries returns up to limit phrases of a card's head to look up as names, longest first.
func NameQueries(head []string, limit int) []string {
	var queries []string
	for _, line := range head {
		text := " " + Fold(line) + " "
		for _, phrase := range headPhrases {
			if at := strings.Index(text, " "+phrase+" "); at >= 0 {
				text = text[:at] + text[at+len(phrase)+1:]
			}
		}
		words := slices.DeleteFunc(strings.Fields(text), func(w string) bool {
			return len(w) < 3 || strings.ContainsFunc(w, unicode.IsDigit)
		})
		if phrase := strings.Join(words, " "); len(phrase) >= 3 && !slices.Contains(queries, phrase) {
			queries = append(queries, phrase)
		}
	}
	slices.SortStableFunc(queries, func(a, b string) int { return len(b) - len(a) })
	return queries[:min(limit, len(queries))]
}
