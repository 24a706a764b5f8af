// Package blank tells text that shows something from text that shows nothing.
//
// A text that looks empty is treated as empty, so that a search box with a space in it never means "everything". Spaces
// of every script count, and characters without a picture of their own: zero-width spaces, joiners, marks of direction,
// variation selectors, fillers. openapi/v1.yaml has the same characters of the Basic Multilingual Plane in its pattern
// of texts that must not be blank.
package blank

import (
	"strings"
	"unicode"
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

// Is reports whether a text shows nothing: it is empty, or all of its characters are blank.
func Is(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !Rune(r) })
}
