// Package language tells in which language a card is printed from the lines of text that were read on it.
//
// Scripts decide first: kana are Japanese, hangul is Korean. Languages in Latin letters differ by their function
// words, accents, game terms (KP, PV and PS are the health points of German, French and Spanish cards) and the
// language marks of some games. Detect returns an unknown language rather than an unsure one. The package is pure: it
// reads no pictures and no catalogue.
package language
