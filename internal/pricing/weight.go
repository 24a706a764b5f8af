package pricing

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
)

// Weight is how much a price counts in an estimate, in thousandths. A price of weight 0 does not count.
type Weight int

// full is the weight of the price of an equal card that was sold in the last 30 days.
const full Weight = 1000

// sufficient is the weight from which one price is enough for an estimate. If all prices weigh less, the estimate from
// the catalogue is preferred.
const sufficient Weight = 200

// The factors of a weight, in percent. One price of an equal card weighs more than three of the next condition or of a
// card whose variant may be another, and as much as ten in another language or variant.
const (
	unknownCondition = 50
	unknownLanguage  = 50
	otherLanguage    = 10
	unknownVariant   = 30 // of one of the cards: it may be the ordinary printing
	otherVariant     = 10
	nearGrade        = 25 // half a grade above or below
	otherCompany     = 50
)

// conditionFactors are the factors of a condition by its distance in cards.Conditions.
var conditionFactors = []int{100, 30, 10, 5, 2}

// ageFactors are the factors of a price by its age. The last factor also applies to older prices.
var ageFactors = []struct{ days, factor int }{{30, 100}, {90, 80}, {180, 60}, {365, 40}}

// weigh returns the weight of the price of a card, sold so many days ago, in the estimate for another. The cards have
// the same title. A value that is missing in target is not compared, except for the variant and the grade.
func weigh(target, sold *cards.Description, days int) Weight {
	product := int64(full)
	for _, factor := range []int{
		byCondition(target.Condition, sold.Condition), byLanguage(target.Language, sold.Language),
		byVariant(text(target.Variant), text(sold.Variant)), byGrade(target.Grade, sold.Grade), byAge(days),
	} {
		if factor == 0 {
			return 0
		}
		product *= int64(factor)
	}
	return max(1, Weight((product+5e9)/1e10))
}

func byCondition(target, sold *string) int {
	switch {
	case target == nil:
		return 100
	case sold == nil:
		return unknownCondition
	}
	distance := slices.Index(cards.Conditions, *target) - slices.Index(cards.Conditions, *sold)
	return conditionFactors[max(distance, -distance)]
}

func byLanguage(target, sold *string) int {
	switch {
	case target == nil:
		return 100
	case sold == nil:
		return unknownLanguage
	case strings.EqualFold(*target, *sold):
		return 100
	}
	return otherLanguage
}

func byVariant(target, sold string) int {
	switch {
	case strings.EqualFold(target, sold):
		return 100
	case target == "" || sold == "":
		return unknownVariant
	}
	return otherVariant
}

// byGrade returns 0 for grades that are more than half a grade apart, and for a graded card and an ungraded one,
// because the grade determines the price.
func byGrade(target, sold *cards.Grade) int {
	if target == nil || sold == nil {
		if target == sold {
			return 100
		}
		return 0
	}
	factor := byGradeValue(target.Value, sold.Value)
	if !strings.EqualFold(target.Company, sold.Company) {
		factor = factor * otherCompany / 100
	}
	return factor
}

func byGradeValue(target, sold string) int {
	if strings.EqualFold(target, sold) {
		return 100
	}
	a, wantedErr := strconv.ParseFloat(target, 64)
	b, soldErr := strconv.ParseFloat(sold, 64)
	switch {
	case wantedErr != nil || soldErr != nil: // such as Authentic
		return 0
	case a == b:
		return 100
	case max(a-b, b-a) <= 0.5:
		return nearGrade
	}
	return 0
}

func byAge(days int) int {
	for _, age := range ageFactors {
		if days <= age.days {
			return age.factor
		}
	}
	return ageFactors[len(ageFactors)-1].factor
}

// daysBetween returns the number of whole days from a time to another, at least 0.
func daysBetween(from, to time.Time) int { return max(0, int(to.Sub(from)/(24*time.Hour))) }
