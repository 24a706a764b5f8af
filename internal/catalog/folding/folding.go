// Package folding reduces texts to a form for comparing names. The names come from the catalogue, from people who type
// and from text recognition. The package does not depend on cards.
package folding

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// The combining marks of kana. They tell letters apart, unlike accents: ハ, バ and パ.
const (
	voiced     = '\u3099'
	halfVoiced = '\u309a'
)

// Fold returns text in lower case without accents and apostrophes. Full-width and half-width forms become the usual
// characters, hiragana becomes katakana, and a syllable of Hangul its letters, so that a wrong letter in a syllable is
// one typo.
func Fold(text string) string { return string(fold(text, false)) }

// fold implements Fold. With apostrophes, it keeps apostrophes, all as the ASCII one.
func fold(text string, apostrophes bool) []rune {
	runes := make([]rune, 0, len(text))
	for _, r := range norm.NFKD.String(text) {
		last := len(runes) - 1
		switch {
		case r == voiced || r == halfVoiced:
			if last >= 0 && isKana(runes[last]) {
				runes = append(runes[:last], []rune(norm.NFC.String(string(runes[last])+string(r)))...)
			}
		case r == '\'' || r == '’' || r == '‘':
			if apostrophes {
				runes = append(runes, '\'')
			}
		case unicode.Is(unicode.Mn, r):
		case 'ぁ' <= r && r <= 'ゖ':
			runes = append(runes, r-'ぁ'+'ァ')
		default:
			runes = append(runes, unicode.ToLower(r))
		}
	}
	return runes
}

// Words returns the words of a folded text: runs of letters and digits. The letters of scripts without spaces are words
// of their own, so that リザードンex has two words.
func Words(text string) []string {
	var words []string
	separates := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for run := range strings.FieldsFuncSeq(text, separates) {
		start, before := 0, false
		for i, r := range run {
			now := IsUnspaced(r)
			if i > 0 && now != before {
				words = append(words, run[start:i])
				start = i
			}
			before = now
		}
		words = append(words, run[start:])
	}
	return words
}

// UnspacedPattern is a regular expression of PostgreSQL for a word that begins with a letter of IsUnspaced.
const UnspacedPattern = `^[\u3005\u3007\u3021-\u3029\u3038-\u303B\u3041-\u30FF\u31F0-\u31FF\u3400-\u9FFF\uF900-\uFAFF` +
	`\U00016FE2\U00016FE3\U00016FF0-\U00016FFF\U0001AFF0-\U0001B16F\U00020000-\U00033FFF]`

// IsUnspaced reports whether a letter is of Chinese or Japanese, which are written without spaces.
func IsUnspaced(r rune) bool { return isKana(r) || unicode.Is(unicode.Han, r) }

// isKana reports whether a letter is hiragana, katakana or the mark of a long vowel.
func isKana(r rune) bool { return r == 'ー' || unicode.In(r, unicode.Hiragana, unicode.Katakana) }
