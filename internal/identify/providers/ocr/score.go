package ocr

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify/match"
)

// The maximum contribution of each kind of evidence to a score. Number, name and body are independent of each other: a
// card is likely if any two of them agree. The others distinguish printings.
const (
	weightNumber      = 1.0
	weightName        = 0.8
	weightBody        = 0.9
	weightSetCode     = 0.25
	weightIllustrator = 0.3
	weightHP          = 0.15
	// weightHint is that of each hint: the owner's word for the set counts as much as the code of the set that is read.
	weightHint = weightSetCode
)

// decidedConfidence is the confidence at which reading stops: further passes would not change the result.
const decidedConfidence = 0.92

// contradictedConfidence is the maximum confidence of a card whose number is not the one on the photo. Without this
// bound, a photo whose card is not in the catalogue is accepted as another printing.
const contradictedConfidence = 0.6

// verdict is a card with its agreement with the text.
type verdict struct {
	card               catalog.Card
	number, name, body float64 // 0 to 1 each
	contradicted       bool    // another number is printed on the photo
	score              float64
	confidence         float64
}

// score returns the score of a card. body is the share of its text that was read, from 0 to 1. Hints count only for a
// card that the text speaks for.
func score(card catalog.Card, body float64, t text, hints catalog.Hints) verdict {
	v := verdict{
		card:   card,
		number: match.Number(card.Number, card.PrintedTotal, t.foot),
		name:   match.Name(card.Name, t.head),
		body:   body,

		contradicted: contradicts(t.printed, card),
	}
	v.score = weightNumber*v.number + weightName*v.name + weightBody*v.body +
		weightIllustrator*match.Phrase(card.Illustrator, t.foot)
	if hasWord(t.foot, card.SetCode) {
		v.score += weightSetCode
	}
	if card.HP > 0 && hasDigits(t.head, strconv.Itoa(card.HP)) {
		v.score += weightHP
	}
	if v.score > 0 {
		v.score += weightHint * float64(hints.Agreement(card))
	}
	return v
}

// withConfidence sets the confidence of each verdict of a ranking.
func withConfidence(ranked []verdict) {
	for i := range ranked {
		rival := 0.0
		if i == 0 && len(ranked) > 1 {
			rival = ranked[1].score
		} else if i > 0 {
			rival = ranked[0].score
		}
		ranked[i].confidence = confidence(ranked[i], ranked[i].score-rival)
	}
}

// confidence returns the confidence for a score and its lead over the best other card, from 0 to 1. The points of the
// curves are those at which the share of right results changed for a set of photos: with a score of at least 1.9 and a
// lead of at least 0.1, about 98 of 100 results were right.
func confidence(v verdict, lead float64) float64 {
	evidence := interpolate(v.score, [][2]float64{{0.3, 0}, {1.0, 0.4}, {1.5, 0.7}, {1.9, 0.9}, {2.5, 0.99}})
	separation := interpolate(lead, [][2]float64{{-0.5, 0.05}, {0, 0.45}, {0.05, 0.75}, {0.1, 0.88}, {0.35, 0.99}})
	return min(evidence, separation, corroboration(v))
}

// corroboration returns the maximum confidence. It is less than 1 if only one kind of evidence agrees, if the printed
// number of the card was not found, or if another one was.
func corroboration(v verdict) float64 {
	agreeing := 0
	for _, strong := range []bool{v.number >= 0.6, v.name >= 0.7, v.body >= 0.35} {
		if strong {
			agreeing++
		}
	}
	switch {
	case v.contradicted:
		return contradictedConfidence
	case agreeing < 2:
		return 0.7
	case v.number == 0 && v.card.PrintedTotal > 0:
		return 0.8
	}
	return 1
}

// leastTotal is the least total of a collector number that contradicts a card. Smaller ones may be the power and the
// toughness of a creature.
const leastTotal = 20

// contradicts reports whether the lines, read with certainty, have collector numbers but not the card's.
func contradicts(printed []string, card catalog.Card) bool {
	other := false
	for _, c := range match.Collectors(printed) {
		if c.Number == card.Number && (c.Total == card.PrintedTotal || c.Total == 0 || card.PrintedTotal == 0) {
			return false
		}
		// Promotional cards have no total but letters, such as SWSH179.
		isPromo := c.Total == 0 && strings.TrimLeft(c.Number, "0123456789") != ""
		other = other || isPromo || c.Total >= leastTotal
	}
	return other && match.Number(card.Number, card.PrintedTotal, printed) < 1
}

// interpolate returns the value at x of the line through points with ascending x. Before the first and after the last
// point, it is constant.
func interpolate(x float64, points [][2]float64) float64 {
	if x <= points[0][0] {
		return points[0][1]
	}
	for i := 1; i < len(points); i++ {
		from, to := points[i-1], points[i]
		if x < to[0] {
			return from[1] + (to[1]-from[1])*(x-from[0])/(to[0]-from[0])
		}
	}
	return points[len(points)-1][1]
}

// hasWord reports whether the lines contain a set code as a word.
func hasWord(lines []string, code string) bool {
	if len(code) < 3 {
		return false
	}
	separates := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for _, line := range lines {
		for word := range strings.FieldsFuncSeq(line, separates) {
			if strings.EqualFold(word, code) {
				return true
			}
		}
	}
	return false
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
