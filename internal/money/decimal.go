package money

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

var (
	// grouped is a whole number with its thousands set apart. Such a number never begins with 0.
	grouped = regexp.MustCompile(`^[1-9]\d{0,2}([.,]\d{3})+$`)
	// spaced is a number with a space or an apostrophe between its thousands.
	spaced = regexp.MustCompile(`^-?[1-9]\d{0,2}([ '\x{a0}\x{202f}]\d{3})+([.,]\d*)?$`)
	// spaces are what stands between the thousands of a spaced number.
	spaces = strings.NewReplacer(" ", "", "'", "", "\u00a0", "", "\u202f", "")
	// marks are what else can.
	marks = strings.NewReplacer(",", "", ".", "")
)

var errNumber = errors.New("is no amount such as 1234.50")

// Decimal returns a number as people and spreadsheets write it, "1,234.50" or "1.234,50", with a point
// before its decimals and nothing between its thousands. decimalComma says that it comes from where
// commas are decimal points: what could be either is refused there. Its errors complete "the price …".
func Decimal(text string, decimalComma bool) (string, error) {
	if plain := spaces.Replace(text); plain != text {
		if !spaced.MatchString(text) {
			return "", errNumber
		}
		text = plain
	}
	point, comma := strings.LastIndex(text, "."), strings.LastIndex(text, ",")
	separator := max(point, comma) // the last one stands before the decimals
	if separator < 0 {
		return text, nil
	}
	whole, fraction := text[:separator], text[separator+1:]
	both := point >= 0 && comma >= 0
	repeated := strings.Contains(whole, text[separator:separator+1])
	switch {
	case both && (repeated || !isGrouped(whole)), repeated && !isGrouped(text):
		return "", errNumber
	case repeated, !both && comma >= 0 && !decimalComma && isGrouped(text):
		return marks.Replace(text), nil
	case !both && decimalComma && isGrouped(text):
		return "", fmt.Errorf("could be thousands or decimals: write %s.00 or %s.%s0", marks.Replace(text), whole, fraction)
	}
	return marks.Replace(whole) + "." + fraction, nil
}

func isGrouped(number string) bool { return grouped.MatchString(strings.TrimPrefix(number, "-")) }
