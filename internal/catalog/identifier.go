package catalog

import (
	"fmt"
	"hash/fnv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// derivedID returns an identifier for a card whose file has none, from the fields that distinguish printings. The same
// fields give the same identifier in every version, so that another import of a file finds its cards.
func derivedID(fields ...string) string {
	letters := strings.Map(func(r rune) rune {
		if r == '\'' || r == '’' || unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(strings.Join(fields, " ")))
	id := strings.Join(strings.FieldsFunc(letters, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), "-")
	runes := []rune(id)
	if len(runes) <= maxID {
		return id
	}
	hash := shortHash(id)
	return string(runes[:maxID-len(hash)-1]) + "-" + hash
}

// shortHash returns eight hexadecimal digits that depend on a text.
func shortHash(text string) string {
	hash := fnv.New32a()
	hash.Write([]byte(text))
	return fmt.Sprintf("%08x", hash.Sum32())
}
