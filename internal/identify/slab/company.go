package slab

import (
	"regexp"
	"slices"
	"strings"
)

// company is a grading company and how its labels look.
type company struct {
	name string
	// marks are the letters of its name and of its logo, as words.
	marks []string
	// word is true if the name is a word of the language too, which counts only as a line of its own.
	word bool
	// scale has the grades that each of its words stands for, without spaces and hyphens.
	scale map[string][]string
	// numbers are all grades of the scale.
	numbers    []string
	qualifiers []string
	cert       *regexp.Regexp
	// inferred is true if a label tells the company without its name, which is printed as a hologram.
	inferred bool
}

// The scales of the companies that grade from 1 to 10, without the grades from 9.5 on, in which they differ.
var (
	words = map[string]string{
		"MINT": "9", "MT": "9", "NMMT+": "8.5", "NMMINT+": "8.5", "NEARMINTMINT+": "8.5", "NMMT": "8", "NMMINT": "8",
		"NEARMINTMINT": "8", "NM+": "7.5", "NEARMINT+": "7.5", "NM": "7", "NEARMINT": "7",
		"EXMT+": "6.5", "EXMINT+": "6.5", "EXNM+": "6.5", "EXMT": "6", "EXMINT": "6", "EXNM": "6", "EXCELLENTMINT": "6",
		"EX+": "5.5", "EXCELLENT+": "5.5", "EX": "5", "EXCELLENT": "5", "VGEX+": "4.5", "VGEX": "4", "VG+": "3.5",
		"VERYGOOD+": "3.5", "VG": "3", "VERYGOOD": "3", "GOOD+": "2.5", "GOOD": "2",
	}
	// hundred is the scale that SGC used until 2018, for each grade of the scale to 10.
	hundred = map[string]string{
		"10": "98", "9": "96", "8.5": "92", "8": "88", "7.5": "86", "7": "84", "6.5": "82", "6": "80", "5.5": "70",
		"5": "60", "4.5": "55", "4": "50", "3.5": "45", "3": "40", "2.5": "35", "2": "30",
	}
)

// companies are in the order in which they are tried.
var companies = []company{
	{
		name: "BGS", marks: []string{"BGS", "BECKETT", "BECKETTGRADINGSERVICES"},
		scale: scale(map[string][]string{"PRISTINE": {"10"}, "GEMMINT": {"9.5"}, "GEMMT": {"9.5"}}),
		cert:  regexp.MustCompile(`^[0-9]{7,10}$`),
	},
	{
		name: "CGC", marks: []string{"CGC", "CGCCARDS", "CGCTRADINGCARDS", "CERTIFIEDGUARANTYCOMPANY"},
		scale: scale(map[string][]string{
			"PRISTINE": {"10"}, "PERFECT": {"10"}, "GEMMINT": {"10", "9.5"}, "MINT+": {"9.5"},
		}),
		cert: regexp.MustCompile(`^[0-9]{10}$|^[0-9]{7}-[0-9]{3}$`),
	},
	{
		name: "SGC", marks: []string{"SGC", "SGCGRADING"},
		scale: withHundred(scale(map[string][]string{
			"PRISTINE": {"10"}, "PRI": {"10"}, "GEMMINT": {"10"}, "GEMMT": {"10"}, "GEM": {"10"}, "MINT+": {"9.5"},
			"MT+": {"9.5"},
		})),
		cert: regexp.MustCompile(`^[0-9]{7,8}$|^[0-9]{7}-[0-9]{3}$|^[0-9]{10}$`),
	},
	{
		name: "ACE", marks: []string{"ACE", "ACEGRADING"}, word: true,
		scale: scale(map[string][]string{"GEMMINT": {"10"}}),
		cert:  regexp.MustCompile(`^[0-9]{6,9}$`),
	},
	{
		name: "TAG", marks: []string{"TAG", "TAGGRADING"}, word: true,
		scale: scale(map[string][]string{"PRISTINE": {"10"}, "GEMMINT": {"10"}}),
		cert:  regexp.MustCompile(`^[A-Z][0-9]{7}$`),
	},
	{ // last, because a label of another company names it
		name: "PSA", marks: []string{"PSA", "PSADNA"},
		scale: scale(map[string][]string{
			"GEMMT": {"10"}, "GEMMINT": {"10"}, "FR": {"1.5"}, "FAIR": {"1.5"}, "PR": {"1"}, "POOR": {"1"},
			"AUTHENTIC": {"Authentic"},
		}),
		qualifiers: []string{"OC", "MK", "MC", "ST", "PD", "OF"},
		cert:       regexp.MustCompile(`^[0-9]{7,9}$`), inferred: true,
	},
}

func init() {
	for i := range companies {
		for _, values := range companies[i].scale {
			companies[i].numbers = append(companies[i].numbers, values...)
		}
	}
}

// scale returns a company's grading scale. top has the words that differ between companies.
func scale(top map[string][]string) map[string][]string {
	for word, grade := range words {
		top[word] = []string{grade}
	}
	return top
}

// withHundred adds the grades of SGC's old scale.
func withHundred(scale map[string][]string) map[string][]string {
	for word, values := range scale {
		if old, ok := hundred[values[0]]; ok {
			scale[word] = append(values, old)
		}
	}
	return scale
}

// subgrades are the words beside the partial grades of BGS, CGC and ACE.
var subgrades = []string{"CENTERING", "CENTRING", "CORNERS", "EDGES", "SURFACE"}

// find finds the name of the company. A line of its own is better than a word in a line.
func (c company) find(text []token) (mark token, ok bool) {
	for at, t := range text {
		size := 1
		for at+size < len(text) && text[at+size].line == t.line {
			size++
		}
		whole := at == 0 || text[at-1].line != t.line
		switch {
		case whole && slices.Contains(c.marks, joined(text[at:at+size])):
			return token{line: t.line, alone: true}, true
		case !c.word && !ok && slices.Contains(c.marks, t.letters()):
			mark, ok = token{line: t.line}, true
		}
	}
	return mark, ok
}

// findCert finds a certificate number of the company.
func (c company) findCert(text []token) (token, bool) {
	for i, t := range text {
		digits := strings.TrimLeft(strings.TrimPrefix(t.text, "CERT"), "#:.")
		if t.alone || i > 0 && strings.HasPrefix(text[i-1].text, "CERT") || t.lastOfLine(text, i) {
			if cert, ok := c.certOf(digits); ok {
				return token{text: cert, line: t.line}, true
			}
		}
	}
	return token{}, false
}

// lastOfLine reports whether no word follows the token in its line.
func (t token) lastOfLine(text []token, at int) bool {
	return at+1 == len(text) || text[at+1].line != t.line
}

// certOf returns the certificate number that a word is, or was before recognition took letters for its digits.
func (c company) certOf(word string) (string, bool) {
	digits := 0
	for _, r := range word {
		if r >= '0' && r <= '9' {
			digits++
		}
	}
	if 4*digits < 3*len(word) {
		return "", false // a word
	}
	if c.cert.MatchString(word) {
		return word, true
	}
	read := digitForms.Replace(word)
	return read, c.cert.MatchString(read)
}

// cardNumber matches the number of the card as PSA prints it.
var cardNumber = regexp.MustCompile(`^#[A-Z0-9]{1,8}$`)

// hasCardNumber reports whether a label has the number of a card, which no card has in this form.
func hasCardNumber(text []token) bool {
	return slices.ContainsFunc(text, func(t token) bool { return cardNumber.MatchString(t.text) })
}
