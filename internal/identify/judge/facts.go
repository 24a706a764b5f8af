package judge

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify/cardtext"
	"github.com/cardvault/cardvault/internal/identify/match"
)

// facts are the short facts in a text: numbers, years and codes.
type facts struct {
	text       cardtext.Text
	collectors []match.Collector  // in lines that were read with certainty
	unsure     []match.Collector  // in all lines of the foot
	points     map[int]bool       // health points
	years      map[int]bool       // of the copyright
	codes      map[string]bool    // words of the foot, in capitals
	sets       []match.PrintedSet // in lines that were read with certainty
	unsureSets []match.PrintedSet // in all lines of the foot
}

// copyrightYear matches a year, also at the end of a range such as 1993-2012.
var copyrightYear = regexp.MustCompile(`(?:^|[^0-9])((?:19[89]|20[0-4])[0-9])(?:$|[^0-9])`)

// leastTotal is the least total of a collector number that contradicts a card. Smaller ones may be the power and the
// toughness of a creature.
const leastTotal = 20

func factsOf(t cardtext.Text) facts {
	f := facts{
		text: t, collectors: match.Collectors(t.Printed), unsure: match.Collectors(t.Foot),
		points: map[int]bool{}, years: map[int]bool{}, codes: map[string]bool{}, sets: match.PrintedSets(t.Printed),
		unsureSets: match.PrintedSets(t.Foot),
	}
	for _, line := range t.Head {
		for _, points := range cardtext.HitPoints(line) {
			n, _ := strconv.Atoi(points) // does not fail: they are digits
			f.points[n] = true
		}
	}
	for _, line := range t.Foot {
		for _, year := range copyrightYear.FindAllStringSubmatch(line, -1) {
			n, _ := strconv.Atoi(year[1])
			f.years[n] = true
		}
		separates := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
		for word := range strings.FieldsFuncSeq(line, separates) {
			f.codes[strings.ToUpper(word)] = true
		}
	}
	return f
}

// otherNumber reports whether the text has collector numbers, but not the card's. Lines that were not read with
// certainty count if nothing in them resembles the card's number.
func (f facts) otherNumber(card catalog.Card) bool {
	if contradict(f.collectors, card) && match.Number(card.Number, card.PrintedTotal, f.text.Printed) < 1 {
		return true
	}
	return contradict(f.unsure, card) && match.Number(card.Number, card.PrintedTotal, f.text.Foot) == 0
}

// contradict reports whether there are collector numbers, but not the card's.
func contradict(numbers []match.Collector, card catalog.Card) bool {
	other := false
	for _, c := range numbers {
		if c.Number == card.Number && (c.Total == card.PrintedTotal || c.Total == 0 || card.PrintedTotal == 0) {
			return false
		}
		// Promotional cards have no total but letters, such as SWSH179.
		isPromo := c.Total == 0 && strings.TrimLeft(c.Number, "0123456789") != ""
		other = other || isPromo || c.Total >= leastTotal
	}
	return other
}

// setCode returns 1 if the foot has the code of the card's set as a word, or beside the code of a language.
func (f facts) setCode(card catalog.Card) float64 {
	isCode := len(card.SetCode) >= 3 && f.codes[strings.ToUpper(card.SetCode)]
	if isCode || slices.ContainsFunc(f.unsureSets, isOf(card)) {
		return 1
	}
	return 0
}

// isPrinted reports whether the code of a card's set was read with certainty beside the code of a language.
func (f facts) isPrinted(card catalog.Card) bool { return slices.ContainsFunc(f.sets, isOf(card)) }

// isOf returns a function that reports whether a printed set is the card's set.
func isOf(card catalog.Card) func(match.PrintedSet) bool {
	return func(s match.PrintedSet) bool { return strings.EqualFold(s.Code, card.SetCode) }
}

// besideSet compares the card's number with the numbers beside the code of its set, which have no total. Only a number
// that was read with certainty contradicts the card.
func (f facts) besideSet(card catalog.Card) (agrees, differs bool) {
	has := func(s match.PrintedSet) bool { return isOf(card)(s) && s.Number != "" }
	isNumber := func(s match.PrintedSet) bool { return has(s) && s.Number == card.Number }
	isOther := func(s match.PrintedSet) bool { return has(s) && s.Number != card.Number }
	agrees = slices.ContainsFunc(f.unsureSets, isNumber)
	return agrees, !agrees && slices.ContainsFunc(f.sets, isOther)
}

// hp returns 1 if the head has the card's health points, and whether it has only others.
func (f facts) hp(card catalog.Card) (agrees float64, differs bool) {
	switch {
	case card.HP == 0:
		return 0, false
	case f.points[card.HP] || hasDigits(f.text.Head, strconv.Itoa(card.HP)):
		return 1, false
	}
	return 0, len(f.points) > 0
}

// year returns 1 if the latest year in the foot is the year of the card's release or the year before, and whether it is
// a different year. Sets of the beginning of a year have the copyright of the year before.
func (f facts) year(card catalog.Card) (agrees float64, differs bool) {
	latest := 0
	for y := range f.years {
		latest = max(latest, y)
	}
	if card.Year == 0 || latest == 0 {
		return 0, false
	}
	if after := card.Year - latest; after == 0 || after == 1 {
		return 1, false
	}
	return 0, true
}

// hasDigits reports whether the lines contain exactly this run of digits.
func hasDigits(lines []string, digits string) bool {
	for _, line := range lines {
		for run := range strings.FieldsFuncSeq(line, func(r rune) bool { return r < '0' || r > '9' }) {
			if run == digits {
				return true
			}
		}
	}
	return false
}
