package remote

import (
	"unicode/utf8"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/identify"
)

// The longest parts of a grade, in characters, as the contract has them.
const (
	maxGrader, maxGrade, maxCertificate = 20, 10, 30
)

// reading returns the parts of an answer that are printed on the card.
func (a Answer) reading() identify.Reading {
	name := []rune(a.Title)
	return identify.Reading{
		Name: string(name[:min(len(name), identify.MaxReading)]), Number: a.fullNumber(), Grade: a.grade(),
	}
}

// grade returns the grade of a card in a slab, or nil for one without a grade that a card can have.
func (a Answer) grade() *cards.Grade {
	fits := func(text string, most int) bool { return text != "" && utf8.RuneCountInString(text) <= most }
	if !fits(a.Grader, maxGrader) || !fits(a.Grade, maxGrade) {
		return nil
	}
	g := &cards.Grade{Company: a.Grader, Value: a.Grade}
	if fits(a.Certificate, maxCertificate) {
		g.CertNumber = &a.Certificate
	}
	return g
}
