package identify

import (
	"context"

	"github.com/cardvault/cardvault/internal/cards"
)

// Reading is the text that a provider read on a photo, for people who look at the photo themselves. Illegible texts are
// "".
type Reading struct {
	Name   string `json:"name,omitempty"`
	HP     string `json:"hp,omitempty"`     // the health points of the card
	Number string `json:"number,omitempty"` // the collector number
	// Grade is the grade on the label, or nil if the card is not in a slab.
	Grade *cards.Grade `json:"grade,omitempty"`
}

// MaxReading is the maximum length of a text of a Reading, in characters.
const MaxReading = 60

// TextProvider is a Provider that reads text.
type TextProvider interface {
	Provider
	// Read is Identify that also returns the text that it read.
	Read(ctx context.Context, photo Photo) ([]Candidate, Reading, error)
}

// Grade returns the grade that was read on the label of a slab, or nil if there was none.
func (o Outcome) Grade() *cards.Grade { return o.Reading().grade() }

// grade returns the grade of a reading, which may be nil.
func (r *Reading) grade() *cards.Grade {
	if r == nil {
		return nil
	}
	return r.Grade
}

// Reading returns the text of the first provider that reads text, or nil if there was none. It includes the label of a
// slab, even if another provider read the label.
func (o Outcome) Reading() *Reading {
	var read *Reading
	for _, a := range o.Attempts {
		if read = a.Reading; read != nil {
			break
		}
	}
	if o.label == nil || read.grade() != nil {
		return read
	}
	var with Reading
	if read != nil {
		with = *read
	}
	with.Grade = o.label
	return &with
}
