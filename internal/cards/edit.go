package cards

import (
	"reflect"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
)

// Edit is what an update has changed of the values that owners can change. It is stored as JSON, and Undo takes the
// update back.
type Edit struct {
	Before Patch `json:"before,omitzero"`
	After  Patch `json:"after,omitzero"` // the same fields as in Before
	// Identified is the identification before the update and after it, if the card was identified by it. The patches do
	// not have its fields then.
	Identified *[2]Identification `json:"identified,omitempty"`
}

// EditOf returns what the update from before to after has changed.
func EditOf(before, after *Card) Edit {
	e := Edit{Before: before.owned().Changes(after), After: after.owned().Changes(before)}
	e.Before.Metadata, e.After.Metadata = metadataEdit(before.Metadata, after.Metadata)
	from, to := before.Identification, after.Identification
	from.Description, to.Description = Description{}, Description{}
	if !from.equal(to) {
		e.Identified = &[2]Identification{before.Identification, after.Identification}
		e.Before, e.After = e.Before.withoutDescription(), e.After.withoutDescription()
	}
	return e
}

// IsZero reports whether the update has changed nothing.
func (e Edit) IsZero() bool { return e.Before.IsZero() && e.Identified == nil }

// Undo gives a card the values from before the update. It changes nothing if the card has them already, and fails with
// version_mismatch if the card has neither these nor the update's values. Other errors come from the rules for changes
// by the owner. An archived card comes back even while its listing is being ended.
func (e Edit) Undo(c *Card, now time.Time) error {
	switch {
	case e.has(c, e.Before, 0):
		return nil
	case !e.has(c, e.After, 1):
		return fault.New(fault.VersionMismatch, "This card was changed since, so it keeps its values.")
	}
	if e.Identified != nil {
		if err := c.restore(Reviewed{e.Identified[0], c.Location}); err != nil {
			return err
		}
	}
	before := e.Before
	if before.Archived != nil && !*before.Archived && !c.Sold() {
		c.Archived, before.Archived = false, nil
	}
	return before.Apply(c, now)
}

// has reports whether the card has the values of a patch of the edit, and the identification of this index.
func (e Edit) has(c *Card, values Patch, identified int) bool {
	return values.Changes(c).IsZero() && (e.Identified == nil || c.Identification.equal(e.Identified[identified]))
}

// owned returns the patch that sets all values that owners can change, without the metadata.
func (c *Card) owned() Patch {
	archived := c.Archived
	p := Patch{Archived: &archived}
	for _, f := range ownedFields {
		f.take(&p, c)
	}
	return p
}

// Owned returns the patch that sets all values of the card that owners can change, without missing ones.
func (c *Card) Owned() Patch {
	p := c.owned().WithoutCleared()
	if len(c.Metadata) > 0 {
		pairs := make(map[string]*string, len(c.Metadata))
		for key, value := range c.Metadata {
			pairs[key] = &value
		}
		p.Metadata = Set(pairs)
	}
	return p
}

// Without returns the patch without the fields that the other patch sets to the same values.
func (p Patch) Without(other Patch) Patch {
	var c Card
	for _, f := range ownedFields {
		f.apply(&other, &c)
		f.reduce(&p, &c)
	}
	return p
}

// WithoutCleared returns the patch without the fields that it clears.
func (p Patch) WithoutCleared() Patch {
	for _, f := range ownedFields {
		f.dropCleared(&p)
	}
	return p
}

// withoutDescription returns the patch without the fields of the identification.
func (p Patch) withoutDescription() Patch {
	for _, f := range describedFields {
		f.drop(&p)
	}
	return p
}

// metadataEdit returns the fields that set the keys whose values differ to those before and after.
func metadataEdit(before, after map[string]string) (from, to Field[map[string]*string]) {
	changed := metadataChanges(before, after)
	if len(changed) == 0 {
		return from, to
	}
	value := func(values map[string]string, key string) *string {
		if v, ok := values[key]; ok {
			return &v
		}
		return nil
	}
	old, set := make(map[string]*string, len(changed)), make(map[string]*string, len(changed))
	for _, change := range changed {
		key := change.Field[len("metadata."):]
		old[key], set[key] = value(before, key), value(after, key)
	}
	return Set(old), Set(set)
}

// equal reports whether two identifications have the same values.
func (i Identification) equal(other Identification) bool {
	at, otherAt := i.IdentifiedAt, other.IdentifiedAt
	if (at == nil) != (otherAt == nil) || at != nil && !at.Equal(*otherAt) {
		return false
	}
	i.IdentifiedAt, other.IdentifiedAt = nil, nil
	return reflect.DeepEqual(i, other)
}
