package fingerprint

import (
	"cmp"
	"slices"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify/match"
)

const (
	// near is the distance, in bits of 512, up to which a match can only be the card
	// or one with the same art; from far on, matches are chance. On real photos
	// against 19,294 cards right ones lay at 27 to 135, the nearest wrong ones at 150.
	near, far = 80, 165
	// nearLead and farLead are the leads over an unrelated card that a match at near
	// and at far needs.
	nearLead, farLead = 12, 40
	// kinLead and kinShare make the lead needed over another printing of the same
	// name, which probably has the same art: a constant and a share of the distance,
	// for the less clear a photo is, the less the order of two printings says.
	kinLead, kinShare = 12, 0.4
	// certainNumber is what match.Number gives with at most one wrong character.
	certainNumber = 0.6
)

// verdict is one card with how far its fingerprint is from the photo's.
type verdict struct {
	card       catalog.Card
	distance   int
	confidence float64
}

// rank turns matches into verdicts, nearest first.
func rank(matches []catalog.FingerprintMatch) []verdict {
	ranked := make([]verdict, len(matches))
	for i, m := range matches {
		ranked[i] = verdict{card: m.Card, distance: m.Distance}
	}
	slices.SortStableFunc(ranked, func(a, b verdict) int { return cmp.Compare(a.distance, b.distance) })
	for i := range ranked {
		ranked[i].confidence = nearness(ranked[i].distance) * (0.5 + 0.5*clearness(ranked, i))
	}
	return ranked
}

// nearness is the confidence that a distance alone would justify.
func nearness(distance int) float64 {
	if distance > 150 {
		return 0.85 - 0.65*share(distance, 150, 220)
	}
	return 0.99 - 0.14*share(distance, near, 150)
}

// clearness is 1 for the nearest card if it leads every other one by enough, falls to
// 0 with the smallest lead, and is 0 for all others.
func clearness(ranked []verdict, at int) float64 {
	if at > 0 {
		return 0
	}
	least := 1.0
	for _, rival := range ranked[1:] {
		least = min(least, lead(ranked[0], rival))
	}
	return least
}

// lead is how much of the needed distance a rival lies behind; 1 is enough.
func lead(best, rival verdict) float64 {
	needed := nearLead + (farLead-nearLead)*share(best.distance, near, far)
	if match.BaseName(best.card.Name) == match.BaseName(rival.card.Name) {
		needed = max(needed, kinLead+kinShare*float64(best.distance))
	}
	return min(1, float64(rival.distance-best.distance)/needed)
}

// share is where v lies between two bounds, 0 to 1.
func share(v, from, to int) float64 {
	return max(0, min(1, float64(v-from)/float64(to-from)))
}

// reprints are the indices of the cards that a near enough best one does not lead by
// enough, itself first; none where there is nothing to settle.
func reprints(ranked []verdict) []int {
	if len(ranked) == 0 || ranked[0].distance >= far {
		return nil
	}
	same := []int{0}
	for i, rival := range ranked {
		if i > 0 && lead(ranked[0], rival) < 1 {
			same = append(same, i)
		}
	}
	if len(same) == 1 {
		return nil
	}
	return same
}

// settle decides between reprints by the collector number read off the card: the one
// whose number stands there, clearly better than any other's, wins. Without such a
// one nothing changes.
func decide(ranked []verdict, foot []string) []verdict {
	winner, best, second := 0, 0.0, 0.0
	for _, i := range reprints(ranked) {
		found := match.Number(ranked[i].card.Number, ranked[i].card.PrintedTotal, foot)
		if found > best {
			winner, best, second = i, found, best
		} else {
			second = max(second, found)
		}
	}
	if best < certainNumber || best-second < 0.3 {
		return ranked
	}
	out := slices.Clone(ranked)
	for i := range out {
		out[i].confidence = min(out[i].confidence, 0.3)
	}
	out[winner].confidence = nearness(out[winner].distance)
	slices.SortStableFunc(out, func(a, b verdict) int { return cmp.Compare(b.confidence, a.confidence) })
	return out
}
