package judge

import "math"

// The features of a card, in the order of the weights. Weights of the first group are at least 0, so that more
// agreement never makes a card less likely. Weights of the second group are at most 0.
const (
	featurePicture = iota
	featureClose
	featureName
	featureNumber
	featureBody
	featureIllustrator
	featureSetCode
	featureHP
	featureYear
	featureOtherNumber
	featureOtherHP
	featureOtherYear
	featureOtherText
	// FeatureCount is the number of features.
	FeatureCount
)

// FeatureNames are the names of the features, in the order of the weights.
var FeatureNames = [FeatureCount]string{
	"picture", "close picture", "name", "number", "body", "illustrator", "set code", "HP", "year",
	"other number", "other HP", "other year", "other text",
}

// Positive reports whether more of a feature speaks for a card.
func Positive(feature int) bool { return feature < featureOtherNumber }

// Features are the values of the features, each from 0 to 1.
type Features [FeatureCount]float64

const (
	// Pictures at the distance far, in bits of 512, or more are unrelated. For photos of 19,294 cards, right matches
	// had distances of 27 to 135, wrong ones of at least 150. In a picture at the distance close or less, the whole
	// card was found. No photo has a distance of less than near.
	far, close, near = 170, 100, 10
)

// features returns the features of the evidence. Without enough words of the photo, no text contradicts the card.
func (e Evidence) features(words int) (f Features) {
	f[featurePicture] = share(e.Distance, far, near)
	f[featureClose] = share(e.Distance, close, near)
	f[featureName], f[featureNumber], f[featureBody] = e.Name, e.Number, e.Body
	f[featureIllustrator], f[featureSetCode], f[featureHP], f[featureYear] = e.Illustrator, e.SetCode, e.HP, e.Year
	for feature, is := range map[int]bool{
		featureOtherNumber: e.OtherNumber, featureOtherHP: e.OtherHP, featureOtherYear: e.OtherYear,
		featureOtherText: e.otherText(words),
	} {
		if is {
			f[feature] = 1
		}
	}
	return f
}

// share returns the position of v between two bounds, from 0 to 1.
func share(v, from, to int) float64 {
	return max(0, min(1, float64(v-from)/float64(to-from)))
}

// Weights are the coefficients of the model.
type Weights struct {
	// Bias is the utility of a card without evidence, compared with the utility of "none of the cards".
	Bias float64
	// Features are the weights of the features.
	Features Features
}

// hintWeight is the weight of a hint that a card agrees with. languageWeight is the weight of a different language, and
// otherPrintingWeight the weight of another printing's set or number. They are set and not fitted, because photos for
// the calibration have no hints, are in one language, and only few show the code of a set or a number without its
// slash. A hint distinguishes printings that agree equally well, and weighs less than the text on the card.
const hintWeight, languageWeight, otherPrintingWeight = 2.5, -6, -3

// Utility returns the utility of a card. "None of the cards" has the utility 0.
func (w Weights) Utility(f Features) float64 {
	u := w.Bias
	for i, weight := range w.Features {
		u += weight * f[i]
	}
	return u
}

// Probabilities returns the probabilities of cards, given their utilities. The remainder to 1 is the probability of
// "none of the cards".
func Probabilities(utilities []float64) []float64 {
	highest := 0.0
	for _, u := range utilities {
		highest = max(highest, u)
	}
	sum := math.Exp(-highest)
	out := make([]float64, len(utilities))
	for i, u := range utilities {
		out[i] = math.Exp(u - highest)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}

// Features returns the features of the cards of a round. A card whose picture was not compared gets the nearest of its
// namesakes, because they may have the same.
func (r Round) Features() []Features { return r.features(r.names()) }

func (r Round) features(names []string) []Features {
	nearest := map[string]int{}
	for i, name := range names {
		if d, known := nearest[name]; !known || r.Evidence[i].Distance < d {
			nearest[name] = r.Evidence[i].Distance
		}
	}
	out := make([]Features, len(r.Evidence))
	for i, e := range r.Evidence {
		if e.Distance == NoPicture {
			e.Distance = nearest[names[i]]
		}
		out[i] = e.features(r.words)
	}
	return out
}
