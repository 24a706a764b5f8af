// Package slab reads the label of a graded card: the company that graded it, the grade and the certificate number. A
// slab is the sealed case in which the company returns the card, with the label above it.
//
// Parse takes the lines of text that were read on a photo and returns a grade only if the label as a whole agrees: the
// grade belongs to the words in front of it on the company's scale, and the certificate number has the form that the
// company uses. A card that mentions a grading company is not a slab. The package reads no picture and looks nothing
// up, so it cannot tell a forged label.
package slab

import (
	"slices"

	"github.com/cardvault/cardvault/internal/cards"
)

// Label is the label of a slab.
type Label struct {
	Grade cards.Grade
	// Last is the index of the last line of the label. The lines after it belong to the card.
	Last int
}

// nearby is how many lines may be between the words of a grade and its number, which is printed larger.
const nearby = 4

// Parse finds a label in lines of text, which are in reading order. ok is false if there is none.
func Parse(lines []string) (label Label, ok bool) {
	text := tokenize(lines)
	for _, c := range companies {
		if label, ok := c.parse(text); ok {
			return label, true
		}
	}
	return Label{}, false
}

// Mentioned reports whether lines of text may be a part of a label: they have the name of a company, or a grade and a
// certificate number.
func Mentioned(lines []string) bool {
	text := tokenize(lines)
	return slices.ContainsFunc(companies, func(c company) bool {
		_, named := c.find(text)
		_, hasWords := c.findWords(text)
		_, hasCert := c.findCert(text)
		return named || c.inferred && hasWords && hasCert
	})
}

// parse finds a label of the company.
func (c company) parse(text []token) (Label, bool) {
	mark, named := c.find(text)
	wording, hasWords := c.findWords(text)
	cert, hasCert := c.findCert(text)
	switch {
	case !named && !(c.inferred && hasCert && hasWords && hasCardNumber(text)):
		return Label{}, false
	case !hasWords && !hasCert:
		return Label{}, false
	case !hasWords:
		if wording, hasWords = c.findNumber(text, mark); !hasWords {
			return Label{}, false
		}
	case !hasCert && !wording.explicit:
		return Label{}, false // two words of a card's text are not a label
	case !hasCert && !mark.alone:
		return Label{}, false
	}
	grade := cards.Grade{Company: c.name, Value: wording.value}
	last := max(mark.line, wording.line)
	if hasCert {
		grade.CertNumber = &cert.text
		last = max(last, cert.line)
	}
	first := wording.line
	if named {
		first = min(first, mark.line)
	}
	if hasCert && cert.line-first > 2*nearby+len(subgrades) {
		return Label{}, false // too far from the grade to be on the same label
	}
	return Label{Grade: grade, Last: last}, true
}

// value is a grade that was found.
type value struct {
	value    string
	line     int
	explicit bool // the number was read, and not only the words that imply it
}

// findWords finds the words of a grade, such as GEM MT, and the number that belongs to them. Without a number, it takes
// the longest words that imply one: the name of a card can have such words too, as CHARIZARD EX.
func (c company) findWords(text []token) (v value, ok bool) {
	for _, size := range []int{4, 3, 2, 1} { // NEAR MINT before MINT
		for at := 0; at+size <= len(text); at++ {
			values, known := c.scale[joined(text[at:at+size])]
			line := text[at+size-1].line
			if !known || line-text[at].line > 1 {
				continue
			}
			if number, near := nearest(text, at+size-1, values); near {
				line = max(line, number.line)
				return value{number.text + qualifier(text, line, c), line, true}, true
			}
			if !ok && len(values) == 1 { // else only the number tells which grade it is
				v, ok = value{value: values[0] + qualifier(text, line, c), line: line}, true
			}
		}
	}
	return v, ok
}

// nearest returns the number closest to a token that is one of the values.
func nearest(text []token, at int, values []string) (best token, ok bool) {
	for distance := 1; distance < len(text) && !ok; distance++ {
		for _, i := range []int{at + distance, at - distance} {
			if i < 0 || i >= len(text) || abs(text[i].line-text[at].line) > nearby {
				continue
			}
			if number := text[i].number(); slices.Contains(values, number) {
				return token{text: number, line: text[i].line}, true
			}
		}
	}
	return token{}, false
}

// findNumber finds a grade without words: a number that is a line of its own, near the name of the company.
func (c company) findNumber(text []token, mark token) (value, bool) {
	if !mark.alone {
		return value{}, false
	}
	var values []value
	for _, t := range text {
		number := t.number()
		if t.alone && abs(t.line-mark.line) <= nearby && slices.Contains(c.numbers, number) {
			values = append(values, value{number, t.line, true})
		}
	}
	if len(values) != 1 { // several may be subgrades
		return value{}, false
	}
	return values[0], true
}

// qualifier returns the qualifier of a PSA grade, such as " (OC)" for a card that is off centre.
func qualifier(text []token, line int, c company) string {
	for _, t := range text {
		if abs(t.line-line) <= 1 && t.text[0] == '(' && slices.Contains(c.qualifiers, t.letters()) {
			return " (" + t.letters() + ")"
		}
	}
	return ""
}

func abs(n int) int { return max(n, -n) }
