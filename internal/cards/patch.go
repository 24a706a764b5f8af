package cards

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/money"
)

// Field is one field of a patch: unchanged (the zero Field), cleared or set.
type Field[T any] struct {
	given bool
	value *T
}

// Set returns a Field that sets v.
func Set[T any](v T) Field[T] { return Field[T]{given: true, value: &v} }

// Clear returns a Field that clears the value.
func Clear[T any]() Field[T] { return Field[T]{given: true} }

// SetText returns a Field that sets a text, or clears it if the text is "".
func SetText(text string) Field[string] {
	if text == "" {
		return Clear[string]()
	}
	return Set(text)
}

// Value returns the value that the field sets, or nil.
func (f Field[T]) Value() *T { return f.value }

// IsZero reports whether the field is unchanged. Package encoding/json omits such fields.
func (f Field[T]) IsZero() bool { return !f.given }

// MarshalJSON returns the value, or null for a cleared field.
func (f Field[T]) MarshalJSON() ([]byte, error) { return json.Marshal(f.value) }

// UnmarshalJSON sets or clears the field.
func (f *Field[T]) UnmarshalJSON(text []byte) error {
	f.given = true
	return json.Unmarshal(text, &f.value)
}

// Apply applies the patch to the card, or returns the error of the rule that forbids it.
func (p Patch) Apply(c *Card, now time.Time) error {
	if err := p.check(); err != nil {
		return err
	}
	for _, step := range []func(*Card, time.Time) error{p.identify, p.price, p.archive} {
		if err := step(c, now); err != nil {
			return err
		}
	}
	for _, f := range plainFields {
		f.apply(&p, c)
	}
	if err := p.merge(c); err != nil {
		return err
	}
	return p.move(c)
}

// Changes returns the patch without the fields whose values the card has already. Apply takes a title that the card has
// for a confirmation, which makes the identification a manual one; a list of cards that is imported again confirms
// nothing.
func (p Patch) Changes(c *Card) Patch {
	for _, f := range ownedFields {
		f.reduce(&p, c)
	}
	if p.Archived != nil && *p.Archived == c.Archived {
		p.Archived = nil
	}
	if merged := *c; p.merge(&merged) == nil && maps.Equal(merged.Metadata, c.Metadata) {
		p.Metadata = Field[map[string]*string]{}
	}
	return p
}

// IsZero reports whether the patch changes nothing.
func (p Patch) IsZero() bool { return reflect.ValueOf(p).IsZero() }

// merge applies the patch to the metadata.
func (p *Patch) merge(c *Card) error {
	if !p.Metadata.given {
		return nil
	}
	merged := map[string]string{}
	if p.Metadata.value != nil {
		maps.Copy(merged, c.Metadata)
		for key, value := range *p.Metadata.value {
			if value == nil {
				delete(merged, key)
			} else {
				merged[key] = *value
			}
		}
	}
	if len(merged) > MaxMetadata {
		return fault.Invalid("metadata", "must have at most %d keys; the card would have %d", MaxMetadata, len(merged))
	}
	if c.Metadata = merged; len(merged) == 0 {
		c.Metadata = nil
	}
	return nil
}

// move puts the card into a batch or takes it out.
func (p *Patch) move(c *Card) error {
	if !p.BatchID.given {
		return nil
	}
	if p.BatchID.value == nil {
		c.BatchID = nil
		return nil
	}
	batchID, ok := id.Parse(id.Batch, *p.BatchID.value)
	if !ok {
		return fault.NotFound(fault.BatchNotFound)
	}
	c.BatchID = &batchID
	return nil
}

// identify applies the fields of the identification. A title makes it a manual identification.
func (p *Patch) identify(c *Card, now time.Time) error {
	if p.Title.given && p.Title.value == nil && c.Identification.Title != nil {
		return fault.Invalid("identification.title", "must not be empty, because the card is identified")
	}
	before := *c
	for _, f := range describedFields {
		f.apply(p, c)
	}
	if c.Sold() {
		if slices.ContainsFunc(describedFields, func(f ownedField) bool { return !f.same(&before, c) }) {
			return c.checkEditable("its identification")
		}
		return nil
	}
	if p.Title.value != nil {
		manual := SourceManual
		c.Identification.Status, c.Identification.Source = IdentificationDone, &manual
		c.Identification.Provider, c.Identification.Confidence = nil, nil
		c.Identification.IdentifiedAt = &now
	}
	return nil
}

func (p *Patch) price(c *Card, now time.Time) error {
	if !p.AskingPrice.given || equal(p.AskingPrice.value, c.Pricing.AskingPrice) {
		return nil
	}
	if err := c.checkRepricing(p.AskingPrice.value); err != nil {
		return err
	}
	c.SetAskingPrice(p.AskingPrice.value, now)
	return nil
}

// SetAskingPrice sets the asking price, or clears it if price is nil. It does not check whether the price can be
// changed.
func (c *Card) SetAskingPrice(price *money.Money, now time.Time) {
	if equal(price, c.Pricing.AskingPrice) {
		return
	}
	c.Pricing.AskingPrice, c.Pricing.PricedAt = price, nil
	if price != nil {
		c.Pricing.PricedAt = &now
	}
}

func (p *Patch) archive(c *Card, _ time.Time) error {
	if p.Archived == nil || *p.Archived == c.Archived {
		return nil
	}
	if err := c.checkEditable("whether it is archived"); err != nil {
		return err
	}
	c.Archived = *p.Archived
	return nil
}

// checkEditable returns an error if the card was sold or has an open listing, which forbids changing what.
func (c *Card) checkEditable(what string) error {
	switch {
	case c.Sold():
		return fault.New(fault.CardSold, "This card was sold; %s can no longer be changed.", what)
	case c.UnderWay():
		return fault.New(fault.CardListed,
			"This card has a listing under way; end the listing before changing %s.", what)
	}
	return nil
}
