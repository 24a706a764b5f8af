package photos

import (
	"path"
	"slices"
	"strings"

	"github.com/cardvault/cardvault/internal/fault"
)

// Pairing says which photos of a scan show the same card.
type Pairing string

// The ways to pair photos (contract: ScanPairing).
const (
	PairNone    Pairing = "none"  // each photo is the front of a card
	PairByOrder Pairing = "order" // front, back, front, back …
	PairByName  Pairing = "name"  // names that differ by one of sideEndings
)

// sideEndings are the endings of the names of a front and its back, in lower case.
var sideEndings = [...][2]string{{"-front", "-back"}, {"_f", "_b"}, {"-1", "-2"}, {"(1)", "(2)"}}

// pairPhotos groups photos by card and returns the photos' indexes, group by group, the front first. Cards have the
// order of their first photos.
func pairPhotos(names []string, by Pairing) ([][]int, error) {
	switch {
	case by == PairByName:
		return pairByName(names), nil
	case by == PairByOrder && len(names)%2 != 0:
		return nil, fault.Invalid("photos",
			"must be an even number with the pairing order, a front and its back in turn; they are %d", len(names))
	}
	indexes := make([]int, len(names))
	for i := range indexes {
		indexes[i] = i
	}
	size := 1
	if by == PairByOrder {
		size = 2
	}
	return slices.Collect(slices.Chunk(indexes, size)), nil
}

// pairByName pairs each front with the first back of the same name, and each back with the first such front.
func pairByName(names []string) (cards [][]int) {
	waiting := map[sideName]int{} // indexes of cards without a partner
	for i, name := range names {
		side, found := parseSide(name)
		partner, paired := waiting[side.other()]
		switch {
		case !found:
			cards = append(cards, []int{i})
		case paired && side.back:
			cards[partner] = append(cards[partner], i)
			delete(waiting, side.other())
		case paired:
			cards[partner] = append([]int{i}, cards[partner]...)
			delete(waiting, side.other())
		default:
			if _, repeated := waiting[side]; !repeated {
				waiting[side] = len(cards)
			}
			cards = append(cards, []int{i})
		}
	}
	return cards
}

// sideName is the name of a file that shows a side of a card.
type sideName struct {
	stem   string // in lower case, without the ending
	ending int    // in sideEndings
	back   bool
}

// other returns the name of the other side.
func (s sideName) other() sideName {
	s.back = !s.back
	return s
}

// parseSide returns the side that a name says. Its extension does not matter.
func parseSide(name string) (side sideName, found bool) {
	name = strings.ToLower(strings.TrimSuffix(name, path.Ext(name)))
	for ending, pair := range sideEndings {
		if stem, found := strings.CutSuffix(name, pair[0]); found {
			return sideName{stem, ending, false}, true
		}
		if stem, found := strings.CutSuffix(name, pair[1]); found {
			return sideName{stem, ending, true}, true
		}
	}
	return sideName{}, false
}
