package cards

import (
	"maps"
	"reflect"
	"slices"

	"github.com/cardvault/cardvault/internal/timestamp"
)

// Change is the change of one field of a card that clients see.
type Change struct {
	Field string `json:"field"` // its path in the contract's Card, such as "pricing.asking_price"
	From  any    `json:"from"`
	To    any    `json:"to"`
}

// visible lists the fields that clients see, in the order in which a history shows them. It lacks version, created_at
// and updated_at, which follow from the changes.
var visible = []struct {
	name  string
	value func(*Card) any
}{
	{"workflow_status", func(c *Card) any { return c.Status }},
	{"identification.title", func(c *Card) any { return c.Identification.Title }},
	{"identification.set", func(c *Card) any { return c.Identification.Set }},
	{"identification.number", func(c *Card) any { return c.Identification.Number }},
	{"identification.status", func(c *Card) any { return c.Identification.Status }},
	{"identification.source", func(c *Card) any { return c.Identification.Source }},
	{"identification.provider", func(c *Card) any { return c.Identification.Provider }},
	{"identification.confidence", func(c *Card) any { return c.Identification.Confidence }},
	{"identification.identified_at", func(c *Card) any { return timestamp.Or(c.Identification.IdentifiedAt) }},
	{"identification.catalog_id", func(c *Card) any { return c.Identification.CatalogID }},
	{"identification.game", func(c *Card) any { return c.Identification.Game }},
	{"identification.year", func(c *Card) any { return c.Identification.Year }},
	{"identification.variant", func(c *Card) any { return c.Identification.Variant }},
	{"identification.language", func(c *Card) any { return c.Identification.Language }},
	{"identification.condition", func(c *Card) any { return c.Identification.Condition }},
	{"identification.grade", func(c *Card) any { return c.Identification.Grade.shown() }},
	{"pricing.asking_price", func(c *Card) any { return c.Pricing.AskingPrice }},
	{"pricing.floor_price", func(c *Card) any { return c.Pricing.FloorPrice }},
	{"pricing.cost", func(c *Card) any { return c.Pricing.Cost }},
	{"pricing.priced_at", func(c *Card) any { return timestamp.Or(c.Pricing.PricedAt) }},
	{"location", func(c *Card) any { return c.Location }},
	{"batch_id", func(c *Card) any { return c.BatchID }},
	{"listing_id", func(c *Card) any { return c.Listing.id() }},
	{"sale_id", func(c *Card) any { return c.SaleID }},
	{"photos.front", func(c *Card) any { return c.shownPhoto(RoleFront) }},
	{"photos.back", func(c *Card) any { return c.shownPhoto(RoleBack) }},
	{"photos.listing", func(c *Card) any { return c.shownPhoto(RoleListing) }},
	{"sku", func(c *Card) any { return c.SKU }},
	{"external_id", func(c *Card) any { return c.ExternalID }},
	{"notes", func(c *Card) any { return c.Notes }},
}

// changes returns the fields that clients see and that differ, with their values.
func changes(before, after *Card) []Change {
	var found []Change
	for _, field := range visible {
		from, to := field.value(before), field.value(after)
		if !reflect.DeepEqual(from, to) {
			found = append(found, Change{field.name, from, to})
		}
	}
	return append(found, metadataChanges(before.Metadata, after.Metadata)...)
}

// metadataChanges returns a change for each key whose value differs, in the order of keys.
func metadataChanges(before, after map[string]string) []Change {
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
