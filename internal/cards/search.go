package cards

import (
	"strings"
	"unicode"
)

// maxTrigrams limits the trigrams of one index lookup.
const maxTrigrams = 12

// byKeys is the condition on card_search for the cards of the account $1 that have all trigrams of the parts $2. The
// index has trigrams that include the boundary of a word. Those of the parts are left out, because a part can be the
// middle of a word: they are among the trigrams of its first two and its last two characters. Parts in a script that
// the database does not know may have no trigram; then all cards of the account meet the condition. The other collation
// keeps PostgreSQL from also reading all of the account's cards from an index on account_id, as it does while it has
// no statistics of the keys; texts are equal in both.
const byKeys = `account_id = $1 COLLATE "POSIX"
	AND card_search_keys(account_id, searched) COLLATE "C" @> coalesce(nullif(ARRAY(
		SELECT right($1, 4) || trigram FROM unnest($2::text[]) AS part, unnest(show_trgm(part)) AS trigram
		WHERE trigram <> ALL (show_trgm(left(part, 2)) || show_trgm(right(part, 2)))), '{}'), ARRAY[right($1, 4)])`

// lookupParts returns a lookup by three letters or digits at a time of the words, or nil if all runs of letters and
// digits are too short for the trigram index. Every card that contains the words contains these parts, but not vice
// versa. Trigrams that overlap more would take the index more time and exclude few cards. With many words, only the
// start of each is looked up.
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
	by := &lookup{}
	for _, letters := range runs {
		for i := range min((len(letters)+2)/3, maxTrigrams/len(runs)) {
			start := min(3*i, len(letters)-3)
			by.parts = append(by.parts, string(letters[start:start+3]))
		}
	}
	return by
}

// breaks reports whether the index treats r as a word boundary.
func breaks(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// contains returns the LIKE pattern of texts that contain the word.
func contains(word string) string { return "%" + likeEscaper.Replace(word) + "%" }

var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
