package portal

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kljensen/snowball/english"
)

// wordPattern matches a word or a name such as asking_price or Retry-After.
var wordPattern = regexp.MustCompile(`[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)*`)

// joiners are the characters between the parts of a name.
const joiners = "_-"

// wordsOf returns the words of a text in lower case, and the parts of names after them.
func wordsOf(text string) []string {
	var out []string
	for _, word := range wordPattern.FindAllString(strings.ToLower(text), -1) {
		out = append(out, word)
		if strings.ContainsAny(word, joiners) {
			out = append(out, partsOf(word)...)
		}
	}
	return out
}

func partsOf(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(joiners, r) })
}

// stemOf returns the stem of a word, which its forms share: delete, deleted and deletions have the stem delet.
func stemOf(word string) string { return english.Stem(word, false) }

// stopWords are not searched for, unless a query has no others.
var stopWords = map[string]bool{
	"a": true, "an": true, "and": true, "are": true, "as": true, "at": true, "by": true, "can": true, "do": true,
	"for": true, "from": true, "how": true, "i": true, "in": true, "is": true, "it": true, "my": true, "of": true,
	"on": true, "or": true, "s": true, "the": true, "to": true, "what": true, "when": true, "where": true, "with": true,
}

// synonyms are words that readers use, with words of the documentation that mean the same.
var synonyms = map[string][]string{
	"audit":        {"history"},
	"callback":     {"webhook"},
	"earnings":     {"profit"},
	"image":        {"photo"},
	"margin":       {"profit"},
	"mass":         {"bulk"},
	"misspelled":   {"misspelt"},
	"misspelling":  {"misspelt"},
	"picture":      {"photo"},
	"quota":        {"limit"},
	"remove":       {"delete"},
	"revenue":      {"profit", "gross"},
	"spreadsheet":  {"csv"},
	"throttle":     {"limit"},
	"throttling":   {"limit"},
	"typo":         {"misspelt"},
	"undo":         {"restore"},
	"unidentified": {"review"},
}

// queryWord is a word of a query.
type queryWord struct {
	typed    string // in lower case
	stem     string
	synonyms []string // stems of words with the same meaning
}

// parseQuery returns the words of a query. With split, names are cut into their parts.
func parseQuery(text string, split bool) []queryWord {
	var all, meaningful []queryWord
	for _, term := range wordPattern.FindAllString(strings.ToLower(text), -1) {
		spellings := []string{term}
		if split {
			spellings = partsOf(term)
		}
		for _, spelling := range spellings {
			word := newQueryWord(spelling)
			all = append(all, word)
			if !stopWords[spelling] {
				meaningful = append(meaningful, word)
			}
		}
	}
	if len(meaningful) > 0 {
		return meaningful
	}
	return all
}

func newQueryWord(text string) queryWord {
	word := queryWord{typed: text, stem: stemOf(text)}
	for _, synonym := range synonyms[text] {
		word.synonyms = append(word.synonyms, stemOf(synonym))
	}
	return word
}

// likeness returns in percent how well a word of the documentation matches: the word as it was typed, another form of
// it, a word with the same meaning, or a word that begins so, which is likely while a reader types.
func (q queryWord) likeness(spelling, stem string) int {
	switch {
	case spelling == q.typed:
		return 100
	case stem == q.stem:
		return 90
	case slices.Contains(q.synonyms, stem):
		return 60
	case strings.HasPrefix(spelling, q.typed):
		return 50
	}
	return 0
}
