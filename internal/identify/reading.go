package identify

import "context"

// Reading is the text that a provider read on a photo, for people who look at the photo themselves. What was not
// legible is "".
type Reading struct {
	Name   string `json:"name,omitempty"`
	HP     string `json:"hp,omitempty"`     // the health points of the card
	Number string `json:"number,omitempty"` // the collector number
}

// MaxReading is the maximum length of each text of a Reading, in characters.
const MaxReading = 60

// TextProvider is a Provider that reads text.
type TextProvider interface {
	Provider
	// Read is Identify that also returns what it read.
	Read(ctx context.Context, photo Photo) ([]Candidate, Reading, error)
}

// Reading returns what the first provider that reads text has read, or nil if there was none.
func (o Outcome) Reading() *Reading {
	for _, a := range o.Attempts {
		if a.Reading != nil {
			return a.Reading
		}
	}
	return nil
}
