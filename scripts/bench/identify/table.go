package main

import (
	"fmt"

	"github.com/cardvault/cardvault/internal/identify"
)

// bins are the lower bounds of the calibration table.
var bins = []float64{0, 0.2, 0.4, 0.6, 0.75, 0.85, 0.9, 0.95, 0.99}

// printBins prints for each bin of the confidence: the number of cards of unchanged photos, their mean predicted
// probability, and how many of these predictions were right.
func printBins(predictions []prediction) {
	fmt.Printf("%-14s%8s%8s%12s%9s\n", "confidence", "samples", "right", "predicted", "right")
	for i, low := range bins {
		high := 1.01
		if i+1 < len(bins) {
			high = bins[i+1]
		}
		var n, right int
		var sum float64
		for _, p := range predictions {
			if v := p.verdict.Probability; v >= low && v < high && p.ablation == ablations[0].name {
				n, right, sum = n+1, right+count(p.right), sum+v
			}
		}
		share := func(of float64) float64 { return 100 * of / float64(max(1, n)) }
		fmt.Printf("%.2f to %.2f  %8d%8d%10.1f %%%7.1f %%\n",
			low, min(1, high), n, right, share(sum), share(float64(right)))
	}
}

// isAccepted reports whether the chain would accept the card by default.
func (p prediction) isAccepted() bool {
	return p.verdict.Veto == "" && p.verdict.Probability >= identify.DefaultThreshold
}

// printAccepted prints how many cards would be accepted by kind of sample, and the wrong ones among them.
func printAccepted(predictions []prediction) {
	for _, a := range ablations {
		for _, sc := range scenarios {
			var n, acceptedCount, right int
			for _, p := range predictions {
				if p.scenario == sc.name && p.ablation == a.name {
					n++
					acceptedCount += count(p.isAccepted())
					right += count(p.isAccepted() && p.right)
				}
			}
			fmt.Printf("%s, %s: %d samples, %d accepted, %d of them right\n", a.name, sc.name, n, acceptedCount, right)
		}
	}
	for _, p := range predictions {
		if p.isAccepted() && !p.right {
			fmt.Printf("accepted and wrong: %s, %s, %s: %s %s with %.3f\n", p.photo, p.scenario, p.ablation,
				p.verdict.Card.Name, p.verdict.Card.ID, p.verdict.Probability)
		}
	}
}

// printPhotos prints how many unchanged photos the chain would accept, with the complete catalogue and without the
// card. The chain accepts a photo if it accepts a decision by a part of the text. The photo is right if the first such
// decision is.
func printPhotos(predictions []prediction) {
	for _, scenario := range []string{"complete catalogue", "without the card"} {
		seen, accepted := map[string]bool{}, map[string]bool{} // by photo; whether the card is right
		for _, p := range predictions {
			if p.scenario != scenario || p.ablation != ablations[0].name || p.whole {
				continue
			}
			seen[p.photo] = true
			if _, known := accepted[p.photo]; p.isAccepted() && !known {
				accepted[p.photo] = p.right
			}
		}
		right := 0
		for _, isRight := range accepted {
			right += count(isRight)
		}
		fmt.Printf("%s: %d photos, %d accepted, %d of them right\n", scenario, len(seen), len(accepted), right)
	}
}
