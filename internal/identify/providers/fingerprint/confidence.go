package fingerprint

import (
	"cmp"
	"slices"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify/match"
)

const (
	// Up to the distance near, in bits of 512, a match is the card or one with the same art. From far on, matches are
	// coincidence. For photos of 19,294 cards, the distances of right matches were 27 to 135, those of wrong ones at
	// least 150.
	near, far = 80, 165
	// nearLead and farLead are the required leads over an unrelated card, at the distances near and far.
	nearLead, farLead = 12, 40
	// The required lead over another printing of the same name, which probably has the same art, is kinLead plus
	// kinShare of the distance: the less clear a photo is, the less the order of two printings means.
	kinLead, kinShare = 12, 0.4
	// certainNumber is the value of match.Number for a number with at most one wrong character.
	certainNumber = 0.6
)

// verdict is a card with the distance of its fingerprint from that of the photo.
type verdict struct {
	card       catalog.Card
	distance   int
	number     float64 // how well the collector number agrees, from 0 to 1; 0 if it was not needed
	confidence float64
}

// rank returns the verdicts of matches, nearest first.
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

// nearness returns the confidence according to the distance alone.
func nearness(distance int) float64 {
	if distance > 150 {
		return 0.85 - 0.65*share(distance, 150, 220)
	}
	return 0.99 - 0.14*share(distance, near, 150)
}

// clearness returns 1 for the nearest card if it has the required lead over all others, less for a smaller lead, and 0
// for all other cards.
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

// lead returns the lead of best over rival relative to the required lead, at most 1.
func lead(best, rival verdict) float64 {
	required := nearLead + (farLead-nearLead)*share(best.distance, near, far)
	if sameName(best, rival) {
		required = max(required, kinLead+kinShare*float64(best.distance))
	}
	return min(1, float64(rival.distance-best.distance)/required)
}

// share returns the position of v between two bounds, from 0 to 1.
func share(v, from, to int) float64 {
	return max(0, min(1, float64(v-from)/float64(to-from)))
}

// reprints returns the indices of the best card and of those over which it does not have the required lead. It returns
// nil if there are no such cards, or if the best card is too far.
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

// decide chooses among reprints by the collector number in the foot of the photo. If the number of one card matches
// clearly better than those of the others, that card gets the confidence of its distance, and the others get little.
// Otherwise decide returns the same order and confidences, and false.
func decide(ranked []verdict, foot []string) ([]verdict, bool) {
	winner, best, second := 0, 0.0, 0.0
	ranked = slices.Clone(ranked)
	for _, i := range reprints(ranked) {
		found := match.Number(ranked[i].card.Number, ranked[i].card.PrintedTotal, foot)
		ranked[i].number = found
		if found > best {
			winner, best, second = i, found, best
		} else {
			second = max(second, found)
		}
	}
	if best < certainNumber || best-second < 0.3 {
		return ranked, false
	}
	out := slices.Clone(ranked)
	for i := range out {
		out[i].confidence = min(out[i].confidence, 0.3)
	}
	out[winner].confidence = nearness(out[winner].distance)
	slices.SortStableFunc(out, func(a, b verdict) int { return cmp.Compare(b.confidence, a.confidence) })
	return out, true
}

// prefer chooses among reprints of the nearest card's name by the hints. The nearest of those that agree best comes
// first. The owner's word counts instead of its lead over the others, but not instead of the lead over other names.
func prefer(ranked []verdict, hints catalog.Hints) []verdict {
	same, most := reprints(ranked), 0
	for _, i := range same {
		if sameName(ranked[0], ranked[i]) {
			most = max(most, hints.Agreement(ranked[i].card))
		}
	}
	if most == 0 {
		return ranked
	}
	var agreeing, others []verdict
	separation := 1.0
	for i, v := range ranked {
		switch {
		case !sameName(ranked[0], v):
			separation = min(separation, lead(ranked[0], v))
			others = append(others, v)
		case slices.Contains(same, i) && hints.Agreement(v.card) == most:
			agreeing = append(agreeing, v)
		default:
			others = append(others, v)
		}
	}
	best := &agreeing[0]
	best.confidence = nearness(best.distance) * (0.5 + 0.5*min(separation, clearness(agreeing, 0)))
	least := agreeing[len(agreeing)-1].confidence
	for i := range others {
		others[i].confidence = min(others[i].confidence, least)
	}
	return append(agreeing, others...)
}

// sameName reports whether two cards are probably printings of one card.
func sameName(a, b verdict) bool { return match.BaseName(a.card.Name) == match.BaseName(b.card.Name) }
