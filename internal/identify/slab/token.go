package slab

import (
	"regexp"
	"strings"
)

// token is a word of a line, in capitals.
type token struct {
	text  string
	line  int
	alone bool // it is the whole line
}

var (
	// glued matches a word and the grade after it without the space between them.
	glued = regexp.MustCompile(`^(.*(?:MT|MINT|NM|EX|VG|GOOD|PRISTINE|PERFECT|PSA|BGS|CGC|SGC)\+?)(10|[1-9](?:\.5)?)$`)
	// letterForms are the letters for which recognition takes digits and signs, digitForms the opposite.
	letterForms = strings.NewReplacer("0", "O", "1", "I", "|", "I", "!", "I", "5", "S", "$", "S", "7", "T", "8", "B")
	digitForms  = strings.NewReplacer(
		"O", "0", "Q", "0", "D", "0", "I", "1", "L", "1", "|", "1", "!", "1", "]", "1", "[", "1", "S", "5", "$", "5",
		"B", "8", "Z", "2", "G", "6", ",", ".")
)

// tokenize splits lines into words.
func tokenize(lines []string) []token {
	var text []token
	for i, line := range lines {
		words := strings.Fields(strings.ToUpper(strings.NewReplacer("(", " (", "–", "-", "—", "-").Replace(line)))
		for _, word := range words {
			if parts := glued.FindStringSubmatch(word); parts != nil {
				text = append(text, token{text: parts[1], line: i}, token{text: parts[2], line: i})
				continue
			}
			text = append(text, token{text: word, line: i, alone: len(words) == 1})
		}
	}
	return text
}

// letters returns the letters of a word and its plus, as which some digits were read.
func (t token) letters() string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' || r == '+' {
			return r
		}
		return -1
	}, letterForms.Replace(t.text))
}

// number returns the word as a grade would be printed, or "" if it is none.
func (t token) number() string {
	digits := digitForms.Replace(strings.Trim(t.text, ".:*"))
	if len(digits) > len("9.5") || strings.Trim(digits, "0123456789.") != "" {
		return ""
	}
	return strings.TrimSuffix(digits, ".0")
}

// joined returns the letters of words, without the signs between them: NMMT for NM-MT and for NM / MT.
func joined(words []token) string {
	var all strings.Builder
	for _, word := range words {
		if word.text != "-" && word.text != "/" && word.letters() == "" {
			return "" // a number that has no letters ends the words
		}
		all.WriteString(word.letters())
	}
	return all.String()
}
