package folding

import (
	"strings"
	"unicode"
)

// ForSearch returns text as people's own texts are searched: like Fold, but with letters that have no accent to remove,
// such as ß and æ, as people without them on their keyboard write them, with one form of dashes and quotation marks,
// and without characters that no one sees. Apostrophes stay, see JoinApostrophes.
func ForSearch(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range fold(apostrophes.Replace(text), true) {
		spelling, ok := spellings[r]
		switch {
		case ok:
			b.WriteString(spelling)
		case unicode.Is(unicode.Pd, r):
			b.WriteByte('-')
		case unicode.In(r, unicode.Pi, unicode.Pf):
			b.WriteByte('"')
		case !unicode.Is(unicode.Cf, r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

// spellings are the usual spellings of letters that Unicode does not decompose.
var spellings = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'đ': "d", 'ð': "d", 'þ': "th", 'ł': "l", 'ħ': "h", 'ı': "i", 'ŋ': "n",
	'ŧ': "t", 'ĸ': "k", 'ɨ': "i", 'ʉ': "u", 'ƶ': "z", 'ς': "σ", '„': `"`, '‚': `'`, '⁄': "/", '−': "-",
}

// apostrophes replaces what people type as an apostrophe, before a decomposition makes a space of the acute accent.
var apostrophes = strings.NewReplacer("´", "'", "`", "'", "ʼ", "'", "ʻ", "'", "ʹ", "'", "′", "'", "‛", "'", "՚", "'")

// JoinApostrophes removes apostrophes within words from a text of ForSearch, so that a search finds Farfetch'd without
// its apostrophe too. Apostrophes at the start or the end of a word stay, because a search for "n'" means more than
// "n".
func JoinApostrophes(text string) string {
	if !strings.Contains(text, "'") {
		return text
	}
	runes := []rune(text)
	var b strings.Builder
	for i, r := range runes {
		if r == '\'' && i > 0 && i < len(runes)-1 && isWord(runes[i-1]) && isWord(runes[i+1]) {
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// isWord reports whether a character is a part of a word.
func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
