package match

import (
	"regexp"
	"strings"
)

// PrintedSet is the code of a set that is printed beside the code of a language, as on newer cards of Pokémon and
// Magic: PAL in "PAL EN", PCA in "PCA • EN". Number is the collector number after them, as in "SVP EN 159", or "".
type PrintedSet struct {
	Code, Number string
}

// codeAndLanguage matches a code and the language.
const codeAndLanguage = `(?:^|[^0-9A-Z])([0-9A-Z]{3,4}?)\s?[·•*.:]?\s?(?:EN|DE|FR|IT|ES|PT)`

var (
	// printedSet also matches a number without a total. The artist may follow the language at once.
	printedSet = regexp.MustCompile(codeAndLanguage + `(?:\s?([0-9]{1,3})(?:$|[^0-9/]))?`)
	endsInSet  = regexp.MustCompile(codeAndLanguage + `$|` + promoCode + `$`)
	// promoNumber matches the number of a promotional card.
	promoNumber = regexp.MustCompile(promoCode + `\s([0-9]{1,3})(?:$|[^0-9/])`)
)

// promoCode matches a code of promoCodes with a language that was misread, or not read, because its print is tiny.
const promoCode = `(?:^|[^0-9A-Z])(SVP)[A-Za-z]{0,2}`

// promoCodes are the codes that cards have in catalogues instead of the printed ones.
var promoCodes = map[string]string{"SVP": "PR-SV"}

// PrintedSets returns the codes of sets in the lines of a card's foot, as catalogues have them. Words in capitals may
// be among them.
func PrintedSets(foot []string) []PrintedSet {
	var sets []PrintedSet
	for _, line := range foot {
		line = plainForms(line)
		matches := printedSet.FindAllStringSubmatch(line, -1)
		if len(matches) == 0 {
			matches = promoNumber.FindAllStringSubmatch(line, -1)
		}
		for _, m := range matches {
			code := m[1]
			if promo, ok := promoCodes[code]; ok {
				code = promo
			}
			sets = append(sets, PrintedSet{Code: code, Number: strings.TrimLeft(m[2], "0")})
		}
	}
	return sets
}

// EndsInSet reports whether a line ends with the codes of a set and a language, or with the code of a promotional set,
// so that a line beside it may be the number.
func EndsInSet(line string) bool { return endsInSet.MatchString(plainForms(line)) }
