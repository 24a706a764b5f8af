package catalog

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
)

// fingerprintIndex has the fingerprints of one version of the catalogue in memory. It does not change, so that searches
// need no lock. A fingerprint takes about 120 bytes.
type fingerprintIndex struct {
	version int64
	entries []fingerprintEntry // in the order of their card IDs
	sets    []cardSet
}

// fingerprintEntry is the fingerprint of a card.
type fingerprintEntry struct {
	cardID string
	hash   hashBits
	set    uint32 // the index of the card's set in sets
}

// cardSet holds the values of a card that searches compare: its game and the keys of its set.
type cardSet struct{ game, key, codeKey string }

// hashBits are the bits of a hash.
type hashBits [8]uint64

// bitsOf returns the bits of a hash of 64 bytes.
func bitsOf(hash []byte) (b hashBits) {
	for i := range b {
		b[i] = binary.BigEndian.Uint64(hash[8*i:])
	}
	return b
}

// distance returns the number of bits in which two hashes differ.
func (b *hashBits) distance(other *hashBits) (n int) {
	for i := range b {
		n += bits.OnesCount64(b[i] ^ other[i])
	}
	return n
}

// neighbor is an entry that is near to a hash.
type neighbor struct {
	entry    int // its index
	distance int // in bits
}

// nearest returns the entries of allowed cards with the smallest distance from hash: limit entries from all sets, and
// limit entries from the set in h. At the same distance, smaller card IDs count as nearer. The result has no particular
// order.
func (x *fingerprintIndex) nearest(h Hints, hash [64]byte, limit int) []neighbor {
	flags, inSet := x.matchingSets(h)
	target := bitsOf(hash[:])
	all, ofSet := make([]neighbor, 0, limit+1), make([]neighbor, 0, limit+1)
	for i := range x.entries {
		e := &x.entries[i]
		if !flags[e.set] {
			continue
		}
		n := neighbor{i, e.hash.distance(&target)}
		all = insertNearest(all, n, limit)
		if inSet[e.set] {
			ofSet = insertNearest(ofSet, n, limit)
		}
	}
	for _, n := range ofSet {
		if !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	return all
}

// matchingSets returns two flags per set: whether h allows its game, and whether it is also the set in h.
func (x *fingerprintIndex) matchingSets(h Hints) (inGame, inSet []bool) {
	games, key := h.games(), h.setKey()
	inGame, inSet = make([]bool, len(x.sets)), make([]bool, len(x.sets))
	for i, set := range x.sets {
		inGame[i] = len(games) == 0 || slices.Contains(games, set.game)
		inSet[i] = inGame[i] && key != "" && (set.key == key || set.codeKey == key)
	}
	return inGame, inSet
}

// insertNearest inserts n into a list that is ordered by distance, after entries at the same distance, and cuts the
// list to limit.
func insertNearest(list []neighbor, n neighbor, limit int) []neighbor {
	at := len(list)
	for at > 0 && n.distance < list[at-1].distance {
		at--
	}
	if at >= limit {
		return list
	}
	list = slices.Insert(list, at, n)
	return list[:min(limit, len(list))]
}

// distances returns the distances of a hash from the fingerprints of the cards with these identifiers.
func (x *fingerprintIndex) distances(hash [64]byte, ids []string) map[string]int {
	target := bitsOf(hash[:])
	distances := make(map[string]int, len(ids))
	for _, id := range ids {
		at, known := slices.BinarySearchFunc(x.entries, id, func(e fingerprintEntry, id string) int {
			return cmp.Compare(e.cardID, id)
		})
		if known {
			distances[id] = x.entries[at].hash.distance(&target)
		}
	}
	return distances
}
