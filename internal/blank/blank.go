// Package blank tells text that shows something from text that shows nothing, and finds the edges of texts and lines.
//
// A text that looks empty is treated as empty, so that a search box with a space in it never means "everything". Spaces
// of every script count, and characters without a picture of their own: zero-width spaces, joiners, marks of direction,
// variation selectors, fillers. openapi/v1.yaml has the same characters of the Basic Multilingual Plane in its pattern
// of texts that must not be blank.
package blank

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// brailleBlank is a braille cell without dots. Unicode counts it as a symbol.
const brailleBlank = '\u2800'

// invisible are the characters that a renderer shows as nothing: Unicode's Default_Ignorable_Code_Point, which is these
// tables and most of the format characters.
var invisible = []*unicode.RangeTable{unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector}

// Rune reports whether a character shows nothing when it stands alone.
func Rune(r rune) bool {
	switch {
	case unicode.IsSpace(r) || unicode.IsControl(r) || r == brailleBlank || unicode.In(r, invisible...):
		return true
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r) || '\uFFF9' <= r && r <= '\uFFFB':
		return false // format characters that are shown
	case 0x13430 <= r && r <= 0x1343F: // the format of hieroglyphs
		return false
	}
	return unicode.In(r, unicode.Zs, unicode.Zl, unicode.Zp, unicode.Cf)
}

// Trim returns a text without the white space at its ends, of any script, and without the characters of no width that
// come along when text is copied: byte order marks, zero-width spaces and word joiners. Other invisible characters
// stay, because they belong to what precedes them, such as the selector of an emoji.
func Trim(text string) string {
	return strings.TrimFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || r == '\uFEFF' || r == '\u200B' || r == '\u2060' || r == '\u180E'
	})
}

// IsLine reports whether a text is one line of UTF-8: without control characters of ASCII, and without line breaks of
// any script.
func IsLine(text string) bool {
	return utf8.ValidString(text) &&
		!strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7F || isBreak(r) })
}

// isBreak reports whether a character ends a line: a line break of ASCII, next line, or a line or paragraph separator.
func isBreak(r rune) bool {
	return '\n' <= r && r <= '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}

// Lines returns the lines of a text, which any line break of Unicode ends.
func Lines(text string) []string {
	var lines []string
	text = strings.ReplaceAll(text, "\r\n", "\n")
	for {
		at := strings.IndexFunc(text, isBreak)
		if at < 0 {
			return append(lines, text)
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		lines, text = append(lines, text[:at]), text[at+size:]
	}
}

// Is reports whether a text shows nothing: it is empty, or all of its characters are blank.
func Is(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !Rune(r) })
}
