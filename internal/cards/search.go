package cards

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/catalog/folding"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
)

// maxTrigrams limits the trigrams of one index lookup.
const maxTrigrams = 12

// byKeys is the condition on card_search for the cards of the account $1 that have all trigrams of the parts %s. The
// index has trigrams that include the boundary of a word. The boundary trigrams of the parts are left out, because a
// part can be the middle of a word: they are among the trigrams of its first two and its last two characters. Parts in
// a script that the database does not know may have no trigram; then all cards of the account meet the condition. The
// collation of inAccount keeps PostgreSQL from also reading all of the account's cards from an index on account_id, as
// it does while it has no statistics of the keys; texts are equal in both.
const (
	inAccount = `account_id = $1 COLLATE "POSIX"`
	byKeys    = `card_search_keys(account_id, searched) COLLATE "C" @> coalesce(nullif(ARRAY(
		SELECT right($1, 4) || trigram FROM unnest(%s::text[]) AS part, unnest(show_trgm(part)) AS trigram
		WHERE trigram <> ALL (show_trgm(left(part, 2)) || show_trgm(right(part, 2)))), '{}'), ARRAY[right($1, 4)])`
)

// searched is the text of card_search in which q searches, in lower case.
const searched = `lower(searched COLLATE "default")`

// content is the same text of a row of cards, without its folded forms, and special the condition that it may have
// such forms: characters beyond ASCII, or an apostrophe. Without the collation, the columns with identifiers would make
// lower change ASCII letters only.
const (
	content = `lower(concat_ws(E'\n', title, number, set, sku, external_id) COLLATE "default")`
	special = `concat_ws(E'\n', title, number, set, sku, external_id) ~ '[^\x01-\x7f]|[''` + "`" + `]'`
)

// words are the words of a search in lower case, and as folding.ForSearch returns them if that differs. A text matches
// if it contains all of either: the first find cards whose folded text is missing.
type words struct{ typed, folded []string }

// wordsOf returns the words of q.
func wordsOf(q string) words {
	var w words
	differ := false
	for _, word := range strings.Fields(strings.ToLower(q)) {
		if blank.Is(word) { // of invisible characters
			continue
		}
		folded := folding.JoinApostrophes(folding.ForSearch(word))
		if blank.Is(folded) { // of accents only
			folded = word
		}
		w.typed, w.folded = append(w.typed, word), append(w.folded, strings.Fields(folded)...)
		differ = differ || folded != word
	}
	if !differ {
		w.folded = nil
	}
	return w
}

// either returns the ways of writing the words.
func (w words) either() [][]string {
	if w.folded == nil {
		return [][]string{w.typed}
	}
	return [][]string{w.folded, w.typed}
}

// predicate returns the predicate of cards that contain the words. It compares the text of a card itself, and only if
// that does not match and may have folded forms, the text in card_search.
func (w words) predicate(accountID string) predicate {
	var own, stored []string
	var values, more []any
	for _, list := range w.either() {
		patterns := pq.Array(patternsOf(list))
		own, stored = append(own, content+" LIKE ALL (?)"), append(stored, searched+" LIKE ALL (?)")
		values, more = append(values, patterns), append(more, patterns)
	}
	values = append(append(values, more...), accountID)
	return predicate{paging.Where(fmt.Sprintf(
		`(%s OR %s AND (SELECT %s FROM card_search WHERE account_id = ? AND card_id = id))`,
		strings.Join(own, " OR "), special, strings.Join(stored, " OR ")), values...), w.lookup()}
}

// lookup returns a lookup of the cards that contain the words, or nil if the trigram index does not help.
func (w words) lookup() *lookup {
	by := &lookup{}
	for _, list := range w.either() {
		parts := partsOf(list)
		if parts == nil {
			return nil
		}
		by.texts = append(by.texts, text{parts, patternsOf(list)})
	}
	return by
}

// findByTexts is find for a lookup by words. It compares the texts of the cards that the index finds, because it reads
// them anyway.
func (l *lookup) findByTexts(ctx context.Context, q postgres.Querier, accountID string, limit int) (
	ids []string, complete bool, err error) {
	var keys, contained []string
	args := []any{accountID}
	for _, t := range l.texts {
		args = append(args, pq.Array(t.parts), pq.Array(t.patterns))
		keys = append(keys, fmt.Sprintf(byKeys, fmt.Sprintf("$%d", len(args)-1)))
		contained = append(contained, fmt.Sprintf("%s LIKE ALL ($%d)", searched, len(args)))
	}
	var found struct {
		IDs      string `db:"ids"` // one row takes much less time to read than hundreds of short ones
		Examined int    `db:"examined"`
	}
	err = q.Get(ctx, &found, fmt.Sprintf(`
		SELECT coalesce(string_agg(card_id, ' ') FILTER (WHERE %s), '') AS ids, count(*) AS examined
		FROM (SELECT card_id, searched FROM card_search WHERE %s AND (%s) LIMIT %d) AS found`,
		strings.Join(contained, " OR "), inAccount, strings.Join(keys, " OR "), limit+1), args...)
	return strings.Fields(found.IDs), found.Examined <= limit, err
}

// partsOf returns three letters or digits at a time of the words, or nil if all runs of letters and digits are too
// short for the trigram index. Every card that contains the words contains these parts, but not vice versa. Trigrams
// that overlap more would take the index more time and exclude few cards. With many words, it looks up only the start
// of a word.
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

// patternsOf returns the LIKE patterns of texts that contain the words.
func patternsOf(words []string) []string {
	patterns := make([]string, len(words))
	for i, word := range words {
		patterns[i] = contains(word)
	}
	return patterns
}

// contains returns the LIKE pattern of texts that contain the word.
func contains(word string) string { return "%" + likeEscaper.Replace(word) + "%" }

var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
