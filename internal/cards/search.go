package cards

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
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

// contained is the condition on card_search that the text contains the words, whose patterns are $3.
const contained = `lower(searched COLLATE "default") LIKE ALL ($3)`

// lookupWords returns a lookup of the cards that contain the words, or nil if the trigram index does not help.
func lookupWords(words, patterns []string) *lookup {
	parts := partsOf(words)
	if parts == nil {
		return nil
	}
	return &lookup{parts: parts, patterns: patterns}
}

// findByParts is find for a lookup by words. It compares the texts of the cards that the index finds, because it reads
// them anyway.
func (l *lookup) findByParts(ctx context.Context, q postgres.Querier, accountID string, limit int) (
	ids []string, complete bool, err error) {
	var found struct {
		IDs      string `db:"ids"` // one row takes much less time to read than hundreds of short ones
		Examined int    `db:"examined"`
	}
	err = q.Get(ctx, &found, fmt.Sprintf(`
		SELECT coalesce(string_agg(card_id, ' ') FILTER (WHERE %s), '') AS ids, count(*) AS examined
		FROM (SELECT card_id, searched FROM card_search WHERE %s LIMIT %d) AS found`, contained, byKeys, limit+1),
		accountID, pq.Array(l.parts), pq.Array(l.patterns))
	return strings.Fields(found.IDs), found.Examined <= limit, err
}

// partsOf returns three letters or digits at a time of the words, or nil if all runs of letters and digits are too
// short for the trigram index. Every card that contains the words contains these parts, but not vice versa. Trigrams
// that overlap more would take the index more time and exclude few cards. With many words, only the start of each is
// looked up.
func partsOf(words []string) (parts []string) {
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
	for _, letters := range runs {
		for i := range min((len(letters)+2)/3, maxTrigrams/len(runs)) {
			start := min(3*i, len(letters)-3)
			parts = append(parts, string(letters[start:start+3]))
		}
	}
	return parts
}

// breaks reports whether the index treats r as a word boundary.
func breaks(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// contains returns the LIKE pattern of texts that contain the word.
func contains(word string) string { return "%" + likeEscaper.Replace(word) + "%" }

var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
