package cards

import (
	"strings"
	"unicode"
)

// maxTrigrams bounds what the trigram index is asked for at once. It goes by the rarest of them, so that more words help
// more than more letters; where a million cards share them all, going through 12 takes about 150 ms.
const maxTrigrams = 12

// lookupParts asks the trigram index for the beginnings of the runs of letters and digits in the words; nil if all are
// too short for it. Every card that holds the words holds these parts, not the other way round.
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

// breaks reports whether the index sees a gap in r.
func breaks(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// contains is the pattern of texts that hold the word.
func contains(word string) string { return "%" + likeEscaper.Replace(word) + "%" }

var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
