package catalog

import (
	"strconv"
	"strings"
	"unicode"
)

// galleryPrefixes are the letters of numbers whose part of the set is counted, and printed, on its
// own: TG12/TG30, GG10/GG70, SV001/SV122, RC5/RC25, H3/H32. Cards with other letters (promos such as
// SWSH179, and SL3, SH7, AR1, RT2) print no total.
var galleryPrefixes = map[string]bool{"TG": true, "GG": true, "SV": true, "RC": true, "H": true}

// CollectorNumber returns the number in the form n/m ("160/193", "TG12/TG30") where the card has a
// printed total, else the number alone ("SWSH179").
func (c Card) CollectorNumber() string {
	if c.Number == "" || c.PrintedTotal == 0 {
		return c.Number
	}
	total := strconv.Itoa(c.PrintedTotal)
	if prefix := numberPrefix(c.Number); galleryPrefixes[prefix] {
		return c.Number + "/" + prefix + total
	}
	return c.Number + "/" + total
}

// ParseNumber splits a collector number as it is printed, such as "008/193" or "GG10/GG70", into the
// number and the printed total; the total is 0 if there is none.
func ParseNumber(text string) (number string, printedTotal int) {
	number, behind, found := strings.Cut(strings.TrimSpace(text), "/")
	if !found {
		return number, 0
	}
	digits := strings.TrimLeftFunc(strings.TrimSpace(behind), unicode.IsLetter)
	total, err := strconv.Atoi(digits)
	if err != nil || total < 0 || total > maxPrintedTotal {
		return strings.TrimSpace(number), 0
	}
	return strings.TrimSpace(number), total
}

// maxPrintedTotal is more than any set has ever had (the largest have about 1,700) and what n/m has room for.
const maxPrintedTotal = 99_999

// numberKey is a number as searches compare it: capitals, no spaces, hashes or hyphens, and no zeros
// in front of a run of digits: "tg01" and "TG1" are the same, and so are "008" and "8".
func numberKey(number string) string {
	var key strings.Builder
	zeros := true // whether a zero here would stand in front of its run of digits
	runes := []rune(strings.ToUpper(number))
	for i, r := range runes {
		if unicode.IsSpace(r) || r == '#' || r == '-' {
			continue
		}
		if !isDigit(r) {
			zeros = true
		} else if r != '0' {
			zeros = false
		} else if zeros && i+1 < len(runes) && isDigit(runes[i+1]) {
			continue
		}
		key.WriteRune(r)
	}
	return key.String()
}

// numberPrefix returns the letters in front of a number's digits, in capitals; none where there are no digits.
func numberPrefix(number string) string {
	end := strings.IndexFunc(number, isDigit)
	if end < 0 {
		return ""
	}
	return strings.ToUpper(number[:end])
}

// numberValue returns a number that is digits alone, such as "025"; ok is false for "TG12" and "25a".
func numberValue(number string) (value int, ok bool) {
	if number == "" || strings.ContainsFunc(number, func(r rune) bool { return !isDigit(r) }) {
		return 0, false
	}
	value, err := strconv.Atoi(number)
	return value, err == nil
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }
