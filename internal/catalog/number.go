package catalog

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// galleryPrefixes are the prefixes of galleries. A gallery is a part of a set with a numbering and a printed total of
// its own: TG12/TG30, GG10/GG70, SV001/SV122, RC5/RC25, H3/H32. Cards with other prefixes (promos such as SWSH179, and
// SL3, SH7, AR1, RT2) have no printed total.
var galleryPrefixes = map[string]bool{"TG": true, "GG": true, "SV": true, "RC": true, "H": true}

// CollectorNumber returns the number with the printed total ("160/193", "TG12/TG30"), or only the number ("SWSH179") if
// the card has no printed total.
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

// ParseNumber splits a printed collector number into the number and the printed total: "008/193" or "GG10/GG70", also
// with the language and the set after it, as Lorcana prints it ("1/204 • EN • 7"). The total is 0 if there is none, as
// in a set code ("LOB-EN045").
func ParseNumber(text string) (number string, printedTotal int) {
	number, after, found := strings.Cut(strings.TrimSpace(norm.NFKC.String(text)), "/")
	number = strings.TrimSpace(number)
	if !found {
		return number, 0
	}
	digits := strings.TrimLeftFunc(strings.TrimSpace(after), unicode.IsLetter)
	end := strings.IndexFunc(digits, func(r rune) bool { return !isDigit(r) })
	if end > 0 && !strings.ContainsRune(" •·.-", []rune(digits[end:])[0]) {
		return number, 0
	} else if end > 0 {
		digits = digits[:end]
	}
	total, err := strconv.Atoi(digits)
	if err != nil || total < 0 || total > maxPrintedTotal {
		return number, 0
	}
	return number, total
}

// maxPrintedTotal is the maximum printed total. It has the most digits that fit into the contract's limit of a number.
// The largest sets have about 1,700 cards.
const maxPrintedTotal = 99_999

// numberKey returns the key by which searches compare a number: in capitals, without spaces, hashes, hyphens and
// leading zeros of each run of digits. "tg01" and "TG1" have the same key, and so have "008" and "8", and a set code
// with and without its hyphen.
func numberKey(number string) string {
	var key strings.Builder
	zeros := true // whether a zero here would be a leading zero
	runes := []rune(strings.ToUpper(norm.NFKC.String(number)))
	for i, r := range runes {
		if unicode.IsSpace(r) || r == '#' || unicode.Is(unicode.Pd, r) {
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

// numberPrefix returns the letters before the digits of a number, in capitals, or "" if it has no digits.
func numberPrefix(number string) string {
	end := strings.IndexFunc(number, isDigit)
	if end < 0 {
		return ""
	}
	return strings.ToUpper(number[:end])
}

// numberValue returns the value of a number that consists of digits, such as "025". ok is false for others, such as
// "TG12" and "25a".
func numberValue(number string) (value int, ok bool) {
	if number == "" || strings.ContainsFunc(number, func(r rune) bool { return !isDigit(r) }) {
		return 0, false
	}
	value, err := strconv.Atoi(number)
	return value, err == nil
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }
