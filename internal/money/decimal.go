package money

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

var (
	// grouped matches a whole number whose thousands are separated by points or commas. It does not begin with 0.
	grouped = regexp.MustCompile(`^[1-9]\d{0,2}([.,]\d{3})+$`)
	// spaced matches a number whose thousands are separated by spaces or apostrophes.
	spaced = regexp.MustCompile(`^-?[1-9]\d{0,2}([ '\x{a0}\x{202f}]\d{3})+([.,]\d*)?$`)
	// spaces removes the separators of a spaced number.
	spaces = strings.NewReplacer(" ", "", "'", "", "\u00a0", "", "\u202f", "")
	// marks removes the separators of a grouped number.
	marks = strings.NewReplacer(",", "", ".", "")
)

var errNumber = errors.New("is not an amount such as 1234.50")

// Decimal normalizes a number as people and spreadsheets write it, such as "1,234.50" or "1.234,50": the result has a
// decimal point and no separators between thousands. decimalComma means that the number's origin uses decimal commas;
// numbers that could have either meaning are then an error. The errors complete a sentence that begins "the price …".
func Decimal(text string, decimalComma bool) (string, error) {
	if plain := spaces.Replace(text); plain != text {
		if !spaced.MatchString(text) {
			return "", errNumber
		}
		text = plain
	}
	point, comma := strings.LastIndex(text, "."), strings.LastIndex(text, ",")
	separator := max(point, comma) // the last one precedes the decimals
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
		return "", fmt.Errorf("could be thousands or decimals: write %s.00 or %s.%s0",
			marks.Replace(text), whole, fraction)
	}
	return marks.Replace(whole) + "." + fraction, nil
}

func isGrouped(number string) bool { return grouped.MatchString(strings.TrimPrefix(number, "-")) }
