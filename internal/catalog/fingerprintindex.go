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

// cardSet is what searches compare of a card: its game and the keys of its set.
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

// nearest returns the limit entries of allowed cards that have the smallest distance from hash, and as many of the set
// in h. At the same distance, those with the smaller card IDs count as nearer. The result has no particular order.
func (x *fingerprintIndex) nearest(h Hints, hash [64]byte, limit int) []neighbor {
	allowed, hinted := x.matchingSets(h)
	wanted := bitsOf(hash[:])
	all, ofSet := make([]neighbor, 0, limit+1), make([]neighbor, 0, limit+1)
	for i := range x.entries {
		e := &x.entries[i]
		if !allowed[e.set] {
			continue
		}
		n := neighbor{i, e.hash.distance(&wanted)}
		all = insertNearest(all, n, limit)
		if hinted[e.set] {
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

// matchingSets returns which sets have a game that h allows, and which of them are the set in h.
func (x *fingerprintIndex) matchingSets(h Hints) (allowed, hinted []bool) {
	games, key := h.games(), h.setKey()
	allowed, hinted = make([]bool, len(x.sets)), make([]bool, len(x.sets))
	for i, set := range x.sets {
		allowed[i] = len(games) == 0 || slices.Contains(games, set.game)
		hinted[i] = allowed[i] && key != "" && (set.key == key || set.codeKey == key)
	}
	return allowed, hinted
}

// insertNearest inserts n into a list that is ordered by distance, after those at the same distance, and removes what
// exceeds the limit.
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
	wanted := bitsOf(hash[:])
	distances := make(map[string]int, len(ids))
	for _, id := range ids {
		at, known := slices.BinarySearchFunc(x.entries, id, func(e fingerprintEntry, id string) int {
			return cmp.Compare(e.cardID, id)
		})
		if known {
			distances[id] = x.entries[at].hash.distance(&wanted)
		}
	}
	return distances
}
