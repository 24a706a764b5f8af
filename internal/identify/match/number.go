package match

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// confusions maps characters that text recognition confuses in small print to a single character. Comparisons apply it
// to both sides.
var confusions = strings.NewReplacer(
	"O", "0", "o", "0", "Q", "0", "D", "0", "©", "0",
	"l", "1", "I", "1", "|", "1", "i", "1", "!", "1", "]", "1", "[", "1",
	"S", "5", "s", "5", "$", "5", "B", "8", "Z", "2", "z", "2",
	`\`, "/", "f", "/",
)

// canonical replaces the characters of a text that recognition confuses.
func canonical(text string) string { return strings.ToUpper(confusions.Replace(plainForms(text))) }

// plainForms replaces full-width characters, as text recognition reads them on Japanese cards, and dashes by the usual
// characters.
func plainForms(text string) string { return hyphens.Replace(norm.NFKC.String(text)) }

// NumberForms returns the forms in which a collector number may be printed: with its total, zero-padded
// as in modern sets, and with the count of a subset. The number is the catalogue's: "8", "TG12", "SWSH179".
// A total of 0 means that none is printed.
func NumberForms(number string, total int) []string {
	if number == "" {
		return nil
	}
	plain, err := strconv.Atoi(number)
	if total == 0 {
		if err == nil && plain < 100 {
			return []string{number, fmt.Sprintf("%03d", plain)}
		}
		return []string{number}
	}
	if err != nil {
		prefix := strings.TrimRight(number, "0123456789")
		return []string{fmt.Sprintf("%s/%s%d", number, prefix, total), fmt.Sprintf("%s/%d", number, total)}
	}
	forms := []string{fmt.Sprintf("%d/%d", plain, total)}
	if plain < 100 || total < 100 {
		forms = append(forms, fmt.Sprintf("%03d/%03d", plain, total))
	}
	return forms
}

// Number returns how certainly the lines read from a card's foot contain a collector number: 1 for an
// exact match, less for every edit, 0 if they do not contain it. Short numbers without a total, which match
// by chance, never reach 1.
func Number(number string, total int, foot []string) float64 {
	best := 0.0
	for _, form := range NumberForms(number, total) {
		pattern := canonical(form)
		for _, line := range foot {
			best = max(best, numberEvidence(pattern, canonical(line)))
		}
	}
	return best
}

// numberEvidence returns how certainly a line contains a pattern. An edit reduces the certainty of a short pattern,
// such as 4/102, more than the certainty of a long one, such as 160/193.
func numberEvidence(pattern, line string) float64 {
	if len(pattern) < 4 { // a short number counts only as a whole word
		for word := range strings.FieldsSeq(line) {
			if strings.Trim(word, ".,:;*") == pattern {
				return 0.1 * float64(len(pattern))
			}
		}
		return 0
	}
	if hasWithoutSlash(pattern, line) {
		return WithoutSlash
	}
	const most = 2
	edits := within(pattern, line, most)
	if compact := strings.ReplaceAll(line, " ", ""); edits > 0 && compact != line {
		edits = min(edits, within(pattern, compact, most))
	}
	switch {
	case edits == 0:
		return 1
	case edits == 1 && len(pattern) >= 6:
		return 0.6
	case edits == 1:
		return 0.35
	case edits == 2 && len(pattern) >= 7:
		return 0.25
	}
	return 0
}

// WithoutSlash is the certainty of a number whose slash was not read, which no other number resembles.
const WithoutSlash = 0.85

// hasWithoutSlash reports whether the line has the digits of a pattern as a word, without the slash: 4102 for 4/102. A
// number that may be a year does not count.
func hasWithoutSlash(pattern, line string) bool {
	number := strings.Replace(pattern, "/", "", 1)
	if len(number) == len(pattern) || len(number) < 4 || year.MatchString(number) {
		return false
	}
	return slices.Contains(strings.Fields(line), number)
}

// Collector is a collector number that was read: the number without leading zeros, and the total, or 0
// if there is none.
type Collector struct {
	Number string
	Total  int
}

var (
	year      = regexp.MustCompile(`^(19|20)[0-9][0-9]$`)
	withTotal = regexp.MustCompile(
		`(?:^|[^0-9A-Z])([A-Z]{0,4}?)([0-9]{1,4})\s?/\s?([A-Z]{0,4}?)([0-9]{2,4})(?:$|[^0-9])`)
	// A promo number has a digit, so that it is no word such as "SVI". Its other digits may be read as letters.
	promo = regexp.MustCompile(
		`(?:^|[^0-9A-Z])(SWSH|SVP|MEP|SM|XY|BW|HGSS|DP|NP|TG|GG|SV|RC|SL|H)\s?(?:EN\s?)?` +
			`([OISBZl|]{0,3}[0-9][0-9OISBZl|]{0,3})(?:$|[^0-9A-Za-z])`)
	digits = strings.NewReplacer(
		"O", "0", "o", "0", "Q", "0", "l", "1", "I", "1", "|", "1", "i", "1", "]", "1",
		"S", "5", "s", "5", "B", "8", "Z", "2", "z", "2", `\`, "/")
)

// Collectors returns the collector numbers and set codes in the lines of a card's foot, in reading order and each once.
// A set code with characters that may be confused is returned in each form that it can have.
func Collectors(foot []string) []Collector {
	var numbers []Collector
	seen := map[Collector]bool{}
	add := func(c Collector) {
		if c.Number != "" && !seen[c] {
			seen[c] = true
			numbers = append(numbers, c)
		}
	}
	for _, line := range foot {
		line = plainForms(line)
		for _, m := range withTotal.FindAllStringSubmatch(strings.ToUpper(digits.Replace(line)), -1) {
			total, _ := strconv.Atoi(m[4]) // does not fail: the expression matches only digits
			add(Collector{Number: m[1] + unpadded(m[2]), Total: total})
		}
		for _, m := range promo.FindAllStringSubmatch(line, -1) {
			number := unpadded(digits.Replace(m[2]))
			add(Collector{Number: m[1] + number})
			add(Collector{Number: number})
		}
		for _, code := range setCodes(strings.ToUpper(line)) {
			add(Collector{Number: code})
		}
	}
	return numbers
}

func unpadded(number string) string {
	if rest := strings.TrimLeft(number, "0"); rest != "" {
		return rest
	}
	return number[:min(1, len(number))]
}
