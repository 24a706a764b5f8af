package cards

import (
	"strings"
	"unicode"
)

// maxTrigrams limits the trigrams of one index lookup. The index uses the rarest ones, so more words help more than
// longer ones. If a million cards have all of them, a lookup of 12 takes about 150 ms.
const maxTrigrams = 12

// lookupParts returns a lookup by the prefixes of the runs of letters and digits in the words, or nil if all are too
// short for the trigram index. Every card that contains the words contains these parts, but not vice versa.
func lookupParts(words []string) *lookup {
	var runs [][]rune
	for _, word := range words {
		for _, run := range strings.FieldsFunc(word, breaks) {
			if letters := []rune(run); len(letters) >= 3 {
				runs = append(runs, letters)
			}
		}
	}
	if len(runs) == 0 {
		return nil
	}
	runs = runs[:min(len(runs), maxTrigrams)]
	by, length := &lookup{}, maxTrigrams/len(runs)+2
	for _, letters := range runs {
		by.parts = append(by.parts, string(letters[:min(len(letters), length)]))
	}
	return by
}

// breaks reports whether the index treats r as a word boundary.
func breaks(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// contains returns the LIKE pattern of texts that contain the word.
func contains(word string) string { return "%" + likeEscaper.Replace(word) + "%" }

var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
