package main

import (
	"math"

	"github.com/cardvault/cardvault/internal/identify/judge"
)

// sample is one round of a photo with the position of the right card, or -1 if it is not in the pool.
type sample struct {
	photo, card, scenario, ablation string
	whole                           bool // whether all of the text was read
	round                           judge.Round
	features                        []judge.Features
	right                           int
	weight                          float64
}

const (
	// ridge is the strength of the regularization, per photo: it keeps weights small that few photos support.
	ridge = 0.003
	// steps and rate control the gradient ascent (Adam), which converges long before the last step.
	steps, rate = 400, 0.1
)

// fit returns the weights that maximize the likelihood of the right cards. Each weight keeps the sign that its meaning
// demands, so that more agreement never makes a card less likely.
func fit(samples []sample) judge.Weights {
	var mean, square [judge.FeatureCount + 1]float64
	w := judge.Weights{Bias: -4}
	for i := range w.Features {
		if w.Features[i] = 1; !judge.Positive(i) {
			w.Features[i] = -1
		}
	}
	for step := 1; step <= steps; step++ {
		slope := gradient(samples, w)
		for i := range slope {
			mean[i] = 0.9*mean[i] + 0.1*slope[i]
			square[i] = 0.999*square[i] + 0.001*slope[i]*slope[i]
			estimate := mean[i] / (1 - math.Pow(0.9, float64(step)))
			spread := math.Sqrt(square[i] / (1 - math.Pow(0.999, float64(step))))
			change := rate * estimate / (spread + 1e-8)
			switch feature := i - 1; {
			case feature < 0:
				w.Bias += change
			case judge.Positive(feature):
				w.Features[feature] = max(0, w.Features[feature]+change)
			default:
				w.Features[feature] = min(0, w.Features[feature]+change)
			}
		}
	}
	return w
}

// gradient returns the slope of the penalized mean log likelihood: of the bias first, then of the features.
func gradient(samples []sample, w judge.Weights) (slope [judge.FeatureCount + 1]float64) {
	total := 0.0
	for _, s := range samples {
		total += s.weight
	}
	for _, s := range samples {
		utilities := make([]float64, len(s.features))
		for i, f := range s.features {
			utilities[i] = w.Utility(f)
		}
		for i, p := range judge.Probabilities(utilities) {
			surprise := -p
			if i == s.right {
				surprise++
			}
			surprise *= s.weight / total
			slope[0] += surprise
			for j, value := range s.features[i] {
				slope[j+1] += surprise * value
			}
		}
	}
	for j, weight := range w.Features {
		slope[j+1] -= ridge * weight
	}
	return slope
}
