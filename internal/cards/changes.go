package cards

import (
	"maps"
	"slices"
)

// Change is the change of one field of a card that clients see.
type Change struct {
	Field string `json:"field"` // its path in the contract's Card, such as "pricing.asking_price"
	From  any    `json:"from"`
	To    any    `json:"to"`
}

// changes returns the fields that clients see and that differ, with their values.
func changes(before, after *Card) []Change {
	var list []Change
	for _, f := range fields {
		if !f.same(before, after) {
			list = append(list, Change{f.name(), f.shown(before), f.shown(after)})
		}
	}
	return append(list, metadataChanges(before.Metadata, after.Metadata)...)
}

// metadataChanges returns a change for each key whose value differs, in the order of keys.
func metadataChanges(before, after map[string]string) []Change {
	if maps.Equal(before, after) {
		return nil
	}
	var found []Change
	value := func(values map[string]string, key string) any {
		if v, ok := values[key]; ok {
			return v
		}
		return nil
	}
	all := maps.Clone(before)
	if all == nil {
		all = after
	} else {
		maps.Copy(all, after)
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if from, to := value(before, key), value(after, key); from != to {
			found = append(found, Change{"metadata." + key, from, to})
		}
	}
	return found
}

// shownGrade is a Grade as the contract has it, with all fields.
type shownGrade struct {
	Company    string  `json:"company"`
	Value      string  `json:"value"`
	CertNumber *string `json:"cert_number"`
}

func (g *Grade) shown() *shownGrade {
	if g == nil {
		return nil
	}
	return &shownGrade{g.Company, g.Value, g.CertNumber}
}

// shownPhoto is what a history shows of a photo. The photo's address expires and is left out.
type shownPhoto struct {
	ID     string      `json:"id"`
	Status PhotoStatus `json:"status"`
}

func (c *Card) shownPhoto(role Role) *shownPhoto {
	for _, p := range c.Photos {
		if p.Role == role {
			return &shownPhoto{p.ID, p.Status}
		}
	}
	return nil
}

// id returns the listing's identifier, or nil if there is no listing.
func (r *ListingRef) id() *string {
	if r == nil {
		return nil
	}
	return &r.ID
}
